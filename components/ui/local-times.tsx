"use client";

import { Fragment } from "react";
import { piecesOf } from "./stamps.ts";
import { useHydrated } from "./use-hydrated.ts";

/**
 * A sentence of the server, with its times in the reader's zone. The server does not know the zone and leaves them in
 * UTC.
 */
export function LocalTimes({ children: text }: { children: string }) {
  if (!useHydrated()) return text;
  return piecesOf(text).map(({ at, text: piece, iso }) => (
    <Fragment key={at}>{iso === null ? piece : <time dateTime={iso}>{localMinute(iso)}</time>}</Fragment>
  ));
}

const localMinute = (iso: string): string =>
  new Intl.DateTimeFormat(undefined, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  }).format(new Date(iso));
