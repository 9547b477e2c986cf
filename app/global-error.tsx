"use client";

import "./globals.css";

/** Shown when the root layout itself failed, so it uses nothing but the stylesheet. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Rapport failed to load</title>
        <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-4 px-4 py-12">
          <div role="alert">
            <h1 className="font-semibold text-xl tracking-tight">Rapport failed to load</h1>
            <p className="mt-1 text-muted-foreground">Try again. If it keeps failing, send us the id below.</p>
          </div>
          <button
            type="button"
            onClick={reset}
            className="h-8 rounded-md border border-border-strong bg-card px-3 font-medium hover:bg-hover"
          >
            Try again
          </button>
          {error.digest ? <code className="text-muted-foreground text-sm">Request {error.digest}</code> : null}
        </main>
      </body>
    </html>
  );
}
