import { z } from "zod";
import { defineOperation, LARGE_BODY_LIMIT } from "#lib/core/operation.ts";
import { cursorPaging } from "#lib/core/page-input.ts";
import { Id } from "#lib/core/schema.ts";
import { MOST_FILE_BYTES } from "../rules/words.ts";
import { ColumnChoice, Country, Delimiter, Encoding, ImportKind, Policy, StageValues, tag } from "./fields.ts";
import { exampleImport, exampleProgress, Import, ImportId, inStates, One, ofImport, page } from "./import.ts";

export const createImport = defineOperation({
  name: "createImport",
  tag,
  summary: "Upload a CSV file of people, companies, notes or activities",
  description:
    "Proposes a mapping and imports nothing yet. Send `multipart/form-data` (a file part; name and kind before it) or `text/csv` with name and kind in the query, up to 200 MB and 1,000,000 rows, or JSON with up to 8 MiB of `content`. Large files answer in the state `reading`.",
  surface: "public",
  scope: "write",
  http: {
    method: "POST",
    path: "/v2/imports",
    status: 201,
    body: { limit: LARGE_BODY_LIMIT, file: { field: "content", fileName: "file_name", limit: MOST_FILE_BYTES } },
  },
  input: z.strictObject({
    kind: ImportKind.default("people").describe("What each row is about."),
    name: z.string().trim().min(1).max(200).optional().describe("Default: the file's name."),
    file_name: z
      .string()
      .max(255)
      .optional()
      .describe("The file's name, such as contacts.csv; one such as .pdf is refused."),
    phone_country: Country.optional().describe(
      "Country of telephone numbers without a country code, where the row names none. Default: that of the workspace's website.",
    ),
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
    "Only in the state `ready`. What is not given stays. Another kind, encoding, delimiter or header row reads the file again and proposes the mapping again; then give the mapping in a second call.",
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
        "Columns to import otherwise; the others stay as they are. Several columns of a field fill each other's gaps.",
      ),
    stage_values: StageValues.optional(),
    policy: Policy.optional(),
    create: z.boolean().optional().describe("False: rows about unknown records are skipped."),
    list_id: Id.nullable()
      .optional()
      .describe("A lead list to add the imported people to (a feature of the plan scale); null: none."),
    phone_country: Country.nullable()
      .optional()
      .describe("Country of telephone numbers without a country code, where the row names none; null: none."),
    kind: ImportKind.optional().describe("What each row is about; the mapping is proposed again."),
    encoding: Encoding.optional().describe("When the one that was found is wrong."),
    delimiter: Delimiter.optional().describe("When the one that was found is wrong."),
    header_row: z.int().min(1).max(1_000).optional().describe("Row of the file with the headers, from 1."),
  }),
  output: One,
  feature: { list_id: "lead_lists" },
  errors: [...inStates.errors, "invalid_mapping", "invalid_file", "lead_list_not_found", "feature_not_in_plan"],
  codes: { fields: { id: "import_not_found", mapping: "invalid_mapping", list_id: "lead_list_not_found" } },
  example: {
    input: { id: exampleImport.id, mapping: [{ column: 1, to: "email" }], policy: "fill_blanks" },
    output: { import: exampleImport },
  },
});
