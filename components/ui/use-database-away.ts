"use client";

import { useEffect, useState } from "react";

const AGAIN_MS = 3_000;

/**
 * For a page that failed: true while the server says that its database is away (`GET /readyz`). The page is loaded again as soon
 * as the database is back.
 */
export function useDatabaseAway(): boolean {
  const [away, setAway] = useState(false);

  useEffect(() => {
    const leave = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const ask = async (wasAway: boolean): Promise<void> => {
      const answer = await fetch("/readyz", { cache: "no-store", signal: leave.signal }).catch(() => null);
      if (leave.signal.aborted) return;
      if (wasAway && answer?.ok) return window.location.reload();
      const isAway = wasAway || answer?.status === 503;
      setAway(isAway);
      if (isAway) timer = setTimeout(() => void ask(true), AGAIN_MS);
    };
    void ask(false);
    return () => {
      leave.abort();
      if (timer) clearTimeout(timer);
    };
  }, []);

  return away;
}
