"use client";

import { Card } from "#components/ui/card.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { useDatabaseAway } from "#components/ui/use-database-away.ts";

type PageErrorProps = { title: string; error: Error & { digest?: string }; reset: () => void };

/** A page whose server part failed; the frame around it still works. */
export function PageError({ title, error, reset }: PageErrorProps) {
  const away = useDatabaseAway();
  return (
    <Page>
      <PageHeader title={title} />
      <Card>
        {away ? (
          <ErrorState title="Rapport cannot reach its database">
            It may be restarting. What was saved is safe, and this page opens as soon as the database answers.
          </ErrorState>
        ) : (
          <ErrorState
            title="This page could not be loaded"
            onRetry={reset}
            {...(error.digest ? { requestId: error.digest } : {})}
          >
            Try again; if it keeps failing, the id below finds this failure in the log.
          </ErrorState>
        )}
      </Card>
    </Page>
  );
}
