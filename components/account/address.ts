import { parseAsString, parseAsStringLiteral } from "nuqs/server";

export const tabs = ["timeline", "facts", "notes", "agents"] as const;

/** What the page of a record keeps in the address. */
export const accountAddress = {
  tab: parseAsStringLiteral(tabs).withDefault("timeline"),
  /** A day; the page is then as it was at its end. */
  as_of: parseAsString,
  /** `known`: what we knew then, instead of what was true then. */
  by: parseAsStringLiteral(["known"]),
  /** The fact whose evidence is open. */
  fact: parseAsString,
  /** The note that is open. */
  note: parseAsString,
  /** The only type of activity on the timeline. */
  type: parseAsString,
  open: parseAsStringLiteral(["new-note", "log-activity", "merge", "erase"]),
};
