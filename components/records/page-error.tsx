"use client";

import { Card } from "#components/ui/card.tsx";
import { PageFailure } from "#components/ui/page-failure.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

type PageErrorProps = { title: string; error: Error & { digest?: string }; reset: () => void };

/** A page that failed; the frame around it still works. */
export function PageError({ title, ...failure }: PageErrorProps) {
  return (
    <Page>
      <PageHeader title={title} />
      <Card>
        <PageFailure {...failure} />
      </Card>
    </Page>
  );
}
