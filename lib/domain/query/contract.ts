import { z } from "zod";
import { defineOperation, pageSize } from "#lib/core/operation.ts";
import { Id, Time, Timestamp } from "#lib/core/schema.ts";

const MAX_DAYS = 36_500;

const conditions = {
  kind: z.enum(["event", "state"]).optional(),
  property: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Properties that begin with this, such as `interaction.` or `job_title`."),
  source: z.string().min(1).max(128).optional().describe("Exactly this source."),
  since_days: z.int().min(1).max(MAX_DAYS).optional().describe("Observed in the last so many days."),
  from: Time.optional().describe("Observed at this time or later."),
  to: Time.optional().describe("Observed before this time."),
};

const Rollup = z.record(z.string(), z.int()).describe("Number of matched observations, the most frequent 50.");

const Item = z.strictObject({
  id: Id,
  entity_id: Id,
  entity_name: z.string(),
  kind: z.enum(["event", "state"]),
  property: z.string(),
  value: z.json(),
  source: z.string(),
  observed_at: Timestamp,
  recorded_at: Timestamp,
});

const EntityItem = z.strictObject({
  entity_id: Id,
  type: z.enum(["person", "company", "workspace"]),
  name: z.string(),
  observations: z.int().describe("How many of its observations matched."),
  last_observed_at: Timestamp,
});

export const queryObservations = defineOperation({
  name: "queryObservations",
  tag: "Query",
  summary: "Ask what was observed across the workspace",
  description: `Looks at the 20,000 observations learned last (of the workspace, or of \`entity_id\`), keeps those in \`scope\`, and counts them. \`sampled\` is true when there are older ones that were not looked at: then every number is of the part examined. \`question\` is no language model: it keeps observations whose value holds every word of it but stop words, as a part of any word, letter case aside.`,
  surface: "public",
  scope: "read",
  http: { method: "POST", path: "/v2/query" },
  input: z.strictObject({
    scope: z
      .strictObject({
        ...conditions,
        entity_id: Id.optional().describe("Only this person, company or the workspace."),
        limit: pageSize(50, 200),
      })
      .prefault({}),
    without: z
      .strictObject(conditions)
      .refine((without) => Object.values(without).some((value) => value !== undefined), {
        error: "must hold at least one condition",
      })
      .optional()
      .describe("Leaves out everyone who has an observation like this, such as who was written to and never answered."),
    return: z.enum(["observations", "entities"]).default("observations"),
    question: z.string().trim().min(1).max(500).optional().describe("Words that the value must hold."),
  }),
  output: z.strictObject({
    matched: z.int().describe("Observations that match, or entities when those are returned."),
    returned: z.int(),
    sampled: z.boolean(),
    return: z.enum(["observations", "entities"]),
    items: z.union([z.array(Item), z.array(EntityItem)]).describe("The latest learned first."),
    rollups: z.strictObject({
      by_type: Rollup.describe("By property."),
      by_source: Rollup,
      by_value: Rollup.optional().describe("By value, when the matches are of one property with plain short values."),
    }),
    meta: z.strictObject({
      examined: z.int().describe("Observations looked at."),
      terms: z.array(z.string()).describe("The words of the question that were looked for."),
    }),
  }),
  errors: ["entity_not_found"],
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
      return: "entities",
      items: [
        {
          entity_id: "0190a6e0-0000-7000-8000-000000000001",
          type: "person",
          name: "Anna Smith",
          observations: 2,
          last_observed_at: "2026-06-03T09:00:00.000Z",
        },
      ],
      rollups: { by_type: { "interaction.email_sent": 2 }, by_source: { api: 2 } },
      meta: { examined: 311, terms: [] },
    },
  },
});
