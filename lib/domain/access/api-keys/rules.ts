import { Fault } from "#lib/core/errors.ts";
import { type Limits, limitsIn } from "#lib/core/limits.ts";
import { type KeyScope, keyScopes } from "#lib/core/plans.ts";
import { DAY_MS } from "#lib/text/time.ts";
import type { KeyStatus } from "./contract.ts";

const EXPIRING_WITHIN_MS = 14 * DAY_MS;

type Life = { expiresAt: Date | null; revokedAt: Date | null; replacedBy: string | null };

export function statusOf({ expiresAt, revokedAt, replacedBy }: Life, now: Date): KeyStatus {
  if (revokedAt) return "revoked";
  if (!expiresAt) return "active";
  const left = expiresAt.getTime() - now.getTime();
  if (left <= 0) return "expired";
  return replacedBy || left <= EXPIRING_WITHIN_MS ? "expiring" : "active";
}

/** Each scope once, the narrowest first. */
export const inOrder = (chosenScopes: readonly KeyScope[]): KeyScope[] =>
  keyScopes.filter((scope) => chosenScopes.includes(scope));

/** When a new key expires; null: never. Throws 400 for a time in the past, or when both fields are given. */
export function expiryOf(
  asked: { expires_in_days?: number | undefined; expires_at?: Date | undefined },
  now: Date,
): Date | null {
  const { expires_in_days: days, expires_at: at } = asked;
  if (days !== undefined && at !== undefined) throw refuse("give expires_at or expires_in_days, not both.");
  if (days !== undefined) return new Date(now.getTime() + days * DAY_MS);
  if (at !== undefined && at <= now) throw refuse("must be in the future.");
  return at ?? null;
}

const refuse = (why: string) => new Fault("invalid_parameter", { parameter: "expires_at" }, `expires_at: ${why}`);

/** A successor gets the same lifetime that its predecessor was given. */
export const successorExpiry = (old: { createdAt: Date; expiresAt: Date | null }, now: Date): Date | null =>
  old.expiresAt && new Date(now.getTime() + (old.expiresAt.getTime() - old.createdAt.getTime()));

/** Throws 409, with the reason, for a key that cannot be rotated. */
export function requireRotatable(key: Life, now: Date): void {
  const status = statusOf(key, now);
  if (status === "revoked") throw new Fault("api_key_revoked", { status });
  if (status === "expired")
    throw new Fault("api_key_revoked", { status }, "The API key has expired; create a new one.");
  if (!key.replacedBy) return;
  const extras = { status, replaced_by: key.replacedBy };
  throw new Fault("api_key_revoked", extras, "The API key was rotated already; rotate its successor.");
}

/** Throws 400 for limits of a key that could go round them, or that reads no records at all. */
export function requireLimitable(chosen: readonly KeyScope[], limits: Limits): void {
  const beyond = chosen.find((scope) => scope === "admin" || scope === "directory");
  if (beyond === undefined || limitsIn(limits) === undefined) return;
  throw new Fault(
    "invalid_parameter",
    { parameter: "scopes" },
    `scopes: a key with limits has read, or read and write, not ${beyond}.`,
  );
}
