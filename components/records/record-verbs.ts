import { ArrowRightLeft, Download, ListPlus, Merge, PencilLine, UserRound } from "lucide-react";
import { keepTyping } from "#components/ui/typed-ahead.ts";
import { addVerbs, type Place, type Verb } from "./add-verbs.ts";
import { type Stage, stageLabels, stages } from "./stages.ts";

/** What the palette does with a record, the one in view or one by its name. */
const verbs: readonly Verb[] = [
  ...addVerbs,
  {
    id: "correct",
    words: ["correct", "edit", "fact"],
    more: ["change", "wrong"],
    icon: PencilLine,
    label: (name) => `Correct a fact about ${name}`,
    place: { tab: "facts" },
  },
  {
    id: "merge",
    words: ["merge"],
    more: ["duplicate", "same"],
    icon: Merge,
    label: (name) => `Merge ${name} with…`,
    place: { open: "merge" },
  },
  {
    id: "list",
    words: ["list", "lead"],
    icon: ListPlus,
    label: (name) => `Add ${name} to a list`,
    place: { open: "add-to-list" },
    type: "person",
  },
  {
    id: "own",
    words: ["own", "owner", "assign"],
    icon: UserRound,
    label: (name) => `Make me the owner of ${name}`,
    does: "own",
  },
  {
    id: "export",
    words: ["export", "download"],
    icon: Download,
    label: (name) => `Export all data about ${name}`,
    does: "export",
    type: "person",
  },
  ...stages.map(
    (stage): Verb => ({
      id: `stage-${stage}`,
      words: ["move", "stage"],
      icon: ArrowRightLeft,
      label: (name) => `Move ${name} to ${stageLabels[stage]}`,
      stage,
      type: "person",
    }),
  ),
];

type PageVerb = Exclude<Verb, { does: string }>;

/** Those that a record's page offers in the palette; `addVerbs` it offers always. */
export const pageVerbs = verbs.filter(
  (verb): verb is PageVerb => !("does" in verb || addVerbs.some(({ id }) => id === verb.id)),
);

/** Whether it can be done with a record: a stage is one that it is not at. */
export const fits = (verb: Verb, record: { type: string; stage?: Stage | null | undefined }): boolean =>
  (verb.type ?? record.type) === record.type && !("stage" in verb && verb.stage === record.stage);

/** Goes to where something is done; what is typed from here on is for its search, where it begins with one. */
export function beginAt(place: Place, go: () => void): void {
  if ("open" in place && place.open === "merge") keepTyping();
  go();
}

const SHORTEST = 3;

type Order = {
  meant: readonly Verb[];
  name: string;
  /** of an owner: a part of their name, where one is named */
  to?: string;
};

/** What the first word of the text asks for, and the person the rest names; null when it is no verb. */
export function verbIn(text: string): Order | null {
  const [, word = "", rest = ""] = /^(\S+)\s+(.+)$/.exec(text.trim().toLowerCase()) ?? [];
  if (word.length < SHORTEST) return null;
  const meant = verbs.filter(({ words }) => words.some((each) => each.startsWith(word)));
  if (meant.length === 0) return null;
  const [, owned, to] = /^(.+?)\s+to\s+(.+)$/.exec(rest) ?? [];
  if (owned && to && meant.some(({ id }) => id === "own")) return { meant, name: owned, to };
  const [, name = rest, stage = ""] = /^(.+?)\s+(?:to\s+)?([a-z]{3,})$/.exec(rest) ?? [];
  const moved = meant.filter((verb) => stage !== "" && "stage" in verb && verb.stage.startsWith(stage));
  return moved.length > 0 ? { meant: moved, name } : { meant, name: rest };
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
