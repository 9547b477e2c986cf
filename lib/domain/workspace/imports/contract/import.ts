import { z } from "zod";
import { ofOne } from "#lib/core/of-one.ts";
import { offsetPage } from "#lib/core/page-input.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { Stage } from "#lib/domain/crm/people/contract.ts";
import { Country, count, Delimiter, Encoding, ImportKind, ImportState, Policy, Reading, Target } from "./fields.ts";

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
    as: Reading.nullable().describe("How its cells are read, of a custom property or date; null: as its field has it."),
    proposed: z
      .strictObject({
        to: Target.nullable(),
        confidence: z.number().describe("0 to 1."),
        why: z.string(),
      })
      .describe("What was detected."),
  })
  .meta({ id: "ImportColumn" });
export type Column = z.output<typeof Column>;

const Reason = z
  .strictObject({
    code: z.string(),
    message: z.string(),
    rows: count,
    cells: count.describe("Values of the file that do not arrive for this reason."),
  })
  .meta({ id: "ImportReason", description: "Why rows were skipped, or values left out or kept, and how many." });

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
    removed: count.describe("Rows counted as created whose record is gone: no one has changed it since."),
    restored: count.describe("Rows counted as updated whose record is again as it was before."),
    kept: count.describe("Rows counted as created whose record stays, because someone has worked with it since."),
    also: count.describe(
      "Records that were created beside those of the rows, such as companies of people, and are gone.",
    ),
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
    phone_country: Country.nullable().describe(
      "Country of telephone numbers without a country code, where the row names none.",
    ),
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

export const page = { has_more: offsetPage.has_more, next_cursor: offsetPage.next_cursor };
export const ImportId = Id.describe("The import.");
export const One = z.strictObject({ import: Import });
const oneImport = { id: ImportId, output: One, missing: "import_not_found" } as const;
export const ofImport = ofOne(oneImport);
export const inStates = ofOne({ ...oneImport, also: ["import_not_possible"] });
export const withMapping = ofOne({ ...oneImport, also: ["import_not_possible", "invalid_mapping"] });

export const exampleProgress: Progress = {
  rows_done: 2,
  created: 1,
  updated: 0,
  unchanged: 0,
  skipped: 1,
  reasons: [{ code: "no_identifier", message: "No e-mail or LinkedIn.", rows: 1, cells: 0 }],
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
      as: null,
      proposed: { to: "email", confidence: 0.98, why: "The header is a known name for it." },
    },
  ],
  stage_values: {},
  stages_seen: [],
  policy: "fill_blanks",
  create: true,
  list_id: null,
  phone_country: null,
  warnings: [],
  problem: null,
  check: null,
  run: null,
  undo: null,
  backfill_id: null,
  created_by: "api_key:0190a6e0-0000-7000-8000-000000000003",
  created_at: "2026-06-03T09:00:00.000Z",
};
