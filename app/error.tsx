"use client";

import { Logo } from "#components/frame/logo.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";

export default function RouteError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-2 px-4 py-12">
      <Logo />
      <ErrorState title="This page failed to load" onRetry={reset} requestId={error.digest} className="px-0">
        Nothing you entered was lost on our side. If it happens again, send us the id below.
      </ErrorState>
    </main>
  );
}
