"use client";

import { Fragment } from "react";
import { piecesOf } from "./stamps.ts";
import { dayAs, isDay, timeAs } from "./times.ts";
import { useHydrated } from "./use-hydrated.ts";

/**
 * A sentence of the server, with its times and days as the reader writes them, in the reader's zone. The server does not
 * know the zone and leaves them in UTC.
 */
export function LocalTimes({ children: text }: { children: string }) {
  if (!useHydrated()) return text;
  return piecesOf(text).map(({ at, text: piece, iso }) => (
    <Fragment key={at}>
      {iso === null ? (
        piece
      ) : (
        <time dateTime={iso}>{isDay(iso) ? dayAs("day", iso) : timeAs("minute", new Date(iso))}</time>
      )}
    </Fragment>
  ));
}
