import { z } from "zod";
import { ofOne } from "#lib/core/of-one.ts";
import { defineOperation, LARGE_BODY_LIMIT } from "#lib/core/operation.ts";
import { cursorPaging, offsetPage } from "#lib/core/page-input.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { Stage } from "#lib/domain/people/contract.ts";
import { allFields, MOST_FILE_BYTES, outcomes, PROPERTY_TARGET, states } from "./rules/words.ts";

const tag = "Imports";
const count = z.int();

export const ImportKind = z
  .enum(["people", "companies", "notes"])
  .meta({ id: "ImportKind", description: "What each row of the file is about." });
export type ImportKind = z.output<typeof ImportKind>;

export const ImportState = z.enum(states).meta({
  id: "ImportState",
  description:
    "`uploading` and `reading`: the file is taken in. `ready`: waits for you. `checking`: a dry run. `running`, `done`, `cancelled` (what it did stays, and can be undone), `failed` (see `problem`), `undoing`, `undone`.",
});
export type ImportState = z.output<typeof ImportState>;

const Target = z
  .union([z.enum(allFields), z.string().regex(PROPERTY_TARGET)], {
    error: `must be one of ${allFields.join(", ")}, or property.<snake_case name>`,
  })
  .describe("A field, or `property.<name>` for a custom property.");

const ColumnChoice = z
  .strictObject({
    column: z.int().min(1).max(10_000).describe("Its position, from 1."),
    to: Target.nullable().describe("Null: the column is left out."),
  })
  .meta({ id: "ImportColumnChoice" });

const Policy = z.enum(["fill_blanks", "overwrite"]).meta({
  id: "ImportPolicy",
  description: "`fill_blanks` keeps every value that a record has; `overwrite` replaces it.",
});

const Encoding = z.enum(["utf-8", "utf-16le", "utf-16be", "windows-1252"]);
const Delimiter = z.enum([",", ";", "\t", "|"]);

const StageValues = z
  .record(z.string().max(200), Stage.nullable())
  .describe("Stages by the file's words, case ignored. Null, or a word that is not here: the row sets no stage.");

const Warning = z
  .strictObject({
    code: z.string(),
    message: z.string().describe("One sentence that says what, and where."),
    row: count.nullable().describe("Row of the file, from 1; the preamble and the header count."),
    column: z.string().nullable().describe("Its header."),
  })
  .meta({ id: "ImportWarning" });
export type Warning = z.output<typeof Warning>;

const Column = z
  .strictObject({
    column: count.describe("Its position, from 1."),
    header: z.string(),
    samples: z.array(z.string()).describe("Up to three different values; long ones are cut."),
    filled: z.number().describe("How much of it has a value, 0 to 1, among the first rows."),
    to: Target.nullable().describe("What it is imported as now; null: it is left out."),
    proposed: z
      .strictObject({
        to: Target.nullable(),
        confidence: z.number().describe("0 to 1."),
        why: z.string(),
      })
      .describe("What was found out by itself."),
  })
  .meta({ id: "ImportColumn" });
export type Column = z.output<typeof Column>;

const Reason = z
  .strictObject({
    code: z.string(),
    message: z.string(),
    rows: count,
  })
  .meta({ id: "ImportReason", description: "Why rows were skipped, or values kept, and how many rows it concerns." });

const Progress = z
  .strictObject({
    rows_done: count,
    created: count,
    updated: count,
    unchanged: count,
    skipped: count,
    reasons: z.array(Reason).describe("The most frequent first."),
    rows_per_second: z.number().nullable().describe("While it works, without pauses."),
    seconds_left: z.number().nullable(),
    started_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: "ImportProgress" });
export type Progress = z.output<typeof Progress>;

const Undo = z
  .strictObject({
    rows_done: count,
    removed: count.describe("Records that the import created, and that were not changed since."),
    restored: count.describe("Records that are again as they were before."),
    kept: count.describe("Records that the import created and someone has worked with since: they stay."),
    kept_ids: z.array(Id).describe("The first 100 of those."),
    started_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: "ImportUndo" });

export const Import = z
  .strictObject({
    id: Id,
    name: z.string(),
    kind: ImportKind,
    state: ImportState,
    file: z.strictObject({
      name: z.string().nullable(),
      bytes: count,
      kept: z.boolean().describe("False once its rows were removed, because a person in it was erased."),
    }),
    format: z
      .strictObject({
        encoding: Encoding,
        delimiter: Delimiter,
        header_row: count.describe("Row of the file with the headers, from 1."),
        rows: count.nullable().describe("Rows under the header; null until all were read."),
      })
      .nullable(),
    columns: z.array(Column),
    stage_values: z.record(z.string(), Stage.nullable()),
    stages_seen: z
      .array(z.strictObject({ value: z.string(), proposed: Stage.nullable(), stage: Stage.nullable() }))
      .describe("The file's words for stages among the first rows, and what they mean now."),
    policy: Policy,
    create: z.boolean().describe("False: only records that exist are updated."),
    list_id: Id.nullable().describe("The lead list that the imported people are added to."),
    warnings: z.array(Warning),
    problem: z.string().nullable().describe("Why it failed or stopped, in one sentence."),
    check: Progress.nullable().describe("The latest dry run; null before one, and after a change of the mapping."),
    run: Progress.nullable(),
    undo: Undo.nullable(),
    backfill_id: Id.nullable().describe("The search for past bookings of the imported people."),
    created_by: z.string().describe("`<type>:<id>` of the caller."),
    created_at: Timestamp,
  })
  .meta({ id: "Import", description: "A CSV file with how it is read and what was done with it." });
export type Import = z.output<typeof Import>;

const exampleProgress: Progress = {
  rows_done: 2,
  created: 1,
  updated: 0,
  unchanged: 0,
  skipped: 1,
  reasons: [{ code: "no_identifier", message: "The row has no e-mail address and no LinkedIn URL.", rows: 1 }],
  rows_per_second: null,
  seconds_left: 0,
  started_at: "2026-06-03T09:01:00.000Z",
  finished_at: "2026-06-03T09:01:01.000Z",
};

export const exampleImport: Import = {
  id: "0190a6e0-0000-7000-8000-000000000061",
  name: "Spring fair",
  kind: "people",
  state: "ready",
  file: { name: "fair.csv", bytes: 24, kept: true },
  format: { encoding: "utf-8", delimiter: ",", header_row: 1, rows: 2 },
  columns: [
    {
      column: 1,
      header: "Email",
      samples: ["anna@acme.com"],
      filled: 0.5,
      to: "email",
      proposed: { to: "email", confidence: 0.98, why: "The header is a known name for it." },
    },
  ],
  stage_values: {},
  stages_seen: [],
  policy: "fill_blanks",
  create: true,
  list_id: null,
  warnings: [],
  problem: null,
  check: null,
  run: null,
  undo: null,
  backfill_id: null,
  created_by: "api_key:0190a6e0-0000-7000-8000-000000000003",
  created_at: "2026-06-03T09:00:00.000Z",
};

const page = { has_more: offsetPage.has_more, next_cursor: offsetPage.next_cursor };
const ImportId = Id.describe("The import.");
const One = z.strictObject({ import: Import });
const known = { id: ImportId, output: One, missing: "import_not_found" } as const;
const ofImport = ofOne(known);
const inStates = ofOne({ ...known, also: ["import_not_possible"] });
const withMapping = ofOne({ ...known, also: ["import_not_possible", "invalid_mapping"] });

export const createImport = defineOperation({
  name: "createImport",
  tag,
  summary: "Upload a CSV file of people, companies or notes",
  description:
    "Proposes a mapping and imports nothing yet. Send `multipart/form-data` (a file part; name and kind before it) or `text/csv` with name and kind in the query, up to 200 MB and 1,000,000 rows, or JSON with up to 8 MiB of `content`. Large files answer in the state `reading`.",
  surface: "public",
  scope: "write",
  http: {
    method: "POST",
    path: "/v2/imports",
    status: 201,
    bodyLimit: LARGE_BODY_LIMIT,
    upload: { field: "content", fileName: "file_name", limit: MOST_FILE_BYTES },
  },
  input: z.strictObject({
    kind: ImportKind.default("people").describe("What each row is about."),
    name: z.string().trim().min(1).max(200).optional().describe("Default: the file's name."),
    file_name: z.string().max(255).optional().describe("The file's name, such as contacts.csv."),
    content: z.string().describe("The text of the file."),
  }),
  output: One,
  errors: ["invalid_file", "file_required", "too_many_imports"],
  codes: { missing: { content: "file_required" } },
  example: {
    input: {
      kind: "people",
      name: "Spring fair",
      file_name: "fair.csv",
      content: "Email\nanna@acme.com\nn/a\n",
    },
    output: { import: exampleImport },
  },
});

export const listImports = defineOperation({
  name: "listImports",
  tag,
  summary: "List imports, newest first",
  description: "Each as `GET /v2/imports/:id` has it: its file, mapping and progress.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/imports" },
  input: z.strictObject({
    kind: ImportKind.optional().describe("Only imports of this kind."),
    ...cursorPaging(25, 100),
  }),
  output: z.strictObject({
    imports: z.array(Import),
    ...page,
  }),
  example: { input: {}, output: { imports: [exampleImport], has_more: false, next_cursor: null } },
});

export const getImport = defineOperation({
  name: "getImport",
  tag,
  summary: "Read an import: its file, mapping and progress",
  description: "While it works, `run` or `check` says how many rows are done, how fast, and how long it will take.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/imports/:id" },
  ...ofImport,
  example: {
    input: { id: exampleImport.id },
    output: { import: { ...exampleImport, state: "done", run: exampleProgress } },
  },
});

export const patchImport = defineOperation({
  name: "patchImport",
  tag,
  summary: "Change how a file is read and imported",
  description:
    "Only in the state `ready`. What is not given stays. Another encoding, delimiter or header row reads the file again and proposes the mapping anew; then give the mapping in a second call.",
  surface: "public",
  scope: "write",
  http: { method: "PATCH", path: "/v2/imports/:id" },
  input: z.strictObject({
    id: ImportId,
    name: z.string().trim().min(1).max(200).optional().describe("Shown in the history."),
    mapping: z
      .array(ColumnChoice)
      .min(1)
      .max(1_000)
      .optional()
      .describe(
        "Columns to import otherwise; the others stay as they are. A field takes one column, phone and email several.",
      ),
    stage_values: StageValues.optional(),
    policy: Policy.optional(),
    create: z.boolean().optional().describe("False: rows about unknown records are skipped."),
    list_id: Id.nullable()
      .optional()
      .describe("A lead list to add the imported people to (a feature of the plan scale); null: none."),
    encoding: Encoding.optional().describe("When the one that was found is wrong."),
    delimiter: Delimiter.optional().describe("When the one that was found is wrong."),
    header_row: z.int().min(1).max(1_000).optional().describe("Row of the file with the headers, from 1."),
  }),
  output: One,
  errors: [...inStates.errors, "invalid_mapping", "invalid_file", "lead_list_not_found", "feature_not_in_plan"],
  codes: { fields: { id: "import_not_found", mapping: "invalid_mapping", list_id: "lead_list_not_found" } },
  example: {
    input: { id: exampleImport.id, mapping: [{ column: 1, to: "email" }], policy: "fill_blanks" },
    output: { import: exampleImport },
  },
});

export const previewImport = defineOperation({
  name: "previewImport",
  tag,
  summary: "Say what an import would do, row by row, without doing it",
  description:
    "A dry run: counts are in `check` when the state is `ready` again, rows at `GET /v2/imports/:id/rows`. Writes nothing to people, companies or notes.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/imports/:id/preview" },
  ...withMapping,
  example: { input: { id: exampleImport.id }, output: { import: { ...exampleImport, state: "checking" } } },
});

export const runImport = defineOperation({
  name: "runImport",
  tag,
  summary: "Import the file",
  description:
    "Runs in the background and goes on after a restart; no row is done twice. Afterwards past bookings of the imported people are looked up when a booking provider is connected. Also goes on with an import that was cancelled or has failed.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/imports/:id/run" },
  ...withMapping,
  example: { input: { id: exampleImport.id }, output: { import: { ...exampleImport, state: "running" } } },
});

export const cancelImport = defineOperation({
  name: "cancelImport",
  tag,
  summary: "Stop an import, or discard a file that was not imported",
  description: "What was imported before stays, and can be undone. The file of an import that never ran is deleted.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/imports/:id/cancel" },
  ...inStates,
  example: { input: { id: exampleImport.id }, output: { import: { ...exampleImport, state: "cancelled" } } },
});

export const undoImport = defineOperation({
  name: "undoImport",
  tag,
  summary: "Undo an import",
  description:
    "Takes back what it recorded: records it created disappear, values are again what they were before. Evidence is retired, not destroyed. Records that it created and someone has worked with since stay; `undo` counts and names them.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/imports/:id/undo" },
  ...inStates,
  example: { input: { id: exampleImport.id }, output: { import: { ...exampleImport, state: "undoing" } } },
});

export const Outcome = z
  .enum(outcomes)
  .meta({ id: "ImportOutcome", description: "What came of a row; of a dry run, what would." });
export type Outcome = z.output<typeof Outcome>;

const ImportRow = z
  .strictObject({
    row: count.describe("Row of the file, from 1; the preamble and the header count."),
    outcome: Outcome,
    entity_id: Id.nullable().describe("The record it is about; null when it was skipped, or not created yet."),
    label: z.string().nullable().describe("Who or what the row is about, in its own words."),
    changes: z.array(z.string()).describe("Properties that were set."),
    reasons: z
      .array(z.strictObject({ code: z.string(), message: z.string(), column: z.string().nullable() }))
      .describe("Why it was skipped, or why values of it were left out."),
  })
  .meta({ id: "ImportRow" });
export type ImportRow = z.output<typeof ImportRow>;

export const listImportRows = defineOperation({
  name: "listImportRows",
  tag,
  summary: "List what came of each row",
  description:
    "Of the run, or before one of the dry run. `format=csv` gives the whole result as a file: each row's own cells with its outcome, record and reasons.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/imports/:id/rows" },
  input: z.strictObject({
    id: ImportId,
    outcome: Outcome.optional().describe("Only rows with this outcome."),
    format: z
      .enum(["json", "csv"])
      .default("json")
      .describe("`csv`: all rows as a file, streamed; limit and cursor have no effect."),
    ...cursorPaging(100, 1_000),
  }),
  output: z.strictObject({
    of: z.enum(["check", "run"]).nullable().describe("Null: there is neither yet."),
    rows: z.array(ImportRow),
    ...page,
  }),
  errors: ofImport.errors,
  codes: ofImport.codes,
  example: {
    input: { id: exampleImport.id, outcome: "skipped" },
    output: {
      of: "check",
      rows: [
        {
          row: 3,
          outcome: "skipped",
          entity_id: null,
          label: null,
          changes: [],
          reasons: [
            {
              code: "no_identifier",
              message: "The row has no e-mail address and no LinkedIn URL.",
              column: null,
            },
          ],
        },
      ],
      has_more: false,
      next_cursor: null,
    },
  },
});
