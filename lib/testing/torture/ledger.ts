/** Records what belongs to which tenant, and looks for it where it must not be: by marks in texts, and by ids. */
import { operations } from "#lib/registry.ts";

const MARK = /mark([AB])(?:n(\d+)n)?/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Fields of an input that hold free text, which keeps a mark as it is. */
const texts = new Set(["content", "job_title", "industry", "description", "title", "question", "icp", "subject"]);

/** The name of a tenant in its marks. */
export type Letter = "A" | "B";

export type Ledger = {
  /** What in this text belongs to the other tenant, as a few words; null when nothing does. Remembers the ids it holds. */
  foreign(letter: Letter, text: string): string | null;
  /** Records ids of a tenant that no answer has shown yet. */
  own(letter: Letter, ...ids: string[]): void;
};

export function openLedger(): Ledger {
  const owners = new Map<string, Letter>();
  // Ids of the documentation belong to no one.
  const shared = new Set(JSON.stringify(operations.map(({ contract }) => contract.example)).match(UUID));
  const own = (letter: Letter, id: string): boolean => {
    const owner = owners.get(id);
    if (owner === undefined && !shared.has(id)) owners.set(id, letter);
    return owner === undefined || owner === letter;
  };
  return {
    own: (letter, ...ids) => {
      for (const id of ids) own(letter, id);
    },
    foreign(letter, text) {
      for (const [mark, other] of text.matchAll(MARK)) if (other !== letter) return `the text ${mark}`;
      for (const [id] of text.matchAll(UUID)) if (!own(letter, id)) return "an id of the other tenant";
      return null;
    },
  };
}

/** A mark of a tenant's request `number`. */
export const markOf = (letter: Letter, number: number): string => `mark${letter}n${number}n`;

/** The numbers of the requests whose marks a text holds, with the tenant they belong to. */
export const marksIn = (text: string): { letter: Letter; number: number }[] =>
  [...text.matchAll(MARK)].map(([, letter, number = "-1"]) => ({ letter: letter as Letter, number: Number(number) }));

/** The input with the mark in each of its free texts, at any depth. */
export function marked<T>(input: T, mark: string): T {
  if (Array.isArray(input)) return input.map((member) => marked(member, mark)) as T;
  if (typeof input !== "object" || input === null) return input;
  const members = Object.entries(input).map(([name, value]) => [
    name,
    texts.has(name) && typeof value === "string" ? `${value} ${mark}` : marked(value, mark),
  ]);
  return Object.fromEntries(members) as T;
}
