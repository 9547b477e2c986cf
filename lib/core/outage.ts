import { singleton } from "./singleton.ts";

/** `away`: no connection could be opened, for this reason. `back`: one was opened again, after so many milliseconds. */
export type OutageEvent = { type: "away"; reason: string } | { type: "back"; ms: number };

type Outage = {
  /** when a connection broke or could not be opened, by `performance.now()` */
  lostAt: number;
  awaySince: number | null;
  tell: (event: OutageEvent) => void;
};

const outage = singleton<Outage>("outage", () => ({
  lostAt: Number.NEGATIVE_INFINITY,
  awaySince: null,
  tell: () => undefined,
}));

/** Calls `tell` when the database goes away and when it is back; once for each. */
export function onOutage(tell: (event: OutageEvent) => void): void {
  outage.tell = tell;
}

/** A connection to the database broke. The database may work again for the next request. */
export function noteLoss(): void {
  outage.lostAt = performance.now();
}

/** No connection could be opened. */
export function noteAway(reason: string): void {
  noteLoss();
  if (outage.awaySince !== null) return;
  outage.awaySince = outage.lostAt;
  outage.tell({ type: "away", reason });
}

/** A connection was opened. */
export function noteBack(): void {
  if (outage.awaySince === null) return;
  const ms = performance.now() - outage.awaySince;
  outage.awaySince = null;
  outage.tell({ type: "back", ms });
}

/** True when a connection broke or could not be opened at or after `moment` (`performance.now()`). */
export const wasLostSince = (moment: number): boolean => outage.lostAt >= moment;
