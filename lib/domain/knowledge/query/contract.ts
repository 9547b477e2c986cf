import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { nextPage, pageSize } from "#lib/core/page-input.ts";
import { Cursor, Id, Time, Timestamp } from "#lib/core/schema.ts";

const MAX_DAYS = 36_500;

const conditions = {
  kind: z.enum(["event", "state"]).optional(),
  property: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "Properties that begin with this, such as `interaction.` or `job_title`. An activity also by its type alone, `stage`, and `company` for where people work.",
    ),
  source: z.string().min(1).max(128).optional().describe("Exactly this source."),
  since_days: z.int().min(1).max(MAX_DAYS).optional().describe("Observed in the last so many days."),
  from: Time.optional().describe("Observed at this time or later."),
  to: Time.optional().describe("Observed before this time."),
};

const Rollup = z.record(z.string(), z.int()).describe("Number of matched observations, the most frequent 50.");

const Item = z
  .strictObject({
    id: Id,
    entity_id: Id,
    entity_name: z.string(),
    kind: z.enum(["event", "state"]),
    type: z.string().describe("The activity type of an event; for anything else the property."),
    property: z.string(),
    value: z.json(),
    summary: z.string().nullable().describe("What it says, as one line; null when its value has no text."),
    source: z.string(),
    when: Timestamp.describe("When it was true or happened."),
    recorded_at: Timestamp,
    caused_by: Id.optional().describe("Of a stage change: the activity that caused it."),
  })
  .meta({ id: "QueriedObservation", description: "An observation that matches." });

const EntityItem = z
  .strictObject({
    entity_id: Id,
    entity_name: z.string(),
    type: z.enum(["person", "company", "workspace"]),
    matches: z.int().describe("How many of its observations matched."),
    most_recent_at: Timestamp,
    most_recent_value: z.json(),
    most_recent_summary: z.string().nullable(),
  })
  .meta({ id: "QueriedEntity", description: "A person, a company or the workspace with matching observations." });

export const queryObservations = defineOperation({
  name: "queryObservations",
  tag: "Query",
  summary: "Ask what was observed across the workspace",
  description:
    "Looks at the 20,000 observations learned last (of the workspace, or of `entity_id`), keeps those in `scope`, and counts them. When there are older ones, `sampled` is true and every number is of the part looked at.",
  surface: "public",
  scope: "read",
  http: { method: "POST", path: "/v2/query" },
  input: z.strictObject({
    scope: z
      .strictObject({
        ...conditions,
        entity_id: z
          .string()
          .min(1)
          .max(2_048)
          .optional()
          .describe("Only this record, by id, e-mail, domain or name. `workspace` is the workspace."),
        limit: pageSize(50, 200),
      })
      .prefault({})
      .describe("Which observations; all conditions hold."),
    without: z
      .strictObject(conditions)
      .refine((without) => Object.values(without).some((value) => value !== undefined), {
        error: "must hold at least one condition",
      })
      .optional()
      .describe("Leaves out everyone who has an observation like this, such as who was written to and never answered."),
    return: z
      .enum(["observations", "entities"])
      .default("observations")
      .describe("The observations themselves, or the records they are about."),
    question: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .optional()
      .describe(
        "Finds observations that have all of its words in any form (`price` finds `pricing`). It is no language model.",
      ),
    cursor: Cursor.optional(),
  }),
  output: z.strictObject({
    matched: z.int().describe("Observations that match, or entities when those are returned."),
    returned: z.int(),
    sampled: z.boolean(),
    ...nextPage,
    return: z.enum(["observations", "entities"]),
    items: z.union([z.array(Item), z.array(EntityItem)]).describe("The latest learned first."),
    rollups: z.strictObject({
      by_type: Rollup.describe("By activity type or property."),
      by_source: Rollup,
      by_value: Rollup.optional().describe(
        "By the value that is current, each entity once, when the matches are states of one property.",
      ),
    }),
    meta: z.strictObject({
      examined: z.int().describe("Observations looked at."),
      terms: z.array(z.string()).describe("The words of the question that were looked for."),
    }),
  }),
  errors: ["entity_not_found"],
  tool: {
    name: "query",
    description:
      "Count and list events and states across all records (search finds a record by name, search_notes a passage): who did what, who did not, how often.",
    parameters: ["scope", "without", "return", "question", "cursor"],
  },
  example: {
    input: {
      scope: { property: "interaction.email_sent", since_days: 30 },
      without: { property: "interaction.email_received" },
      return: "entities",
    },
    output: {
      matched: 1,
      returned: 1,
      sampled: false,
      has_more: false,
      next_cursor: null,
      return: "entities",
      items: [
        {
          entity_id: "0190a6e0-0000-7000-8000-000000000001",
          entity_name: "Anna Smith",
          type: "person",
          matches: 2,
          most_recent_at: "2026-06-03T09:00:00.000Z",
          most_recent_value: { description: "Intro" },
          most_recent_summary: "Intro",
        },
      ],
      rollups: { by_type: { email_sent: 2 }, by_source: { api: 2 } },
      meta: { examined: 311, terms: [] },
    },
  },
});
