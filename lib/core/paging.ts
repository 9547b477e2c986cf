import { Fault } from "./errors.ts";
import { isBrokenText } from "./json.ts";

/** Encodes a keyset position as an opaque cursor. */
export const encodeCursor = (position: readonly (string | number | null)[]): string =>
  Buffer.from(JSON.stringify(position)).toString("base64url");

const isPart = (part: unknown): part is string | number | null =>
  part === null || Number.isFinite(part) || (typeof part === "string" && !isBrokenText(part));

/**
 * Decodes a cursor of `length` parts; what cannot be a cursor of ours is a 400 that names the parameter. A forged one may
 * still hold any text: who casts a part in SQL checks its form first.
 */
export function decodeCursor(cursor: string, length: number): (string | number | null)[] {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(position) && position.length === length && position.every(isPart)) return position;
  } catch {
    // fall through: not a cursor of ours
  }
  throw new Fault("invalid_parameter", { parameter: "cursor" }, "cursor is not one this endpoint returned.");
}
