import { z } from "zod";
import { filtersOfOne } from "#lib/core/list-filters.ts";
import { ofOne } from "#lib/core/of-one.ts";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPaging, nextPage } from "#lib/core/page-input.ts";
import { Id, nonBlank, Timestamp } from "#lib/core/schema.ts";
import { CompanyFilters, PeopleFilters, Stage } from "#lib/domain/crm/people/contract.ts";

const tag = "Bulk actions";

/** The lists whose records can be changed at once. */
export const bulkLists = ["people", "companies"] as const;
export type BulkList = (typeof bulkLists)[number];

export const bulkVerbs = ["set_stage", "set_owner", "archive", "restore", "add_to_list"] as const;
export type BulkVerb = (typeof bulkVerbs)[number];

export const BulkState = z
  .enum(["queued", "running", "done", "cancelled", "failed", "undoing", "undone"])
  .describe(
    "`queued`: the records that the filters mean are still being read. `cancelled` and `failed`: what was done so far stays.",
  );
export type BulkState = z.output<typeof BulkState>;

const Filters = z.record(z.string().max(100), z.json());

export const BulkAction = z
  .strictObject({
    id: Id,
    what: z.enum(bulkLists),
    action: z.enum(bulkVerbs),
    pipeline_stage: Stage.nullable().describe("Of `set_stage`: the new stage."),
    owner: z.string().nullable().describe("Of `set_owner`: the member's e-mail address, or `none`."),
    list_id: Id.nullable().describe("Of `add_to_list`: the lead list."),
    filters: Filters,
    state: BulkState,
    total: z.int().nullable().describe("How many records the filters meant; null until they are read."),
    done: z.int().describe("Records so far: `changed`, `unchanged` and `skipped` together."),
    changed: z.int(),
    unchanged: z.int().describe("Needed no change."),
    skipped: z.int().describe("Merged with another of them, or erased, since the action began."),
    undo: z
      .strictObject({
        done: z.int().describe("Changed records that were looked at so far."),
        restored: z.int().describe("Put back."),
        kept: z.int().describe("Changed again by others since, and left as they are."),
      })
      .nullable(),
    message: z.string().nullable().describe("Why it failed."),
    created_by: z.string().describe("Who began it, such as `user:…` or `api_key:…`."),
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: "BulkAction", description: "The same change of every record that a list's filters mean." });
export type BulkAction = z.output<typeof BulkAction>;

const example: BulkAction = {
  id: "0190a6e0-0000-7000-8000-000000000071",
  what: "people",
  action: "set_stage",
  pipeline_stage: "evaluating",
  owner: null,
  list_id: null,
  filters: { pipeline_stage: "interested" },
  state: "done",
  total: 2_431,
  done: 2_431,
  changed: 2_400,
  unchanged: 31,
  skipped: 0,
  undo: null,
  message: null,
  created_by: "user:0190a6e0-0000-7000-8000-000000000052",
  created_at: "2026-06-03T09:00:00.000Z",
  finished_at: "2026-06-03T09:00:12.000Z",
};
const fresh: BulkAction = {
  ...example,
  state: "queued",
  total: null,
  done: 0,
  changed: 0,
  unchanged: 0,
  finished_at: null,
};

const answer = z.strictObject({ bulk_action: BulkAction });

export const createBulkAction = defineOperation({
  name: "createBulkAction",
  tag,
  summary: "Change every record that a list's filters mean",
  description:
    "A job changes those that match when it begins, in batches, each record once and as a single change would; ask for it until `state` is `done`. It can be cancelled, and undone for 90 days.",
  surface: "public",
  scope: "write",
  asksPerson: ({ action }) => action !== "add_to_list",
  http: { method: "POST", path: "/v2/bulk-actions", status: 201 },
  input: z.strictObject({
    what: z.enum(bulkLists).describe("The list."),
    filters: filtersOfOne("BulkActionFilters", [PeopleFilters, CompanyFilters]).describe(
      'The list\'s own filters. By their names and in JSON types, such as `{"pipeline_stage": "interested", "company": {"industry": "fintech"}}`, or `"company.industry"`. `{}` means every active record.',
    ),
    action: z.enum(bulkVerbs).describe("What is done. `set_stage` and `add_to_list` are for people."),
    pipeline_stage: Stage.optional().describe("For `set_stage`: the new stage."),
    owner: nonBlank()
      .trim()
      .max(320)
      .optional()
      .describe("For `set_owner`: a member by e-mail, id or full name, `me`, or `none`."),
    list_id: Id.nullable().optional().describe("For `add_to_list`: the lead list; needs the plan scale."),
    list: nonBlank()
      .trim()
      .max(200)
      .optional()
      .describe("Name or id; a new name makes a list. It is given instead of `list_id`."),
  }),
  output: answer,
  feature: { list_id: "lead_lists", list: "lead_lists" },
  tool: {
    name: "add_to_list",
    description: "Adds all people that find_people's filters find to a lead list, as a job.",
    parameters: ["list", "filters"],
    always: { what: "people", action: "add_to_list" },
  },
  errors: ["too_many_bulk_actions", "feature_not_in_plan", "lead_list_not_found"],
  codes: { fields: { list_id: "lead_list_not_found" } },
  example: {
    input: {
      what: "people",
      filters: { pipeline_stage: "interested" },
      action: "set_stage",
      pipeline_stage: "evaluating",
    },
    output: { bulk_action: fresh },
  },
});

export const listBulkActions = defineOperation({
  name: "listBulkActions",
  tag,
  summary: "List bulk actions, newest first",
  description: "Those of the last 90 days, of everyone in the workspace.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/bulk-actions" },
  input: z.strictObject(cursorPaging(20, 100)),
  output: z.strictObject({
    bulk_actions: z.array(BulkAction),
    ...nextPage,
  }),
  example: { input: {}, output: { bulk_actions: [example], has_more: false, next_cursor: null } },
});

const ofBulkAction = {
  id: Id.describe("Of the bulk action."),
  output: answer,
  missing: "bulk_action_not_found",
} as const;

export const getBulkAction = defineOperation({
  name: "getBulkAction",
  tag,
  summary: "Read how far a bulk action is",
  description: "Its state, and how many records were changed so far.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/bulk-actions/:id" },
  ...ofOne(ofBulkAction),
  example: { input: { id: example.id }, output: { bulk_action: example } },
});

export const cancelBulkAction = defineOperation({
  name: "cancelBulkAction",
  tag,
  summary: "Stop a bulk action that is not done",
  description: "What was changed so far stays, and can be undone. One that has ended stays as it is.",
  surface: "public",
  scope: "write",
  asksPerson: () => true,
  http: { method: "POST", path: "/v2/bulk-actions/:id/cancel" },
  ...ofOne(ofBulkAction),
  example: { input: { id: example.id }, output: { bulk_action: { ...fresh, state: "cancelled" } } },
});

export const undoBulkAction = defineOperation({
  name: "undoBulkAction",
  tag,
  summary: "Undo a bulk action",
  description:
    "A job puts back what the action changed, and leaves every record that anyone changed since. One that is running is stopped first.",
  surface: "public",
  scope: "write",
  asksPerson: () => true,
  http: { method: "POST", path: "/v2/bulk-actions/:id/undo" },
  ...ofOne({ ...ofBulkAction, also: ["bulk_action_not_possible"] }),
  example: {
    input: { id: example.id },
    output: {
      bulk_action: { ...example, state: "undoing", undo: { done: 0, restored: 0, kept: 0 }, finished_at: null },
    },
  },
});
