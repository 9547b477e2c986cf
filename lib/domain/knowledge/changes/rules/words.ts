import { labelOf, typeOf } from "#lib/domain/crm/timeline/service.ts";
import { clip } from "#lib/text/clip.ts";
import type { Change } from "../contract.ts";

/** What a record is called, and where a person works. */
export type Naming = { name: string; company: string | null };

type Names = ReadonlyMap<string, Naming>;

/** A record with what changed about it, the latest first. */
export type RecordChanges = {
  entity_id: string;
  name: string;
  company: string | null;
  latest_at: string;
  changes: string[];
  more: number;
};

const MOST_WORDS = 12;

/** Changes by record, the record with the latest first. `changes` come in order, the earliest first. */
export function wordsByRecord(changes: readonly Change[], names: Names): RecordChanges[] {
  const causes = new Map(changes.flatMap((change) => (change.id ? [[change.id, change] as const] : [])));
  const byRecord = Map.groupBy(changes.toReversed(), ({ entity_id }) => entity_id);
  return [...byRecord].map(([id, theirs]) => {
    const sentences = lastOfEach(theirs).map((change) => wordsOf(change, causes, names));
    const naming = names.get(id);
    return {
      entity_id: id,
      name: naming?.name ?? theirs[0]?.entity_name ?? "an erased record",
      company: naming?.company ?? null,
      latest_at: theirs[0]?.at ?? "",
      changes: sentences.slice(0, MOST_WORDS),
      more: Math.max(0, sentences.length - MOST_WORDS),
    };
  });
}

/** Of states and stages the latest word on each property, with the value before the first of them. The latest come first. */
function lastOfEach(changes: readonly Change[]): Change[] {
  const kept = new Map<string, Change>();
  for (const change of changes) {
    const key = change.type === "state" || change.type === "stage" ? `${change.type} ${change.property}` : null;
    const later = key === null ? undefined : kept.get(key);
    kept.set(key ?? change.cursor, later === undefined ? change : { ...later, previous: change.previous ?? null });
  }
  return [...kept.values()];
}

/** Characters of a value. */
const MOST_VALUE = 120;

const spaced = (name: string): string => name.replaceAll(/[._]+/g, " ");

function wordsOf(change: Change, causes: ReadonlyMap<string, Change>, names: Names): string {
  const { type, property = "", value = null, previous = null, caused_by } = change;
  const shown = (one: unknown): string => {
    if (typeof one === "string") return clip(names.get(one)?.name ?? one, MOST_VALUE);
    return clip(labelOf(one) ?? JSON.stringify(one), MOST_VALUE);
  };
  const cause = caused_by === undefined ? undefined : causes.get(caused_by);
  const after = cause?.property ? ` after ${spaced(typeOf(cause.property))}` : "";
  switch (type) {
    case "person.created":
    case "company.created":
      return "new";
    case "erased":
      return "erased";
    case "stage":
      return previous === null
        ? `stage now ${shown(value)}${after}`
        : `stage ${shown(previous)} → ${shown(value)}${after}`;
    case "state":
      return stateWords(spaced(property), value, previous, shown);
    case "fact":
      return value === null ? "a fact of the GTM profile ended" : `GTM profile: ${shown(value)}`;
    case "note":
      return `note${labelOf(value) ? `: ${shown(value)}` : ""}`;
    case "task":
      return "a task was added or changed";
    case "merge":
    case "unmerge": {
      const other = (value as { other_id?: string } | null)?.other_id;
      const name = other ? names.get(other)?.name : undefined;
      return type === "merge"
        ? `merged with ${name ?? "another record"}`
        : `separated from ${name ?? "another record"}`;
    }
    case "activity":
      return `${spaced(typeOf(property))}${labelOf(value) ? `: ${shown(value)}` : ""}`;
  }
}

function stateWords(property: string, value: unknown, previous: unknown, shown: (one: unknown) => string): string {
  if (value === null) return `${property} no longer ${previous === null ? "known" : shown(previous)}`;
  if (previous === null || previous === undefined) return `${property} now ${shown(value)}`;
  return `${property} ${shown(previous)} → ${shown(value)}`;
}
