"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { askBeforeLeaving } from "./leaving.ts";
import { onDemand } from "./on-demand.tsx";

const AlertDialog = onDemand("The question", () => import("./alert-dialog.tsx").then((module) => module.AlertDialog));

type AskBeforeLeavingProps = {
  /** Whether there are unsaved changes. */
  dirty: boolean;
  title: string;
  description: string;
};

/**
 * Asks before unsaved changes of a page are lost: by a link, a shortcut, the back button (where the browser lets a page
 * hold it), a reload or closing the tab, for which the browser has its own question.
 */
export function AskBeforeLeaving({ dirty, title, description }: AskBeforeLeavingProps) {
  const router = useRouter();
  const [go, setGo] = useState<(() => void) | null>(null);
  const leaving = useRef(false);
  useEffect(() => {
    leaving.current = false;
    if (!dirty) return;
    const question = (next: () => void) => (leaving.current ? next() : setGo(() => next));
    const end = askBeforeLeaving(question);
    const unload = (event: BeforeUnloadEvent) => event.preventDefault();
    const click = (event: MouseEvent) => {
      const href = wayOf(event);
      if (href === null) return;
      event.preventDefault();
      event.stopPropagation();
      question(() => router.push(href));
    };
    const back = (event: NavigateEvent) => {
      if (event.navigationType !== "traverse" || !event.cancelable || leaving.current) return;
      event.preventDefault();
      const { key } = event.destination;
      question(() => void window.navigation.traverseTo(key));
    };
    window.addEventListener("beforeunload", unload);
    document.addEventListener("click", click, true);
    window.navigation?.addEventListener("navigate", back);
    return () => {
      end();
      window.removeEventListener("beforeunload", unload);
      document.removeEventListener("click", click, true);
      window.navigation?.removeEventListener("navigate", back);
    };
  }, [dirty, router]);
  if (!go) return null;
  return (
    <AlertDialog
      open
      onOpenChange={(open) => (open ? undefined : setGo(null))}
      title={title}
      description={description}
      confirmLabel="Leave without saving"
      cancelLabel="Stay"
      onConfirm={() => {
        leaving.current = true;
        go();
      }}
    />
  );
}

/** The address in the app that a click leads to, if it leaves this page; null for any other click. */
function wayOf(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || link.target === "_blank" || link.hasAttribute("download") || link.origin !== location.origin)
    return null;
  const isHere = link.pathname + link.search === location.pathname + location.search;
  return isHere ? null : link.pathname + link.search + link.hash;
}
