import { FilePlus, ListPlus, ListTodo, type LucideIcon } from "lucide-react";
import type { RecordType } from "./search-records.ts";
import type { Stage } from "./stages.ts";

export type Verb = {
  id: string;
  /** What an order may begin with: "log lena tanaka". */
  words: readonly string[];
  /** What else finds it while the record is in view. */
  more?: readonly string[];
  icon: LucideIcon;
  label: (name: string) => string;
  /** It adds something to the record, by this key of its page. */
  addsBy?: string;
  type?: RecordType;
} & (
  | {
      /** Where it is done, on the record's page. */
      place: Place;
    }
  | { stage: Stage }
  /** `owner`: gives it to a member; `export`: downloads everything about a person. The page of a record has its own of these. */
  | { does: "own" | "export" }
);

export type Place = { open: "log-activity" | "new-note" | "new-task" | "add-to-list" | "merge" } | { tab: "facts" };

/** A verb that is done at a place of the record's page. */
export type PlaceVerb = Extract<Verb, { place: Place }>;

/** What adds something to a record, by keys too. */
export const addVerbs: readonly PlaceVerb[] = [
  {
    id: "note",
    words: ["note", "write"],
    more: ["new"],
    icon: FilePlus,
    label: (name) => `Add a note on ${name}`,
    place: { open: "new-note" },
    addsBy: "n",
  },
  {
    id: "task",
    words: ["task", "remind"],
    more: ["new", "to do"],
    icon: ListTodo,
    label: (name) => `Add a task about ${name}`,
    place: { open: "new-task" },
    addsBy: "t",
  },
  {
    id: "activity",
    words: ["log", "call", "activity"],
    more: ["new", "meeting", "e-mail", "message"],
    icon: ListPlus,
    label: (name) => `Log an activity with ${name}`,
    place: { open: "log-activity" },
    addsBy: "l",
  },
];
