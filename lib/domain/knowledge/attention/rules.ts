import { clip } from "#lib/text/clip.ts";
import { digestOf } from "#lib/text/digest.ts";
import { daysAgo, relativeTime } from "#lib/text/relative-time.ts";
import { DAY_MS, formatMinute, HOUR_MS } from "#lib/text/time.ts";
import type { AttentionItem } from "./contract.ts";

/** Thresholds, in days. */
export const HORIZON = { meeting: 7, darkAfter: 14, darkUntil: 180, decayedAfter: 90 } as const;

/** Stages at which silence is a loss, the closest to the deal first. */
export const engaged = ["evaluating", "interested"] as const;
export type EngagedStage = (typeof engaged)[number];

/** Properties an agent would repeat to the prospect, and that change over time: an employer, a role, a need. */
export const untold = [
  "source",
  "works_at",
  "pipeline_stage",
  "icp_score",
  "first_name",
  "last_name",
  "owner",
] as const;

type Who = { entityId: string; name: string };
export type Dark = Who & { stage: EngagedStage; lastActivityAt: Date };
export type Meeting = Who & { at: Date; label: string | null };
export type Value = NonNullable<AttentionItem["values"]>[number];
export type Dispute = Who & {
  property: string;
  value: Value;
  others: readonly { value: Value; at: Date }[];
  /** of the companies that `works_at` names by id */
  names?: ReadonlyMap<string, string>;
};
export type Decay = Who & { stage: EngagedStage; property: string; value: unknown; lastObservedAt: Date };

const days = (from: Date, to: Date): number => Math.floor((to.getTime() - from.getTime()) / DAY_MS);
const words = (name: string): string => name.replaceAll(/[_.]/g, " ");

const untilWords = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** The time until then, rounded as everywhere else: "in 3 days" beside "in 3d". */
const inWords = (ms: number): string => (ms < HOUR_MS ? "within the hour" : relativeTime(ms, 0, untilWords));

/** A value as part of a sentence. */
function shortText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return clip(text, 60);
}

/**
 * An item with its urgency: higher comes first. The kinds overlap, so that the worst of each is seen early. The company is
 * added to those that are shown.
 */
export type RankedItem = { urgency: number; item: Omit<AttentionItem, "company"> };

/** Of an item: the same as long as it is about the same. Short, and says nothing about the person. */
const idOf = (...about: readonly unknown[]): string => digestOf(about).slice(0, 22);

/** The closer a meeting is, the more urgent: 100 now, 86 in a week. */
export function meetingItem({ entityId, name, at, label }: Meeting, now: Date): RankedItem {
  const ms = Math.max(0, at.getTime() - now.getTime());
  const until = Math.round(ms / DAY_MS);
  return {
    urgency: 100 - (ms / DAY_MS) * 2,
    item: {
      id: idOf("upcoming_meeting", entityId, at.toISOString()),
      kind: "upcoming_meeting",
      entity_id: entityId,
      entity_name: name,
      what: `Meeting ${inWords(ms)}, at ${formatMinute(at)}${label ? `: ${shortText(label)}` : ""}.`,
      suggested_action: "Prepare: POST /v2/context with intent meeting_prep.",
      age_days: until === 0 ? 0 : -until,
    },
  };
}

/** The newer a disagreement is, the more urgent: 90 today, falling by one every two days. */
export function conflictItem({ entityId, name, property, value, others, names }: Dispute, now: Date): RankedItem {
  const latest = others.reduce((max, { at }) => (at > max ? at : max), new Date(0));
  const age = Math.max(0, days(latest, now));
  const shown = [value, ...others.slice(0, 3).map((other) => other.value)];
  const nameIn = (each: Value) => names?.get(String(each));
  const named = names && shown.flatMap((each) => (nameIn(each) ? [[String(each), nameIn(each) as string]] : []));
  const [present, ...rivals] = shown.map((each) => `“${shortText(nameIn(each) ?? each)}”`);
  return {
    urgency: Math.max(40, 90 - age / 2),
    item: {
      id: idOf(
        "conflict",
        entityId,
        property,
        value,
        others.map((other) => other.value),
      ),
      kind: "conflict",
      entity_id: entityId,
      entity_name: name,
      property,
      values: shown,
      ...(named && named.length > 0 ? { names: Object.fromEntries(named) } : {}),
      what: `Sources disagree about ${property === "works_at" ? "the employer" : words(property)}: ${present} against ${rivals.join(", ")}.`,
      suggested_action: `Find out which is right: POST /v2/verify shows the evidence for ${property}. Record the right value, or confirm the present one with confirm true.`,
      age_days: age,
    },
  };
}

/** Silence is more urgent the closer the deal and the fresher the loss: evaluating from 85, interested from 70. */
export function darkItem({ entityId, name, stage, lastActivityAt }: Dark, now: Date): RankedItem {
  const age = days(lastActivityAt, now);
  return {
    urgency:
      (stage === "evaluating" ? 85 : 70) - ((age - HORIZON.darkAfter) / (HORIZON.darkUntil - HORIZON.darkAfter)) * 30,
    item: {
      id: idOf("going_dark", entityId, lastActivityAt.toISOString()),
      kind: "going_dark",
      entity_id: entityId,
      entity_name: name,
      what: `${stage === "evaluating" ? "Evaluating" : "Interested"}, and silent for ${age} days.`,
      suggested_action: "Follow up: POST /v2/context with intent follow_up.",
      age_days: age,
    },
  };
}

/** Unconfirmed claims are more urgent the closer the deal; age adds a little. */
export function decayItem({ entityId, name, stage, property, value, lastObservedAt }: Decay, now: Date): RankedItem {
  const age = days(lastObservedAt, now);
  return {
    urgency: (stage === "evaluating" ? 60 : 45) + Math.min(10, age / 36),
    item: {
      id: idOf("decayed_fact", entityId, property, lastObservedAt.toISOString()),
      kind: "decayed_fact",
      entity_id: entityId,
      entity_name: name,
      property,
      what: `${words(property)} “${shortText(value)}” was last confirmed ${age} days ago.`,
      suggested_action: `Check ${property} before you rely on it. Record what you find, or confirm it: POST /v2/verify with confirm true.`,
      age_days: age,
    },
  };
}

export type Due = Who & { id: string; title: string; dueAt: Date };

/** A task of today is as urgent as a meeting in a week, one that is late a little more at first, and less as weeks go by. */
export function taskItem({ id, entityId, name, title, dueAt }: Due, now: Date): RankedItem {
  const late = Math.max(0, days(midnight(dueAt), midnight(now)));
  const since = daysAgo(late);
  return {
    urgency: late === 0 ? 86 : Math.max(50, 92 - late / 2),
    item: {
      id: idOf("task_due", id, dueAt.toISOString()),
      kind: "task_due",
      entity_id: entityId,
      entity_name: name,
      what: `Task due ${since}: “${shortText(title)}”.`,
      suggested_action: `Do it, then mark it as done: PATCH /v2/tasks/:id with id ${id} and done true.`,
      age_days: late,
    },
  };
}

const midnight = (at: Date): Date => new Date(at.toISOString().slice(0, 10));

/**
 * The most urgent first; one item of a kind for each person or company, and each task. People with a meeting ahead do not count as
 * silent. `hidden`: ids of those that are left out.
 */
export function mostUrgent(
  ranked: readonly RankedItem[],
  limit: number,
  hidden: ReadonlySet<string> = new Set(),
): RankedItem["item"][] {
  const seen = new Set<string>();
  const met = new Set(ranked.flatMap(({ item }) => (item.kind === "upcoming_meeting" ? [item.entity_id] : [])));
  return ranked
    .toSorted((a, b) => b.urgency - a.urgency || (a.item.entity_id < b.item.entity_id ? -1 : 1))
    .map(({ item }) => item)
    .filter(({ id, kind, entity_id }) => {
      if (hidden.has(id)) return false;
      if (kind === "going_dark" && met.has(entity_id)) return false;
      const key = kind === "task_due" ? id : `${kind} ${entity_id}`;
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, limit);
}
