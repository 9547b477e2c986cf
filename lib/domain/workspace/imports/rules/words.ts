import { type ImportField, importFields } from "../words.ts";

export const states = [
  "uploading",
  "reading",
  "ready",
  "checking",
  "running",
  "done",
  "cancelled",
  "failed",
  "undoing",
  "undone",
] as const;

export const outcomes = ["created", "updated", "unchanged", "skipped"] as const;

export const MOST_FILE_BYTES = 200 * 1024 * 1024;
export const MOST_ROWS = 1_000_000;
export const MOST_COLUMNS = 1_000;
/** Characters of one cell: what a note may have. */
export const MOST_CELL = 2_000_000;

/** Fields of any kind of file, each once. */
export const allFields = [...new Set(Object.values(importFields).flat())] as [ImportField, ...ImportField[]];

/** A column that becomes a custom property. */
export const PROPERTY_TARGET = /^property\.[a-z][a-z0-9_]{0,62}$/;
