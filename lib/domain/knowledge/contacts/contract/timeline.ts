import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPage, cursorPaging } from "#lib/core/page-input.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { Stage } from "#lib/domain/crm/people/contract.ts";
import { AccountFocus, Ambiguous, exampleEvidence, exampleId, tag } from "./focus.ts";

const StageChange = z
  .strictObject({
    id: Id.describe("The observation of the new stage."),
    from: Stage,
    to: Stage,
    caused_by: Id.describe("The activity that caused it: this one, as it was first recorded."),
  })
  .meta({ id: "StageChange", description: "What an activity did to the stage of its person." });

export const Activity = z
  .strictObject({
    id: Id,
    type: z
      .string()
      .describe("The activity type, such as `meeting_held`; the property for events that are no interaction."),
    property: z.string(),
    summary: z.string().nullable().describe("The label it was recorded with; null when it has none."),
    value: z.json(),
    source: z.string(),
    observed_at: Timestamp.describe("When it happened."),
    recorded_at: Timestamp.describe("When we learned it."),
    entity_id: Id.describe("Who it was with: on a company's timeline one of its people, or the company."),
    entity_name: z.string(),
    corrects: Id.optional().describe("Only of a correction: the activity as it was first recorded."),
    stage_change: StageChange.optional().describe("Only when it moved the person to another stage."),
  })
  .meta({ id: "Activity", description: "One event of a timeline." });

export const exampleActivity = {
  id: exampleEvidence,
  type: "meeting_held",
  property: "interaction.meeting_held",
  summary: "Meeting: Pilot review",
  value: { description: "Meeting: Pilot review" },
  source: "fathom",
  observed_at: "2026-06-03T09:00:00.000Z",
  recorded_at: "2026-06-03T09:40:00.000Z",
  entity_id: exampleId,
  entity_name: "Anna Smith",
};

export const getTimeline = defineOperation({
  name: "getTimeline",
  tag,
  summary: "Page the whole timeline of a person or company",
  description:
    "Events by the time they happened, the latest (or furthest in the future) first. A company's timeline holds its own events and those of its people, each with its contact. An event that moved a stage carries `stage_change`. `cursor` continues where a page ended and is stable while events are recorded.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/accounts/:focus/timeline" },
  input: z.strictObject({
    focus: AccountFocus,
    type: z.string().min(1).max(200).optional().describe("Only this activity type, such as `meeting_held`."),
    ...cursorPaging(50, 200),
  }),
  output: z.union([
    z.strictObject({
      entity_id: Id,
      events: z.array(Activity),
      ...cursorPage,
    }),
    Ambiguous,
  ]),
  errors: ["entity_not_found"],
  example: {
    input: { focus: "anna@acme.com" },
    output: {
      entity_id: exampleId,
      events: [
        {
          ...exampleActivity,
          stage_change: {
            id: "0190a6e0-0000-7000-8000-00000000000c",
            from: "interested",
            to: "evaluating",
            caused_by: exampleEvidence,
          },
        },
      ],
      limit: 50,
      has_more: false,
      next_cursor: null,
    },
  },
});
