import { activityMeant, propertyOfActivity } from "#lib/domain/records/evidence/contract.ts";
import { own } from "#lib/text/own.ts";
import { DAY_MS } from "#lib/text/time.ts";

/** Words that say nothing about what is asked for. */
const stopWords = new Set(
  "a about all an and any are as at be been by can did do does for from had has have how i in is it its me my no not of on or our she he so that the their them they this to us was we were what when where which who whom why will with you your".split(
    " ",
  ),
);

const MOST_TERMS = 10;

/** The words of a question that are looked for; all of them when each is a stop word. */
export function termsOf(question: string): string[] {
  const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
  const telling = words.filter((word) => !stopWords.has(word));
  return (telling.length > 0 ? telling : words).slice(0, MOST_TERMS);
}

export type Span = { since_days?: number | undefined; from?: Date | undefined; to?: Date | undefined };

/** The time from which (inclusive) and to which (exclusive) observations count; null: no bound. */
export function spanOf({ since_days, from, to }: Span, now: Date): { from: Date | null; to: Date | null } {
  const since = since_days === undefined ? null : new Date(now.getTime() - since_days * DAY_MS);
  const later = since && from ? (since > from ? since : from) : (since ?? from ?? null);
  return { from: later, to: to ?? null };
}

/** The code points after every property: an exclusive upper bound of a prefix. */
const LAST = "\u{10FFFF}";

/** The half-open range of properties that begin with `prefix`. */
export const prefixRange = (prefix: string | undefined): { low: string; high: string } => ({
  low: prefix ?? "",
  high: `${prefix ?? ""}${LAST}`,
});

const otherNames: Readonly<Record<string, string>> = { stage: "pipeline_stage", company: "works_at" };

/** The fit of a person or company. It is observed until the workspace has a scoring model, which computes it. */
export const SCORE = "icp_score";

/** What identifies a record, or follows from others: nothing is observed under its name. */
const notObserved = ["email", "domain", "linkedin_url", "people_count", "last_activity_at", "created_at", "updated_at"];

/** How to find records by a property that is not observed, or not always; null for any other. */
export function foundBy(name: string): string | null {
  const filter = name === SCORE ? "min_icp_score" : notObserved.includes(name) ? `property.${name}` : null;
  return filter && `Filter the list of people or companies: \`${filter}\`.`;
}

/** The property that a caller means: an activity may be called by its name alone, a stage is `pipeline_stage`. */
export function propertyMeant(name: string): string {
  const other = own(otherNames, name);
  if (other !== undefined) return other;
  const type = activityMeant(name);
  return type === null ? name : propertyOfActivity(type);
}
