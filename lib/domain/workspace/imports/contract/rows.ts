import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPaging } from "#lib/core/page-input.ts";
import { Id } from "#lib/core/schema.ts";
import { outcomes } from "../rules/words.ts";
import { count, tag } from "./fields.ts";
import { exampleImport, ImportId, ofImport, page } from "./import.ts";

export const RowOutcome = z
  .enum(outcomes)
  .meta({ id: "ImportOutcome", description: "The result of a row; of a dry run, what it would be." });
export type RowOutcome = z.output<typeof RowOutcome>;

const ImportRow = z
  .strictObject({
    row: count.describe("Row of the file, from 1; the preamble and the header count."),
    outcome: RowOutcome,
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
  summary: "List the result of each row",
  description:
    "Of the run, or before one of the dry run. `format=csv` gives the whole result as a file: each row's own cells with its outcome, record and reasons.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/imports/:id/rows" },
  input: z.strictObject({
    id: ImportId,
    outcome: RowOutcome.optional().describe("Only rows with this outcome."),
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
              message: "No e-mail or LinkedIn.",
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
