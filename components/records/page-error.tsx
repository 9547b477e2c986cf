"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageFailure } from "#components/ui/page-failure.tsx";
import { Page, PageHeader, type PageProps } from "#components/ui/page-header.tsx";

type PageErrorProps = {
  title: string;
  error: Error & { digest?: string };
  reset: () => void;
  /** That of the page which failed. */
  width?: PageProps["width"];
};

/** A page that failed; the frame around it still works. */
export function PageError({ title, width, ...failure }: PageErrorProps) {
  const [, workspaceId = ""] = usePathname().split("/");
  return (
    <Page width={width}>
      <PageHeader title={title} />
      <Card>
        <PageFailure
          {...failure}
          action={
            <Button asChild>
              <Link href={`/${workspaceId}/home`}>Go to Home</Link>
            </Button>
          }
        />
      </Card>
    </Page>
  );
}
