import { parseTime } from "#lib/text/time.ts";

/** Readers for what a provider sends: any JSON is possible. */
export type Json = Readonly<Record<string, unknown>>;

export const recordOf = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};

export const recordsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(recordOf) : []);

/** Text as we can store it: well formed, without U+0000, at most `most` UTF-16 units; null when nothing is left. */
export function textOf(value: unknown, most: number): string | null {
  if (typeof value !== "string") return null;
  const text = value.slice(0, most).replaceAll("\u0000", "").toWellFormed();
  return text.trim() === "" ? null : text;
}

/** An id, which some send as a number; null when it is not one, or too long. */
export function idOf(value: unknown): string | null {
  if (typeof value !== "string") return Number.isInteger(value) ? String(value) : null;
  return value.length <= 200 ? (textOf(value, 200)?.trim() ?? null) : null;
}

/** A time; one without an offset is UTC. */
export function momentOf(value: unknown): Date | null {
  return typeof value === "string" ? (parseTime(value.trim()) ?? parseTime(`${value.trim()}Z`)) : null;
}
