"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { onDemand } from "#components/ui/on-demand.tsx";
import { navigationEnded, useWay, type Way } from "./navigation.ts";

const LoadingPage = onDemand("The page", () => import("./loading-pages.tsx").then((module) => module.LoadingPage));

const BAR_MS = 150;
const SHAPE_MS = 300;
/** A redirect may lead back to where the reader was: there is no event for its end. */
const LONGEST_MS = 30_000;

/**
 * Shows that a page is loading: the link at once, a thin bar after a moment, the shape of the page when it takes
 * longer. The previous page stays underneath, with its scroll position and what is typed in it. The shape is for the
 * eye only: a screen reader hears one sentence, and never finds the headings of two pages.
 */
export function PendingPage() {
  const way = useWay();
  const pathname = usePathname();
  const search = useSearchParams().toString();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is what ends it
  useEffect(() => whenShown(navigationEnded), [pathname, search]);
  useMarkedLinks(way);
  const waited = useWaited(way);
  if (way === null || waited < BAR_MS) return null;
  const [path = ""] = way.to.split("?");
  return (
    <>
      <div
        role="progressbar"
        aria-label="Loading the page"
        className="fixed inset-x-0 top-0 z-50 h-0.5 origin-left animate-pending bg-primary"
      />
      {waited >= SHAPE_MS && isElsewhere(path, way.from) ? (
        <>
          <p role="status" className="sr-only">
            Loading the page
          </p>
          <div
            aria-hidden="true"
            className="fixed inset-x-0 top-12 bottom-0 z-15 overflow-hidden bg-background px-4 py-5 md:left-56 md:px-8 md:py-6"
          >
            <LoadingPage pathname={path} />
          </div>
        </>
      ) : null}
    </>
  );
}

/** The router may change the address before anything of the page is visible. Returns a function that stops waiting. */
function whenShown(then: () => void): () => void {
  const main = document.querySelector<HTMLElement>("main");
  const watch = new MutationObserver(look);
  function look(): void {
    if (main?.innerText.trim() === "") return;
    watch.disconnect();
    then();
  }
  if (main) watch.observe(main, { childList: true, subtree: true, attributes: true });
  look();
  return () => watch.disconnect();
}

/** Settings pages share their frame, which stays; a list stays too when only its filters change. */
function isElsewhere(to: string, from: string): boolean {
  const isSettings = (path: string) => path.split("/")[2] === "settings";
  return to !== from && !(isSettings(to) && isSettings(from));
}

/** How long the navigation has taken, in the steps that are shown. */
function useWaited(way: Way | null): number {
  const [waited, setWaited] = useState(0);
  useEffect(() => {
    setWaited(0);
    if (way === null) return;
    const timers = [BAR_MS, SHAPE_MS].map((ms) => setTimeout(() => setWaited(ms), ms));
    timers.push(setTimeout(navigationEnded, LONGEST_MS));
    return () => timers.forEach(clearTimeout);
  }, [way]);
  return way === null ? 0 : waited;
}

/** `a[data-pending]` looks chosen (globals.css). There are many links of all kinds, so this is done on the document. */
function useMarkedLinks(way: Way | null): void {
  useEffect(() => {
    if (way === null) return;
    const links = [...document.querySelectorAll<HTMLAnchorElement>("a[href]")].filter(
      (link) => link.origin === location.origin && link.pathname + link.search === way.to,
    );
    for (const link of links) link.dataset.pending = "";
    return () => {
      for (const link of links) delete link.dataset.pending;
    };
  }, [way]);
}
