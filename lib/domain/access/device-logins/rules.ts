import type { Scope } from "#lib/core/plans.ts";
import type { DeviceLogin } from "./contract.ts";

/** The codes of a login work for ten minutes. */
export const LIFETIME_SECONDS = 600;
/** Seconds between two polls, at first; each poll that comes too early adds as many (RFC 8628, 3.5). */
export const INTERVAL_SECONDS = 5;
const MOST_INTERVAL_SECONDS = 60;
/** A poll that was sent in time may arrive a little early. */
const TOLERANCE_MS = 1_000;
/** A late poll still learns that the login expired. */
export const KEPT_HOURS = 24;

type Life = { expiresAt: Date; approvedAt: Date | null; deniedAt: Date | null; consumedAt: Date | null };

/** An approval that was not picked up in time has expired too. */
export function statusOf({ expiresAt, approvedAt, deniedAt, consumedAt }: Life, now: Date): DeviceLogin["status"] {
  if (consumedAt) return "consumed";
  if (deniedAt) return "denied";
  if (expiresAt <= now) return "expired";
  return approvedAt ? "approved" : "pending";
}

/** The interval after a poll at `now`, and how many seconds it came too early (0: it did not). */
export function pace(
  { interval, lastPolledAt }: { interval: number; lastPolledAt: Date | null },
  now: Date,
): { interval: number; wait: number } {
  const early = lastPolledAt ? lastPolledAt.getTime() + interval * 1_000 - now.getTime() : 0;
  if (early <= TOLERANCE_MS) return { interval, wait: 0 };
  const longer = Math.min(interval + INTERVAL_SECONDS, MOST_INTERVAL_SECONDS);
  return { interval: longer, wait: longer };
}

const MOST_HOST = 60;

/** The machine's name in one line without control or direction characters; null when nothing is left. */
export function hostIn(header: string | undefined): string | null {
  const line = (header ?? "").replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();
  return line.slice(0, MOST_HOST).trim() || null;
}

export const keyNameOf = (host: string | null): string => (host ? `rapport login on ${host}` : "rapport login");

/** Those of the granted scopes that the member may still give away. */
export const stillAllowed = (granted: readonly Scope[], allowed: readonly Scope[]): Scope[] =>
  granted.filter((scope) => allowed.includes(scope));
