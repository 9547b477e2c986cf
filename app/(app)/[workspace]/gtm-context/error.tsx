"use client";

import { Card } from "#components/ui/card.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

type GtmContextErrorProps = { error: Error & { digest?: string }; reset: () => void };

export default function GtmContextError({ error, reset }: GtmContextErrorProps) {
  return (
    <Page>
      <PageHeader title="GTM Context" />
      <Card>
        <ErrorState title="The profile could not be loaded" onRetry={reset} requestId={error.digest}>
          What was being written is kept in this browser. Try again; if it keeps failing, the id below finds this
          failure in the log.
        </ErrorState>
      </Card>
    </Page>
  );
}
