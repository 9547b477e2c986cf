import { z } from "zod";
import { defineOperation, LARGE_BODY_LIMIT } from "#lib/core/operation.ts";
import { BLANK, Id, Time } from "#lib/core/schema.ts";
import { claimsWritten } from "#lib/domain/records/evidence/contract.ts";

const MAX_PROPERTY = 200;

export const ObservationInput = z
  .strictObject({
    kind: z
      .enum(["event", "state"])
      .describe("`event`: it happened (timeline). `state`: it is so (belief); a later state replaces it."),
    property: z
      .string()
      .max(MAX_PROPERTY)
      .regex(/^[a-z][a-z0-9_]*(\.[a-z0-9_-]+)*$/i, "must be words of letters, digits and _ joined by dots")
      .describe("What it is about, such as `job_title`. `note.<uuid>` on the workspace is a fact of the GTM profile."),
    value: z.json().optional().describe("Any JSON; optional for an event. `null` ends a state."),
    source: z
      .string()
      .trim()
      .min(1)
      .max(128)
      .optional()
      .describe("Where it comes from. Default `api` (`mcp` over MCP, `manual` in the app)."),
    method: z
      .enum(["asserted", "observed", "inferred"])
      .optional()
      .describe(
        "How it is known. Default `observed`, for `note.<uuid>` `asserted`. Weaker evidence replaces an asserted value only 90 days after it was last confirmed.",
      ),
    observed_at: Time.optional().describe(
      "When it was true or happens; default now, for a meeting the `start` or `scheduled_for` of its value.",
    ),
    external_id: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe("Your id of this report. The same entity, source and external_id is recorded once."),
  })
  .describe("One observation.");
export type ObservationInput = z.output<typeof ObservationInput>;

export const recordObservations = defineOperation({
  name: "recordObservations",
  tag: "Observations",
  summary: "Record what was observed about a person, a company or the workspace",
  description:
    "Keeps each observation as evidence and derives claims from it, all or nothing. A new identifier creates its record. What was recorded before counts as a duplicate. An event named like an activity, or an alias such as `email_reply`, counts as one; a state named like a standard field is that field.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/observations", body: { limit: LARGE_BODY_LIMIT } },
  input: z.strictObject({
    focus: z.string().describe("Entity id, e-mail, LinkedIn URL or domain; `workspace` names the workspace itself."),
    observations: z.array(ObservationInput).min(1, { error: BLANK }).max(500).describe("1 to 500 observations."),
  }),
  output: z.strictObject({
    entity_id: Id,
    recorded: z.int().describe("How many were new."),
    duplicates: z.int().describe("How many were known already."),
    observation_ids: z.array(Id).describe("In the order given; a duplicate has the id of the first."),
    ...claimsWritten,
    warnings: z
      .array(z.strictObject({ index: z.int(), message: z.string() }))
      .optional()
      .describe("What may not be what you meant, or was left out."),
    stage_before: z.string().optional().describe("The person's stage before the first activity among them."),
    stage_after: z.string().optional().describe("The stage after the last."),
  }),
  errors: ["focus_and_observations_required", "invalid_focus", "invalid_observation", "entity_not_found"],
  codes: {
    missing: { focus: "focus_and_observations_required", observations: "focus_and_observations_required" },
    fields: { observations: "invalid_observation", focus: "invalid_focus" },
  },
  tool: {
    name: "record",
    description:
      "Report what you did or learned about a person or company, right after it. Events go on the timeline (interaction.email_sent, interaction.call, interaction.meeting_scheduled with value.start, …); states set pipeline_stage, the standard fields (job_title, industry, …) and any property. A new e-mail or domain creates the record.",
    parameters: ["focus", "observations"],
  },
  example: {
    input: {
      focus: "workspace",
      observations: [
        {
          kind: "state",
          property: "note.0190a6e0-0000-7000-8000-000000000001",
          value: { category: "ICP", content: "Series A fintechs in the EU, 20 to 200 people." },
        },
      ],
    },
    output: {
      entity_id: "0190a6e0-0000-7000-8000-00000000000a",
      recorded: 1,
      duplicates: 0,
      observation_ids: ["0190a6e0-0000-7000-8000-00000000000b"],
      claims_recomputed: ["note.0190a6e0-0000-7000-8000-000000000001"],
      claims: [
        {
          property: "note.0190a6e0-0000-7000-8000-000000000001",
          value: { category: "ICP", content: "Series A fintechs in the EU, 20 to 200 people." },
          changed: true,
        },
      ],
    },
  },
});
