import type { ActivityType } from "#lib/domain/records/evidence/contract.ts";
import { DAY_MS } from "#lib/text/time.ts";

export const stages = ["identified", "aware", "interested", "evaluating", "client"] as const;
/** The pipeline's ladder, lowest first. */
export type Stage = (typeof stages)[number];

/** True when `to` is further up the ladder than `from`. */
export const isHigher = (to: Stage, from: Stage): boolean => stages.indexOf(to) > stages.indexOf(from);

/** The stage that a claim's value means; the first stage when there is none. */
export const stageOf = (value: unknown): Stage => stages.find((stage) => stage === value) ?? "identified";

/** One line of the table: what happened, and the stage it brings a person to at least. */
export type StageRule = {
  type: ActivityType;
  /** for `custom` only: the `metadata.event` it is about; without it, every custom activity */
  event?: string | undefined;
  stage: Exclude<Stage, "identified">;
};

export type StageRules = {
  rules: readonly StageRule[];
  /** what happened longer ago than this when it was recorded moves nothing: history is not intent */
  max_age_days: number;
};

/** The table every workspace begins with. What is not in it moves nothing. */
export const standardRules: StageRules = {
  max_age_days: 90,
  rules: [
    { type: "website_visit", stage: "aware" },
    { type: "email_opened", stage: "aware" },
    { type: "email_received", stage: "interested" },
    { type: "linkedin_message", stage: "interested" },
    { type: "meeting_scheduled", stage: "evaluating" },
    { type: "meeting_held", stage: "evaluating" },
    { type: "custom", event: "deal_won", stage: "client" },
    { type: "custom", event: "proposal_signed", stage: "client" },
    { type: "custom", event: "payment_received", stage: "client" },
  ],
};

/** What a rule reads of an activity. */
type Signal = { type: string; event: string | null; occurredAt: Date; recordedAt: Date };

/** The stage after a signal. Signals only move forward; the highest rule that fits counts. */
export function stageAfter(table: StageRules, before: Stage, signal: Signal): Stage {
  if (signal.recordedAt.getTime() - signal.occurredAt.getTime() > table.max_age_days * DAY_MS) return before;
  return table.rules
    .filter(({ type, event }) => type === signal.type && (event === undefined || event === signal.event))
    .reduce<Stage>((stage, rule) => (isHigher(rule.stage, stage) ? rule.stage : stage), before);
}

/** The event a custom activity names, in `metadata.event` or at the top of its value. */
export function eventIn(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const { metadata, event } = value as { metadata?: unknown; event?: unknown };
  const named =
    typeof metadata === "object" && metadata !== null && "event" in metadata
      ? (metadata as { event: unknown }).event
      : event;
  return typeof named === "string" ? named : null;
}
