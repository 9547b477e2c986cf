import { InvalidArgumentError } from "commander";
import { isUuid } from "#lib/core/ids.ts";
import { type Scope, scopes } from "#lib/core/plans.ts";
import { parseTime } from "#lib/text/time.ts";

/** Parsers of argument values; a refused value is a wrong argument (exit 2). */

export function id(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new InvalidArgumentError("It is not an id, such as 0190a6e0-0000-7000-8000-000000000001.");
}

/** A SHA-256 in hex. */
export function hash(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError("It is not a hash: 64 hexadecimal digits.");
}

export function scopeList(text: string): Scope[] {
  const named = text.split(",").map((part) => part.trim());
  const validScopes = scopes.filter((scope) => named.includes(scope));
  if (named.every((part) => validScopes.includes(part as Scope))) return validScopes;
  throw new InvalidArgumentError(`Allowed, comma separated: ${scopes.join(", ")}.`);
}

const HOURS: Record<string, number> = { h: 1, d: 24, w: 168 };

/** A duration from now ("30d", "12h", "4w"), or a point in time ("2026-12-31", ISO 8601 with an offset). */
export function expiry(text: string): Date {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (count && unit && Number(count) > 0) return new Date(Date.now() + Number(count) * (HOURS[unit] ?? 0) * 3_600_000);
  const moment = parseTime(text);
  if (moment && moment.getTime() > Date.now()) return moment;
  throw new InvalidArgumentError("Use a time from now on (30d, 12h, 4w) or a coming date (2027-01-31).");
}
