import { type Stage, stages } from "#components/records/stages.ts";
import { numeral } from "#components/ui/numbers.ts";
import type { StageTable } from "#lib/domain/crm/stages/contract.ts";
import type { ActivityType } from "#lib/domain/records/evidence/contract.ts";

export type RuleStage = Exclude<Stage, "identified">;

/** A separate rule for one custom event. */
export type EventRow = { key: string; event: string; stage: RuleStage };

/** The rules being edited: a line for every type of activity, and the custom events with their own rule. */
export type StageDraft = {
  byType: Readonly<Partial<Record<ActivityType, RuleStage>>>;
  events: readonly EventRow[];
  /** as typed */
  maxAge: string;
};

/** Every type of activity, in the order of the table; `custom` is last, next to the events. */
const order: Readonly<Record<ActivityType, number>> = {
  website_visit: 0,
  email_opened: 1,
  email_sent: 2,
  email_received: 3,
  email_bounced: 4,
  linkedin_message: 5,
  call: 6,
  meeting_scheduled: 7,
  meeting_held: 8,
  meeting_cancelled: 9,
  note: 10,
  custom: 11,
};
export const activityTypes = (Object.keys(order) as ActivityType[]).toSorted((a, b) => order[a] - order[b]);

export const ruleStages = stages.filter((stage): stage is RuleStage => stage !== "identified");

const LONGEST_DAYS = 36_500;
const MOST_RULES = 100;

export function draftOf({ rules, max_age_days }: StageTable): StageDraft {
  return {
    byType: Object.fromEntries(
      rules.filter(({ event }) => event === undefined).map(({ type, stage }) => [type, stage]),
    ),
    events: rules.flatMap(({ event, stage }) => (event === undefined ? [] : [{ key: event, event, stage }])),
    maxAge: String(max_age_days),
  };
}

/** The rules as they are sent; the server may refuse them while there are problems. */
export function tableOf({ byType, events, maxAge }: StageDraft): StageTable {
  return {
    rules: [
      ...activityTypes.flatMap((type) => (byType[type] ? [{ type, stage: byType[type] }] : [])),
      ...events.map(({ event, stage }) => ({ type: "custom" as const, event: event.trim(), stage })),
    ],
    max_age_days: Number(maxAge),
  };
}

/** Whether two tables have the same rules, in any order. */
export function isSameTable(a: StageTable, b: StageTable): boolean {
  const textOfTable = ({ rules, max_age_days }: StageTable) =>
    JSON.stringify([
      max_age_days,
      rules.map(({ type, event, stage }) => [type, event ?? null, stage].join(" ")).sort(),
    ]);
  return textOfTable(a) === textOfTable(b);
}

export type DraftProblems = {
  /** By the key of the event's row. */
  events: Readonly<Record<string, string>>;
  maxAge?: string;
  rules?: string;
};

/** What must be corrected before the rules can be previewed or saved; null when nothing. */
export function problemsIn(draft: StageDraft): DraftProblems | null {
  const events: Record<string, string> = {};
  const seen = new Set<string>();
  for (const { key, event } of draft.events) {
    const name = event.trim();
    if (name === "") events[key] = "Enter the name of the event.";
    else if (seen.has(name)) events[key] = "This event has a rule already.";
    seen.add(name);
  }
  const days = Number(draft.maxAge);
  const isDays = draft.maxAge.trim() !== "" && Number.isInteger(days) && days >= 1 && days <= LONGEST_DAYS;
  const tooMany = tableOf(draft).rules.length > MOST_RULES;
  if (isDays && !tooMany && Object.keys(events).length === 0) return null;
  return {
    events,
    ...(isDays ? {} : { maxAge: `Enter whole days, 1 to ${numeral(LONGEST_DAYS)}.` }),
    ...(tooMany ? { rules: `There can be ${MOST_RULES} rules at most. Remove some.` } : {}),
  };
}
