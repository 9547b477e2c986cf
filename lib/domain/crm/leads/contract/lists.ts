import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { offsetPage, offsetPaging } from "#lib/core/page-input.ts";
import { Own, shared } from "./fields.ts";
import { columns, exampleList, LeadList, listName, ofList, source } from "./list.ts";

export const listLeadLists = defineOperation({
  ...shared,
  name: "listLeadLists",
  summary: "List the lead lists, newest first",
  description: "Each with the number of its leads, by status. The id breaks ties.",
  scope: "read",
  http: { method: "GET", path: "/v2/lead-lists" },
  input: z.strictObject(offsetPaging),
  output: z.strictObject({ lead_lists: z.array(LeadList), ...offsetPage }),
  example: {
    input: { limit: 100 },
    output: { lead_lists: [exampleList], limit: 100, offset: 0, has_more: false, next_cursor: null },
  },
});

export const createLeadList = defineOperation({
  ...shared,
  name: "createLeadList",
  summary: "Create a lead list",
  description: "It is empty at first: add people with POST /v2/leads or POST /v2/leads/bulk.",
  scope: "write",
  http: { method: "POST", path: "/v2/lead-lists", status: 201 },
  input: z.strictObject({
    name: listName,
    source: source.optional().describe("Where its leads come from; default: the caller, as `api` or `manual`."),
    columns: columns.optional(),
  }),
  output: z.strictObject({ lead_list: LeadList }),
  errors: ["name_required"],
  codes: { missing: { name: "name_required" } },
  example: {
    input: { name: exampleList.name, source: "apollo", columns: ["title", "industry"] },
    output: { lead_list: { ...exampleList, lead_count: 0, by_status: { ...exampleList.by_status, replied: 0 } } },
  },
});

export const getLeadList = defineOperation({
  ...shared,
  ...ofList,
  name: "getLeadList",
  summary: "Get a lead list",
  description: "With the number of its leads, by status.",
  scope: "read",
  http: { method: "GET", path: "/v2/lead-lists/:id" },
  input: z.strictObject({ id: Own }),
  output: z.strictObject({ lead_list: LeadList }),
  example: { input: { id: exampleList.id }, output: { lead_list: exampleList } },
});

export const changeLeadList = defineOperation({
  ...shared,
  ...ofList,
  name: "changeLeadList",
  summary: "Rename a lead list, or change its columns or source",
  description: "Fields not given stay. Fields that leads bring are added to `columns`.",
  scope: "write",
  http: { method: "PATCH", path: "/v2/lead-lists/:id" },
  input: z.strictObject({
    id: Own,
    name: listName.optional(),
    source: source.optional().describe("Where its leads come from."),
    columns: columns.optional(),
  }),
  output: z.strictObject({ lead_list: LeadList }),
  example: { input: { id: exampleList.id, name: exampleList.name }, output: { lead_list: exampleList } },
});

export const deleteLeadList = defineOperation({
  ...shared,
  ...ofList,
  name: "deleteLeadList",
  summary: "Delete a lead list and its leads",
  description: "Its people stay, with everything that is known about them. It cannot be undone.",
  scope: "write",
  http: { method: "DELETE", path: "/v2/lead-lists/:id" },
  input: z.strictObject({ id: Own }),
  output: z.strictObject({ lead_list: LeadList }),
  example: { input: { id: exampleList.id }, output: { lead_list: exampleList } },
});
