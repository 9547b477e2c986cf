import { Fault } from "./errors.ts";

/** Encodes a keyset position as an opaque cursor. */
export const encodeCursor = (position: readonly (string | number | null)[]): string =>
  Buffer.from(JSON.stringify(position)).toString("base64url");

/** Decodes a cursor of `length` parts; a cursor we did not make is a 400 that names the parameter. */
export function decodeCursor(cursor: string, length: number): (string | number | null)[] {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(position) && position.length === length) return position;
  } catch {
    // fall through: not a cursor of ours
  }
  throw new Fault("invalid_parameter", { parameter: "cursor" }, "cursor is not one this endpoint returned.");
}
