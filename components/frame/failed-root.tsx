"use client";

import { type FailedPage, useFailure } from "#components/ui/use-failure.ts";
import { Logo } from "./logo.tsx";

const buttonClasses =
  "inline-flex h-8 items-center rounded-md border border-input bg-card px-3 font-medium hover:bg-hover";

/** A page outside of the workspaces that failed. */
export function FailedRoot(props: FailedPage) {
  const { title, text, retry, requestId } = useFailure(props);
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-4 px-4 py-12">
      <Logo />
      <div role="alert">
        <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
        <p className="mt-1 text-pretty text-muted-foreground">{text}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {retry ? (
          <button type="button" onClick={retry} className={buttonClasses}>
            Try again
          </button>
        ) : null}
        <a href="/" className={buttonClasses}>
          Go to your workspace
        </a>
      </div>
      {requestId ? <code className="select-all text-muted-foreground text-sm">Request {requestId}</code> : null}
    </main>
  );
}
