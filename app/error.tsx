"use client";

import { Logo } from "#components/frame/logo.tsx";
import { PageFailure } from "#components/ui/page-failure.tsx";

export default function RouteError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-2 px-4 py-12">
      <Logo />
      <PageFailure {...props} heading={(words) => <h1>{words}</h1>} className="px-0" />
    </main>
  );
}
