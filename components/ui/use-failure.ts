"use client";

import { useDatabaseAway } from "./use-database-away.ts";
import { useReload } from "./use-reload.ts";

export type FailedPage = { error: Error & { digest?: string }; reset: () => void };

export type Failure = {
  title: string;
  /** What it means and what helps. */
  text: string;
  /** Absent while the page opens by itself. */
  retry?: () => void;
  /** Its id in the log. */
  requestId?: string;
};

/** Why a page failed, and what to do. A page that lost the server or its database opens by itself when it can. */
export function useFailure({ error, reset }: FailedPage): Failure {
  const away = useDatabaseAway();
  const reloads = useReload(error);
  if (away)
    return {
      title: "Rapport cannot reach its database",
      text: "It may be restarting. What was saved is safe, and this page opens as soon as the database answers.",
    };
  const title = "This page could not be loaded";
  if (reloads)
    return {
      title,
      text: "It is loaded again as soon as the server can be reached.",
      retry: () => location.reload(),
    };
  if (error.digest === undefined)
    return { title, text: "Try again. If it keeps failing, reload the page.", retry: reset };
  return {
    title,
    text: "Try again. If it keeps failing, send us the id below: it finds this failure in the log.",
    retry: reset,
    requestId: error.digest,
  };
}
