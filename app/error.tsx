"use client";

import { Logo } from "#components/frame/logo.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { useDatabaseAway } from "#components/ui/use-database-away.ts";

export default function RouteError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const away = useDatabaseAway();
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-2 px-4 py-12">
      <Logo />
      {away ? (
        <ErrorState title={<h1>Rapport cannot reach its database</h1>} className="px-0">
          It may be restarting. What was saved is safe, and this page opens as soon as the database answers.
        </ErrorState>
      ) : (
        <ErrorState title={<h1>This page failed to load</h1>} onRetry={reset} requestId={error.digest} className="px-0">
          Try again. If it keeps failing, send us the id below: it finds this failure in the log.
        </ErrorState>
      )}
    </main>
  );
}
