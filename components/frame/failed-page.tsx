"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { Page } from "#components/ui/page-header.tsx";
import { type FailedPage, useFailure } from "#components/ui/use-failure.ts";

/** A page of a workspace that failed; the frame around it still works. */
export function FailedWorkspacePage(props: FailedPage) {
  const [, workspaceId = ""] = usePathname().split("/");
  const { title, text, retry, requestId } = useFailure(props);
  return (
    <Page>
      <Card>
        <ErrorState
          title={<h1>{title}</h1>}
          {...(retry ? { onRetry: retry } : {})}
          {...(requestId ? { requestId } : {})}
          action={
            <Button asChild>
              <Link href={`/${workspaceId}/home`}>Go to Home</Link>
            </Button>
          }
        >
          {text}
        </ErrorState>
      </Card>
    </Page>
  );
}
