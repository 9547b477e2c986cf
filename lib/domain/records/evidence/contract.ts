import { z } from "zod";
import { Id } from "#lib/core/schema.ts";
import { own } from "#lib/text/own.ts";
import { parseTime } from "#lib/text/time.ts";
import { methods } from "./rules/derivation.ts";

/** What is believed of one property after a write. */
export const CurrentBelief = z
  .strictObject({
    property: z.string(),
    value: z.json().describe("What is believed now; null when nothing is."),
    changed: z.boolean().describe("True when this write changed what is believed."),
    conflict: z
      .strictObject({
        value: z.json(),
        source: z.string(),
        method: z.enum(methods),
        confidence: z.number().describe("0 to 1."),
      })
      .optional()
      .describe("Only when another value won: what is believed instead of the one you gave, and how it is known."),
    approval_id: Id.optional().describe("Yours waits until a person approves it."),
  })
  .meta({ id: "Believed", description: "What is believed of one property after a write." });
export type CurrentBelief = z.output<typeof CurrentBelief>;

/** What happened with claims in one write. */
export const claimsWritten = {
  claims_recomputed: z.array(z.string()).describe("Properties whose claim was derived again."),
  claims: z
    .array(CurrentBelief)
    .describe("For each state you sent: what is believed now, and what won if yours did not."),
};

/** What can happen with a contact. */
export const activityTypes = [
  "email_sent",
  "email_received",
  "email_opened",
  "email_bounced",
  "call",
  "meeting_scheduled",
  "meeting_held",
  "website_visit",
  "linkedin_message",
  "note",
  "custom",
] as const;

/** The types a timeline may hold: cancellations come only from a booking provider. */
export const timelineTypes = [...activityTypes, "meeting_cancelled"] as const;
export type ActivityType = (typeof timelineTypes)[number];

const PREFIX = "interaction.";

/** What agents and other tools call activities. */
export const activityAliases: Readonly<Record<string, ActivityType>> = {
  email_reply: "email_received",
  email_replied: "email_received",
  reply_received: "email_received",
  email_open: "email_opened",
  email_bounce: "email_bounced",
  call_held: "call",
  call_made: "call",
  phone_call: "call",
  linkedin_message_received: "linkedin_message",
  linkedin_reply: "linkedin_message",
  meeting_booked: "meeting_scheduled",
  demo_booked: "meeting_scheduled",
  demo_scheduled: "meeting_scheduled",
  meeting_completed: "meeting_held",
  meeting_attended: "meeting_held",
  demo_held: "meeting_held",
  page_view: "website_visit",
  page_visited: "website_visit",
  website_visited: "website_visit",
};

/** The property under which an activity is recorded. */
export const propertyOfActivity = (type: ActivityType): string => PREFIX + type;

/** Where the value of a meeting says when it begins. */
const STARTS = ["start", "scheduled_for", "start_time", "starts_at"] as const;

/** When a scheduled meeting begins, by its value or the metadata in it; null for any other event, and where it does not say. */
export function meetingStart(property: string, value: unknown): Date | null {
  if (property !== propertyOfActivity("meeting_scheduled") || typeof value !== "object" || value === null) return null;
  const { metadata } = value as { metadata?: unknown };
  for (const part of [value, metadata].filter(
    (one): one is Record<string, unknown> => typeof one === "object" && !!one,
  ))
    for (const name of STARTS) {
      const start = part[name];
      const time = typeof start === "string" ? parseTime(start) : null;
      if (time) return time;
    }
  return null;
}

/** Events that are our own side writing something down: they are no activity of the contact. */
export const ownEvents: readonly string[] = ["note.saved", `${PREFIX}note`];

/** The type of activity a property stands for; null for any other event. */
export const activityOf = (property: string): ActivityType | null =>
  property.startsWith(PREFIX) ? typeNamed(property.slice(PREFIX.length)) : null;

const typeNamed = (name: string): ActivityType | null => timelineTypes.find((type) => type === name) ?? null;

/** The type of activity a caller means: by its name or an alias, with or without the prefix; null for any other event. */
export function activityMeant(property: string): ActivityType | null {
  const name = property.startsWith(PREFIX) ? property.slice(PREFIX.length) : property;
  return typeNamed(name) ?? own(activityAliases, name) ?? null;
}
