import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { pageSize } from "#lib/core/page-input.ts";
import { Id, Since, Timestamp } from "#lib/core/schema.ts";

export const changeTypes = [
  "person.created",
  "company.created",
  "activity",
  "state",
  "note",
  "fact",
  "stage",
  "merge",
  "unmerge",
  "erased",
  "task",
] as const;
export type ChangeType = (typeof changeTypes)[number];

/** The longest time a caller can wait, in seconds. */
export const LONGEST_WAIT = 60;

/** Words in the place of a cursor. */
export const NOW = "now";
export const AGAIN = "again";

export const Change = z.strictObject({
  cursor: z.string().describe("The place of this change; send it as `cursor` to continue behind it."),
  type: z.enum(changeTypes),
  at: Timestamp.describe(
    "When it was recorded. Changes are in the order in which they became visible, which can differ slightly.",
  ),
  id: Id.optional().describe(
    "The observation, the merge or the task. `caused_by` of another change can refer to it. Absent where evidence was retired, such as by undoing an import: then `value` is what counts since.",
  ),
  entity_id: Id.describe(
    "The record it is about; after a merge the one that was kept. `person.created`, `company.created` and `erased` have their own record.",
  ),
  entity_name: z.string().nullable().describe("The present name of the record; null when it was erased."),
  property: z.string().optional(),
  value: z.json().optional().describe("What was recorded. For `merge` and `unmerge`: `{merge_id, other_id}`."),
  previous: z.json().optional().describe("The value that was recorded for the same property before, if there was one."),
  source: z.string(),
  actor: z.string().describe("Who recorded it, such as `api_key:<id>` or `user:<id>`."),
  caused_by: Id.optional().describe("The observation that caused it, such as the activity that moved a stage."),
});
export type Change = z.output<typeof Change>;

export const ChangesPage = z.strictObject({
  changes: z.array(Change),
  next_cursor: z.string().describe("Where the next page begins; always present."),
  has_more: z.boolean(),
});
export type ChangesPage = z.output<typeof ChangesPage>;

const types = z.array(z.enum(changeTypes)).min(1).max(changeTypes.length).optional().describe("Only these types.");
const focus = z
  .string()
  .min(1)
  .max(2_048)
  .optional()
  .describe("Only changes of one record: entity id, e-mail, LinkedIn URL or domain; `workspace` for the GTM profile.");

const ANNA = "0190a6e0-0000-7000-8000-000000000010";
const KEY = "api_key:0190a6e0-0000-7000-8000-000000000002";

export const listChanges = defineOperation({
  name: "listChanges",
  tag: "Changes",
  summary: "Read everything that changed, in one order, nothing missed and nothing twice",
  description:
    "Store `next_cursor` and send it next time. A page can have few changes or none while `has_more` is true. `wait` answers as soon as there is a change. `Accept: text/event-stream` streams them as events `change` and `position`; to reconnect, send `Last-Event-ID`.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/changes" },
  input: z.strictObject({
    cursor: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe(
        "Where to continue. Without it the feed begins with the oldest change; `now` begins at the end. With `since_last`, `again` begins where the last answer began.",
      ),
    since: Since.optional().describe(
      "Begin with what was recorded at this time or later: days such as `1d`, `yesterday` (in UTC), a date, or an ISO 8601 time. With a cursor it says nothing.",
    ),
    types,
    focus,
    limit: pageSize(100, 1_000),
    wait: z
      .int()
      .min(0)
      .overwrite((seconds) => Math.min(seconds, LONGEST_WAIT))
      .optional()
      .describe(`Seconds to wait for a change when there is none; more than ${LONGEST_WAIT} count as ${LONGEST_WAIT}.`),
    since_last: z
      .boolean()
      .optional()
      .describe(
        "Continue after the last answer to this API key and `x-service-client`; the call confirms that answer. After a crash, send `cursor=again` once.",
      ),
  }),
  output: ChangesPage,
  errors: ["invalid_focus", "entity_not_found", "changes_not_available"],
  codes: { fields: { focus: "invalid_focus" } },
  example: {
    input: { types: ["stage", "activity"] },
    output: {
      changes: [
        {
          cursor: "5MvQmJm0v3JZ7lKk1u3cVg",
          type: "activity",
          at: "2026-06-03T09:00:00.000Z",
          id: "0190a6e0-0000-7000-8000-00000000000b",
          entity_id: ANNA,
          entity_name: "Anna Smith",
          property: "interaction.email_received",
          value: { description: "Asks for pricing" },
          source: "api",
          actor: KEY,
        },
        {
          cursor: "o5e1cQ0YJq2b8nA0gF4h0A",
          type: "stage",
          at: "2026-06-03T09:00:00.000Z",
          id: "0190a6e0-0000-7000-8000-00000000000c",
          entity_id: ANNA,
          entity_name: "Anna Smith",
          property: "pipeline_stage",
          value: "interested",
          previous: "aware",
          source: "api",
          actor: KEY,
          caused_by: "0190a6e0-0000-7000-8000-00000000000b",
        },
      ],
      next_cursor: "o5e1cQ0YJq2b8nA0gF4h0A",
      has_more: false,
    },
  },
});

/** The most changes that one answer is made of. */
export const MOST_SUMMARISED = 5_000;

export const summariseChanges = defineOperation({
  name: "summariseChanges",
  tag: "Changes",
  summary: "Read what changed since a time, by record and in words",
  description: `At most ${MOST_SUMMARISED.toLocaleString("en")} changes are read, the earliest first; \`next_cursor\` continues behind them. Records are in the order of their latest change, the newest first.`,
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/changes/summary" },
  input: z.strictObject({
    since: Since.prefault("1d").describe("Days such as `1d`, yesterday (in UTC), a date, or an ISO 8601 time."),
    focus,
    types,
    cursor: z.string().min(1).max(500).optional().describe("`next_cursor` of the answer before."),
    limit: pageSize(50, 200),
  }),
  output: z.strictObject({
    records: z.array(
      z.strictObject({
        entity_id: Id,
        name: z.string(),
        company: z.string().nullable().describe("Where a person works."),
        latest_at: Timestamp,
        changes: z.array(z.string()).describe("What changed, in words, the latest first; at most 12."),
        more: z.int().describe("How many changes of this record are not among them."),
      }),
    ),
    changed: z.int().describe("How many records changed; `records` has the latest `limit` of them."),
    has_more: z.boolean().describe("There are later changes behind `next_cursor`."),
    next_cursor: z.string(),
  }),
  errors: ["invalid_focus", "entity_not_found", "changes_not_available"],
  codes: { fields: { focus: "invalid_focus" } },
  tool: {
    name: "what_changed",
    description:
      "What is new since yesterday or any time, by person and company: stages, facts, activities, notes, tasks.",
    parameters: ["since", "focus", "cursor"],
  },
  example: {
    input: { since: "1d" },
    output: {
      records: [
        {
          entity_id: ANNA,
          name: "Anna Smith",
          company: "Acme",
          latest_at: "2026-06-03T09:00:00.000Z",
          changes: ["stage interested → evaluating after a meeting held", "job title now VP Sales"],
          more: 0,
        },
      ],
      changed: 1,
      has_more: false,
      next_cursor: "o5e1cQ0YJq2b8nA0gF4h0A",
    },
  },
});
