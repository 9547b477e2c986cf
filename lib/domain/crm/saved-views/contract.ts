import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id, nonBlank, Timestamp } from "#lib/core/schema.ts";

const tag = "Saved views";

export const ViewSubject = z.enum(["people", "companies"]);
export type ViewSubject = z.output<typeof ViewSubject>;

export const SavedView = z.strictObject({
  id: Id,
  list: ViewSubject,
  name: z.string(),
  place: z.string().describe("The list's part of the address: filters, search, sort and columns as a query string."),
  shared: z.boolean().describe("Everyone of the workspace sees it and may change it; else only its owner."),
  pinned: z.boolean().describe("In the sidebar of everyone who sees it."),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type SavedView = z.output<typeof SavedView>;

const exampleView: SavedView = {
  id: "0190a6e0-0000-7000-8000-000000000031",
  list: "people",
  name: "Quiet evaluators",
  place: "pipeline_stage=evaluating&last_activity_before=14d",
  shared: true,
  pinned: false,
  created_at: "2026-06-03T09:00:00.000Z",
  updated_at: "2026-06-03T09:00:00.000Z",
};

const name = nonBlank().trim().max(80).describe("1 to 80 characters; once among the views of a list one person sees.");
const place = z.string().max(4000).describe("A query string of the list's own parameters; empty: the plain list.");

export const listViews = defineOperation({
  name: "listViews",
  tag,
  summary: "The saved views of a list, or of all: the shared ones and the reader's own, by name",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/views" },
  input: z.strictObject({
    list: ViewSubject.optional().describe("Only the views of this list."),
    pinned: z.boolean().optional().describe("true: only those in the sidebar."),
  }),
  output: z.strictObject({ views: z.array(SavedView) }),
  example: { input: { list: "people" } },
});

export const saveView = defineOperation({
  name: "saveView",
  tag,
  summary: "Save what a list shows under a name",
  surface: "app",
  scope: "write",
  http: { method: "POST", path: "/views", status: 201 },
  input: z.strictObject({
    list: ViewSubject,
    name,
    place,
    shared: z.boolean().default(false).describe("For everyone of the workspace; default: for the caller alone."),
    pinned: z.boolean().default(false).describe("Puts it into the sidebar of everyone who sees it."),
  }),
  output: z.strictObject({ view: SavedView }),
  errors: ["name_required", "invalid_place", "view_name_taken", "too_many_views"],
  codes: { missing: { name: "name_required" } },
  example: {
    input: { list: "people", name: exampleView.name, place: exampleView.place, shared: true },
  },
});

export const changeView = defineOperation({
  name: "changeView",
  tag,
  summary: "Rename a saved view, let it show something else, share it or make it private",
  surface: "app",
  scope: "write",
  http: { method: "PATCH", path: "/views/:id" },
  input: z.strictObject({
    id: Id,
    name: name.optional(),
    place: place.optional(),
    shared: z.boolean().optional().describe("false makes it the caller's own."),
    pinned: z.boolean().optional().describe("Puts it into the sidebar, or takes it out."),
  }),
  output: z.strictObject({ view: SavedView }),
  errors: ["view_not_found", "invalid_place", "view_name_taken", "too_many_views"],
  codes: { fields: { id: "view_not_found" } },
  example: { input: { id: exampleView.id, name: exampleView.name } },
});

export const deleteView = defineOperation({
  name: "deleteView",
  tag,
  summary: "Delete a saved view",
  surface: "app",
  scope: "write",
  http: { method: "DELETE", path: "/views/:id" },
  input: z.strictObject({ id: Id }),
  output: z.strictObject({ view: SavedView }),
  errors: ["view_not_found"],
  codes: { fields: { id: "view_not_found" } },
  example: { input: { id: exampleView.id } },
});
