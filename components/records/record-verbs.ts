import { ArrowRightLeft, FilePlus, ListPlus, ListTodo, type LucideIcon, Merge, PencilLine } from "lucide-react";
import type { RecordType } from "./search-records.ts";
import { type Stage, stageLabels, stages } from "./stages.ts";

type Verb = {
  words: readonly string[];
  icon: LucideIcon;
  label: (name: string) => string;
  /** Where it is done, on the record's page. */
  place: string;
  type?: RecordType;
};

/** What the palette does with a record by its name: "log lena tanaka". */
const verbs: readonly Verb[] = [
  {
    words: ["log", "call", "activity"],
    icon: ListPlus,
    label: (name) => `Log an activity with ${name}`,
    place: "open=log-activity",
  },
  { words: ["note", "write"], icon: FilePlus, label: (name) => `Add a note on ${name}`, place: "open=new-note" },
  { words: ["task", "remind"], icon: ListTodo, label: (name) => `Add a task about ${name}`, place: "open=new-task" },
  {
    words: ["list", "lead"],
    icon: ListPlus,
    label: (name) => `Add ${name} to a list`,
    place: "open=add-to-list",
    type: "person",
  },
  { words: ["merge"], icon: Merge, label: (name) => `Merge ${name} with…`, place: "open=merge" },
  {
    words: ["correct", "edit", "fact"],
    icon: PencilLine,
    label: (name) => `Correct a fact about ${name}`,
    place: "tab=facts",
  },
  ...stages.map(
    (stage): Verb => ({
      words: ["move", "stage"],
      icon: ArrowRightLeft,
      label: (name) => `Move ${name} to ${stageLabels[stage]}`,
      place: `stage=${stage}`,
      type: "person",
    }),
  ),
];

const shortest = 3;

/** What the first word of the text asks for, and whom the rest names; null when it is no verb. */
export function verbIn(text: string): { meant: readonly Verb[]; name: string } | null {
  const [, word = "", rest = ""] = /^(\S+)\s+(.+)$/.exec(text.trim().toLowerCase()) ?? [];
  if (word.length < shortest) return null;
  const meant = verbs.filter(({ words }) => words.some((each) => each.startsWith(word)));
  if (meant.length === 0) return null;
  const [, name = rest, stage = ""] = /^(.+?)\s+(?:to\s+)?([a-z]{3,})$/.exec(rest) ?? [];
  const moved = meant.filter(({ place }) => stage !== "" && place.startsWith(`stage=${stage}`));
  return moved.length > 0 ? { meant: moved, name } : { meant, name: rest };
}

/** The stage that a verb moves to; null for one that is done on the record's page. */
export function stageOf({ place }: Pick<Verb, "place">): Stage | null {
  return stages.find((stage) => place === `stage=${stage}`) ?? null;
}

/**
 * Shorter texts for what has no match: "lena tanaka vp" is "lena tanaka" with "vp" in the line about her. The words left
 * out must begin words of what is found.
 */
export function shorterTexts(text: string): { name: string; left: readonly string[] }[] {
  const words = text.trim().toLowerCase().split(/\s+/);
  return [1, 2]
    .filter((count) => words.length > count)
    .flatMap((count) => [
      { name: words.slice(0, -count).join(" "), left: words.slice(-count) },
      { name: words.slice(count).join(" "), left: words.slice(0, count) },
    ])
    .filter(({ name }) => name.length > 1);
}

export const hasWords = (line: string, wanted: readonly string[]): boolean => {
  const words = line.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return wanted.every((word) => words.some((each) => each.startsWith(word)));
};
