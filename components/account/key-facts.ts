import { inSentence, wordsOf } from "#components/records/names.ts";
import { counted, numeral } from "#components/ui/numbers.ts";
import type { Account, Event } from "./calls.ts";
import { factOrder, isForMachines } from "./value-words.ts";

type Claims = Account["claims"];

/** The head of the page has these. */
const inHead = new Set(["first_name", "last_name", "name", "pipeline_stage", "icp_score", "owner", "source"]);

const SHOWN = 6;

/** The facts to read first: those in dispute, then the most useful. Ids are for machines. */
export const keyFacts = (claims: Claims): string[] =>
  Object.keys(claims)
    .filter((property) => !inHead.has(property) && !isForMachines(property))
    // The employer's name says more than that it is linked.
    .filter((property) => !(property === "company" && "works_at" in claims))
    .sort((a, b) => Number(isDisputed(claims[b])) - Number(isDisputed(claims[a])) || factOrder(a, b))
    .slice(0, SHOWN);

const isDisputed = (claim: Claims[string] | undefined): boolean => (claim?.conflicts?.length ?? 0) > 0;

/** How well the facts hold, as one sentence. */
export function factsInShort(claims: Claims): { words: string; disputed: boolean } {
  const all = Object.values(claims);
  const disputed = all.filter(isDisputed).map(({ property }) => property);
  if (disputed.length > 0) return { words: `Sources disagree about ${listed(disputed)}.`, disputed: true };
  if (all.length === 0) return { words: "No facts yet.", disputed: false };
  const old = all.filter(({ freshness }) => freshness === "suspect" || freshness === "expired");
  if (old.length === 0) return { words: `${counted(all.length, "fact")}, none older than 90 days.`, disputed: false };
  return {
    words: `${numeral(old.length)} of ${counted(all.length, "fact")} ${old.length === 1 ? "is" : "are"} older than 90 days: ${listed(old.map(({ property }) => property))}.`,
    disputed: false,
  };
}

/** "title, phone and 2 more" */
function listed(properties: readonly string[]): string {
  const [first = "", second, ...more] = properties.toSorted(factOrder).map((property) => inSentence(wordsOf(property)));
  if (second === undefined) return first;
  return more.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${numeral(more.length)} more`;
}

/** The latest activity and the next one. `events`: the latest first. A note is not an activity. */
export function lastAndNext<T extends Pick<Event, "observed_at" | "property">>(
  events: readonly T[],
  now: string,
): { last: T | undefined; next: T | undefined } {
  const activities = events.filter(({ property }) => property !== "note.saved");
  return {
    last: activities.find(({ observed_at }) => observed_at <= now),
    next: activities.findLast(({ observed_at }) => observed_at > now),
  };
}
