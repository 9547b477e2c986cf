import { parseAsString, parseAsStringLiteral, withDefault } from "#components/ui/query-state.ts";

export const tabs = ["timeline", "facts", "notes", "mail", "meetings", "agents"] as const;

/** The state that a record's page keeps in the address. */
export const accountAddress = {
  tab: withDefault(parseAsStringLiteral(tabs), "timeline"),
  /** A day; the page then shows the record as it was at the end of that day. */
  as_of: parseAsString,
  /** `known`: what we knew then, instead of what was true then. */
  by: parseAsStringLiteral(["known"]),
  /** The fact whose evidence is open. */
  fact: parseAsString,
  /** The note that is open. */
  note: parseAsString,
  /** The conversation that is open. */
  thread: parseAsString,
  /** Shows only this type of activity on the timeline. */
  type: parseAsString,
  open: parseAsStringLiteral([
    "new-note",
    "new-fact",
    "log-activity",
    "new-task",
    "add-to-list",
    "new-person",
    "merge",
    "merged",
    "erase",
    "score",
  ]),
};
