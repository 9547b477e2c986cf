import { createHash } from "node:crypto";

/** A hash of a value as JSON: the same for the same value, with its fields in the same order. */
export const digestOf = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url");
