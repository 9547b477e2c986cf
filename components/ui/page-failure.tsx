"use client";

import type { ReactNode } from "react";
import { ErrorState } from "./error-state.tsx";
import { useDatabaseAway } from "./use-database-away.ts";
import { useReload } from "./use-reload.ts";

type PageFailureProps = {
  error: Error & { digest?: string };
  reset: () => void;
  /** The words as a heading of the page, say. */
  heading?: (words: string) => ReactNode;
  className?: string;
  /** Another way on. */
  action?: ReactNode;
};

/** Why a page failed, and what to do. */
export function PageFailure({ error, reset, heading = (words) => words, className, action }: PageFailureProps) {
  const away = useDatabaseAway();
  const reloads = useReload(error);
  const looks = { action, ...(className ? { className } : {}) };
  if (away) {
    return (
      <ErrorState title={heading("Rapport cannot reach its database")} {...looks}>
        It may be restarting. What was saved is safe, and this page opens as soon as the database answers.
      </ErrorState>
    );
  }
  const title = heading("This page could not be loaded");
  if (reloads) {
    return (
      <ErrorState title={title} onRetry={() => location.reload()} {...looks}>
        It is loaded again as soon as the server can be reached.
      </ErrorState>
    );
  }
  return (
    <ErrorState title={title} onRetry={reset} requestId={error.digest} {...looks}>
      {error.digest
        ? "Try again. If it keeps failing, send us the id below: it finds this failure in the log."
        : "Try again. If it keeps failing, reload the page."}
    </ErrorState>
  );
}
