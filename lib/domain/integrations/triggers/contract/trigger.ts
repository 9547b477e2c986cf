import { z } from "zod";
import { ofOne } from "#lib/core/of-one.ts";
import { describedAs, Id, Timestamp } from "#lib/core/schema.ts";
import { CompanyFilters, PeopleFilters } from "#lib/domain/crm/people/contract.ts";

export const tag = "Triggers";

export const MOST_EVENTS = 50;
export const MOST_URL = 2000;

const texts = (most: number) => z.array(z.string().trim().min(1).max(200)).min(1).max(most);

const ownConditions = {
  stage: texts(5).optional().describe("Only when the person is in one of these stages (after the event)."),
  property: z
    .record(z.string().min(1).max(100), z.union([z.string().max(200), z.number(), z.boolean(), texts(50)]))
    .optional()
    .describe("Only when the record's properties have these values: one value, or a list of which one must match."),
  source: texts(50).optional().describe("Only what one of these sources reported, such as `api` or `cal_com`."),
  list: z.array(Id).min(1).max(50).optional().describe("Only events about people in one of these lead lists."),
  plan: texts(50).optional().describe("Only when the record's property `plan` has one of these values."),
};

const OF_PEOPLE =
  'Only events about people that `GET /v2/people` then has with these filters, such as `{"company": {"industry": "fintech"}}`.';
const OF_COMPANIES =
  "Only events about companies that `GET /v2/companies` then has with these filters. With `people` too, events about either.";

const conditions = z.strictObject({
  ...ownConditions,
  people: z.record(z.string(), z.json()).optional().describe(OF_PEOPLE),
  companies: z.record(z.string(), z.json()).optional().describe(OF_COMPANIES),
});

export const Filters = z
  .strictObject({
    ...ownConditions,
    people: describedAs(PeopleFilters, z.json()).optional().describe(OF_PEOPLE),
    companies: describedAs(CompanyFilters, z.json()).optional().describe(OF_COMPANIES),
  })
  .refine((filters) => Object.keys(filters.property ?? {}).length <= 10, { error: "at most 10 properties" })
  .meta({ id: "TriggerFiltersInput", description: "Conditions that all must hold. An empty object has none." });
export type Filters = z.output<typeof Filters>;

export const TriggerStatus = z.enum(["active", "paused", "disabled"]).meta({
  id: "TriggerStatus",
  description:
    "`active`: events are delivered. `paused`: a person stopped it. `disabled`: stopped after sustained failure or a 410. Events wait in both, and are delivered on resume.",
});
export type TriggerStatus = z.output<typeof TriggerStatus>;

const Hour = z.strictObject({
  hour: Timestamp.describe("When the hour began."),
  delivered: z.int().describe("Deliveries that were accepted."),
  failed: z.int().describe("Attempts that failed."),
});

export const Trigger = z
  .strictObject({
    id: Id,
    name: z.string().nullable(),
    url: z.string(),
    events: z.array(z.string()),
    filters: conditions.meta({ id: "TriggerFilters", description: "Conditions that all must hold; empty: none." }),
    status: TriggerStatus,
    message: z.string().nullable().describe("What is wrong and what to do; null when nothing is."),
    waiting: z.int().describe("Deliveries that wait for their turn or their next attempt, counted up to 1,000."),
    failing_since: Timestamp.nullable().describe("Since when no delivery was accepted; null while they are."),
    next_attempt_at: Timestamp.nullable().describe("When a delivery that failed is tried again."),
    secret_overlap_until: Timestamp.nullable().describe("Until when the secret before the last rotation signs too."),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Trigger", description: "A rule that is always active: these events go to this URL." });
export type Trigger = z.output<typeof Trigger>;

export const TriggerSummary = z
  .strictObject({
    ...Trigger.shape,
    health: z.array(Hour).describe("The last 24 hours in which anything was sent, oldest first."),
  })
  .meta({ id: "TriggerSummary" });
export type TriggerSummary = z.output<typeof TriggerSummary>;

export const exampleId = "0190a6e0-0000-7000-8000-000000000050";
export const exampleSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";

export const exampleTrigger: z.input<typeof Trigger> = {
  id: exampleId,
  name: "Slack alerts",
  url: "https://hooks.example.com/rapport",
  events: ["stage.advanced"],
  filters: {},
  status: "active",
  message: null,
  waiting: 0,
  failing_since: null,
  next_attempt_at: null,
  secret_overlap_until: null,
  created_at: "2026-06-03T09:00:00.000Z",
  updated_at: "2026-06-03T09:00:00.000Z",
};
export const idOfTrigger = Id.describe("The trigger.");
export const trigger404 = { fields: { id: "trigger_not_found" } } as const;
export const ofTrigger = <O extends z.ZodType>(output: O) =>
  ofOne({ id: idOfTrigger, output, missing: "trigger_not_found" });
