import { z } from "zod";
import { filtersOf, filtersOfOne } from "#lib/core/list-filters.ts";
import { ofOne } from "#lib/core/of-one.ts";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPaging, nextPage } from "#lib/core/page-input.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { listLeads } from "#lib/domain/crm/leads/contract.ts";
import { CompanyFilters, PeopleFilters } from "#lib/domain/crm/people/contract.ts";
import { browseActivities } from "#lib/domain/knowledge/feed/contract.ts";
import { listNotes } from "#lib/domain/knowledge/notes/contract.ts";

const tag = "Exports";

/** The lists that can be exported. */
export const exportKinds = ["people", "companies", "notes", "activities", "leads"] as const;
export type ExportKind = (typeof exportKinds)[number];

export const exportFormats = ["csv", "ndjson"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const ExportState = z
  .enum(["queued", "running", "done", "failed", "cancelled", "expired"])
  .describe("`expired`: the file was removed, after its time or because a person was erased.");
export type ExportState = z.output<typeof ExportState>;

const Filters = z.record(z.string().max(100), z.json());

export const Export = z
  .strictObject({
    id: Id,
    what: z.enum(exportKinds),
    format: z.enum(exportFormats),
    filters: Filters,
    columns: z.array(z.string()).nullable().describe("Null: all."),
    state: ExportState,
    rows: z.int().describe("Written so far; all of them once it is `done`."),
    bytes: z.int().describe("The size of the file so far."),
    message: z.string().nullable().describe("Why there is no file."),
    created_by: z.string().describe("Who made it, such as `user:…` or `api_key:…`."),
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
    expires_at: Timestamp.nullable().describe("When the file is removed."),
  })
  .meta({ id: "Export", description: "A file made of a list." });
export type Export = z.output<typeof Export>;

const example: Export = {
  id: "0190a6e0-0000-7000-8000-000000000051",
  what: "people",
  format: "csv",
  filters: { pipeline_stage: "interested" },
  columns: ["email", "first_name", "last_name", "property.region"],
  state: "done",
  rows: 240,
  bytes: 18_204,
  message: null,
  created_by: "user:0190a6e0-0000-7000-8000-000000000052",
  created_at: "2026-06-03T09:00:00.000Z",
  finished_at: "2026-06-03T09:00:01.000Z",
  expires_at: "2026-06-10T09:00:01.000Z",
};
const fresh: Export = { ...example, state: "queued", rows: 0, bytes: 0, finished_at: null, expires_at: null };

export const MOST_COLUMNS = 300;

const answer = z.strictObject({ export: Export });

export const createExport = defineOperation({
  name: "createExport",
  tag,
  summary: "Make a file of a list",
  description:
    "A job writes the file, as the list is at one moment; ask for the export until its `state` is `done`, then get `/v2/exports/{id}/file`. It is kept for 7 days, and goes when a person is erased. CSV is UTF-8 with a byte order mark, and its cells are never formulas.",
  surface: "public",
  scope: "read",
  http: { method: "POST", path: "/v2/exports", status: 201 },
  input: z.strictObject({
    what: z.enum(exportKinds).describe("The list."),
    format: z.enum(exportFormats).default("csv"),
    filters: filtersOfOne("ExportFilters", [
      PeopleFilters,
      CompanyFilters,
      filtersOf(listNotes, "NoteFilters"),
      filtersOf(browseActivities, "ActivityFilters"),
      filtersOf(listLeads, "LeadFilters"),
    ])
      .default({})
      .describe(
        'The list\'s own filters and `sort`, in JSON types, such as `{"pipeline_stage": "interested", "property": {"region": ["DACH"]}}`, or `"property.region"`.',
      ),
    columns: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(MOST_COLUMNS)
      .optional()
      .describe(
        "Fields in this order; custom properties as `property.<name>`, fields of leads as `field.<name>`. Default: all.",
      ),
  }),
  output: answer,
  errors: ["too_many_exports"],
  example: {
    input: { what: "people", filters: { pipeline_stage: "interested" }, columns: ["email", "first_name"] },
    output: { export: { ...fresh, columns: ["email", "first_name"] } },
  },
});

export const listExports = defineOperation({
  name: "listExports",
  tag,
  summary: "List exports, newest first",
  description: "Those of the last 90 days, of everyone in the workspace.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/exports" },
  input: z.strictObject(cursorPaging(20, 100)),
  output: z.strictObject({
    exports: z.array(Export),
    ...nextPage,
  }),
  example: { input: {}, output: { exports: [example], has_more: false, next_cursor: null } },
});

const ofExport = ofOne({ id: Id.describe("Of the export."), output: answer, missing: "export_not_found" });

export const getExport = defineOperation({
  name: "getExport",
  tag,
  summary: "Read how far an export is",
  description: "Its state, how many rows and bytes are written, and until when the file is kept.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/exports/:id" },
  ...ofExport,
  example: { input: { id: example.id }, output: { export: example } },
});

export const cancelExport = defineOperation({
  name: "cancelExport",
  tag,
  summary: "Stop an export that is not done",
  description: "One that is done stays as it is.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/exports/:id/cancel" },
  ...ofExport,
  example: { input: { id: example.id }, output: { export: { ...fresh, state: "cancelled" } } },
});

export const deleteExport = defineOperation({
  name: "deleteExport",
  tag,
  summary: "Delete an export and its file",
  description: "One that is being written is stopped.",
  surface: "public",
  scope: "write",
  http: { method: "DELETE", path: "/v2/exports/:id" },
  ...ofExport,
  example: { input: { id: example.id }, output: { export: example } },
});
