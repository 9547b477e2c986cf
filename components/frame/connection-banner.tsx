"use client";

import { RefreshCw, Unplug } from "lucide-react";
import { useOffline } from "next/offline";
import { type ReactNode, useEffect } from "react";
import { Button } from "#components/ui/button.tsx";
import { isLost, miss, suspectLoss, tryAgain, watchNetwork } from "#components/ui/connection.ts";
import { listed } from "#components/ui/numbers.ts";
import { timeAs } from "#components/ui/times.ts";
import { useConnection } from "#components/ui/use-connection.ts";
import { navigationEnded, useWay } from "./navigation.ts";

/** Says that the connection is lost and since when, above a page that stays as it is. */
export function ConnectionBanner() {
  const { lostAt, outdated, missing } = useConnection();
  const routerWaits = useOffline();
  useEffect(watchNetwork, []);
  useEffect(() => {
    if (routerWaits) void suspectLoss();
  }, [routerWaits]);
  useKeptPage(lostAt !== null);
  const what = listed(missing);
  return (
    <div role="status" className="sticky top-12 z-20 empty:hidden">
      {lostAt !== null ? (
        <Strip action={<Button onClick={tryAgain}>Try again</Button>}>
          <strong className="font-medium">No connection since {timeWords(lostAt)}.</strong>{" "}
          {missing.length > 0
            ? `${what} cannot be opened until it is back.`
            : "You can keep reading. Changes cannot be saved until it is back."}
        </Strip>
      ) : outdated ? (
        <Strip
          action={
            <Button onClick={() => location.reload()}>
              <RefreshCw aria-hidden="true" /> Reload
            </Button>
          }
        >
          <strong className="font-medium">Rapport has been updated.</strong> Reload the page to open {what}.
        </Strip>
      ) : null}
    </div>
  );
}

function Strip({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <div
      data-banner
      className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 border-b bg-warning-soft px-4 py-1.5 text-warning-text md:px-8"
    >
      <Unplug aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">{children}</p>
      {action}
    </div>
  );
}

/** Without a connection a link would end on the browser's own error page. The page the reader has is worth more. */
function useKeptPage(lost: boolean): void {
  const way = useWay();
  useEffect(() => {
    if (!lost || way === null) return;
    miss("The next page");
    // The router would go there when the connection is back. It drops that for a change of the history.
    window.history.replaceState(null, "", location.href);
    navigationEnded();
  }, [lost, way]);
  useEffect(() => {
    const keep = (event: MouseEvent) => {
      const link = isLost() ? linkOf(event) : null;
      if (!link) return;
      event.preventDefault();
      miss(link.getAttribute("aria-label") ?? wordsOf(link));
    };
    window.addEventListener("click", keep, true);
    return () => window.removeEventListener("click", keep, true);
  }, []);
}

/** The link that a click would leave the page by. */
function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
  if (!(target instanceof Element) || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null;
  const link = target.closest<HTMLAnchorElement>("a[href]");
  if (!link || link.target === "_blank" || link.origin !== location.origin) return null;
  return link.pathname === location.pathname && link.search === location.search ? null : link;
}

const wordsOf = (link: HTMLElement): string => link.innerText.replaceAll(/\s+/g, " ").trim().slice(0, 60) || "The page";

const timeWords = (at: number): string => timeAs("clock", at);
