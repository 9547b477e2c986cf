import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { Stage } from "#lib/domain/crm/people/contract.ts";
import { timelineTypes } from "#lib/domain/records/evidence/contract.ts";

const tag = "Stages";

const TimelineType = z.enum(timelineTypes).meta({ id: "TimelineType" });

export const StageRule = z
  .strictObject({
    type: TimelineType.describe("The type of activity."),
    event: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe("For `custom` only: the `metadata.event` it is about. Without it, every custom activity."),
    stage: Stage.exclude(["identified"]).describe("The stage it brings a person to, unless they are further."),
  })
  .refine(({ type, event }) => event === undefined || type === "custom", {
    error: "only a custom activity has an event",
  });

const Rules = z
  .array(StageRule)
  .max(100)
  .refine((rules) => new Set(rules.map(({ type, event }) => `${type} ${event ?? ""}`)).size === rules.length, {
    error: "hold two rules for the same activity",
  })
  .describe("What is not among them moves nothing. Where several fit, the highest stage counts.");

const MaxAge = z
  .int()
  .min(1)
  .max(36_500)
  .describe("What happened longer ago than this many days when it was recorded moves nothing.");

export const StageTable = z.strictObject({ rules: Rules, max_age_days: MaxAge });
export type StageTable = z.output<typeof StageTable>;

export const StageSettings = z
  .strictObject({
    ...StageTable.shape,
    customised: z.boolean().describe("False while the workspace follows the standard rules."),
    updated_at: Timestamp.nullable(),
    standard: StageTable,
  })
  .meta({ id: "StageSettings", description: "The rules by which activity moves stages." });
export type StageSettings = z.output<typeof StageSettings>;

const exampleTable: z.input<typeof StageTable> = {
  rules: [
    { type: "website_visit", stage: "aware" },
    { type: "email_received", stage: "interested" },
    { type: "meeting_held", stage: "evaluating" },
    { type: "custom", event: "deal_won", stage: "client" },
  ],
  max_age_days: 90,
};
const exampleSettings = {
  ...exampleTable,
  customised: true,
  updated_at: "2026-06-03T09:00:00.000Z",
  standard: exampleTable,
};

export const getStageRules = defineOperation({
  name: "getStageRules",
  tag,
  summary: "Read which activity moves a person to which stage",
  description:
    "Signals only move a person forward on the ladder identified, aware, interested, evaluating, client. The rules can be changed in the app's settings.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/workspace/stage-rules" },
  input: z.strictObject({}),
  output: StageSettings,
  example: { input: {}, output: exampleSettings },
});

/** How many people a preview looks at, the most recently active first, and how many it names. */
export const MOST_EXAMINED = 20_000;
export const MOST_SHOWN = 50;

export const previewStageRules = defineOperation({
  name: "previewStageRules",
  tag,
  summary: "See who other stage rules would move",
  description:
    "Applies the given rules to past activities within their days, and changes nothing. No one moves back, and activities before a stage set by hand do not count. At most the 20,000 people active last are looked at.",
  surface: "public",
  scope: "read",
  http: { method: "POST", path: "/v2/workspace/stage-rules/preview" },
  input: StageTable,
  output: z.strictObject({
    would_move: z.int(),
    by_stage: z.array(z.strictObject({ stage: Stage, people: z.int() })).describe("How many would come to each stage."),
    moves: z
      .array(z.strictObject({ from: Stage, to: Stage, people: z.int() }))
      .describe("How many would move from which stage to which, of all who would move."),
    people: z
      .array(
        z.strictObject({
          entity_id: Id,
          name: z.string(),
          from: Stage,
          to: Stage,
          because: z.strictObject({ activity_id: Id, type: z.string(), occurred_at: Timestamp }),
        }),
      )
      .describe("The first 50, highest stage first."),
    examined: z.int(),
    sampled: z.boolean().describe("There are more people than were looked at."),
  }),
  example: {
    input: exampleTable,
    output: {
      would_move: 1,
      by_stage: [{ stage: "evaluating", people: 1 }],
      moves: [{ from: "aware", to: "evaluating", people: 1 }],
      people: [
        {
          entity_id: "0190a6e0-0000-7000-8000-000000000010",
          name: "Anna Smith",
          from: "aware",
          to: "evaluating",
          because: {
            activity_id: "0190a6e0-0000-7000-8000-00000000000b",
            type: "meeting_held",
            occurred_at: "2026-06-03T09:00:00.000Z",
          },
        },
      ],
      examined: 120,
      sampled: false,
    },
  },
});

/** How many people one request moves. */
export const MOST_MOVED = 1_000;

export const saveStageRules = defineOperation({
  name: "saveStageRules",
  tag,
  summary: "Change which activity moves a person to which stage",
  description:
    "Holds for every signal from now on. With `move_people`, the people in the preview move now, at most 1,000 in one request; repeat it while `remaining` is not 0.",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "POST", path: "/stage-rules" },
  input: z.strictObject({ ...StageTable.shape, move_people: z.boolean().default(false) }),
  output: z.strictObject({ ...StageSettings.shape, moved: z.int(), remaining: z.int() }),
  example: { input: { ...exampleTable } },
});

export const resetStageRules = defineOperation({
  name: "resetStageRules",
  tag,
  summary: "Go back to the standard stage rules",
  surface: "app",
  scope: "admin",
  role: "admin",
  http: { method: "POST", path: "/stage-rules/reset" },
  input: z.strictObject({}),
  output: StageSettings,
  example: { input: {} },
});
