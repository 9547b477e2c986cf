import { z } from "zod";
import { Stage } from "#lib/domain/crm/people/contract.ts";
import { allFields, PROPERTY_TARGET, states } from "../rules/words.ts";
import { readings } from "../words.ts";

export const tag = "Imports";
export const count = z.int();

export const ImportKind = z
  .enum(["people", "companies", "notes", "activities"])
  .meta({ id: "ImportKind", description: "What each row of the file is about." });
export type ImportKind = z.output<typeof ImportKind>;

export const ImportState = z.enum(states).meta({
  id: "ImportState",
  description:
    "`uploading` and `reading`: the file is taken in. `ready`: waits for your choices. `checking`: a dry run. `running`, `done`, `cancelled` (what it did stays, and can be undone), `failed` (see `problem`), `undoing`, `undone`.",
});
export type ImportState = z.output<typeof ImportState>;

const NOT_A_TARGET = `must be one of ${allFields.join(", ")}, or property.<snake_case name>`;
export const Target = z
  .union([z.enum(allFields), z.string().regex(PROPERTY_TARGET, NOT_A_TARGET)], { error: NOT_A_TARGET })
  .meta({
    id: "ImportTarget",
    description:
      "A field, or `property.<name>` for a custom property. A company without a domain is found by its name.",
  });

export const Reading = z.enum(readings).meta({
  id: "ImportReading",
  description:
    "How cells become values; what does not fit stays text. `number`: a point before decimals; `number_comma`: a comma. `date`: with the year first or the month in words; `date_day_first` and `date_month_first`: short dates as well; `date_serial`: days as Excel counts them.",
});

export const ColumnChoice = z
  .strictObject({
    column: z.int().min(1).max(10_000).describe("Its position, from 1."),
    to: Target.nullable().describe("Null: the column is left out."),
    as: Reading.nullable().optional().describe("Of a custom property or date. Not given: stays."),
  })
  .meta({ id: "ImportColumnChoice" });

export const Policy = z.enum(["fill_blanks", "overwrite"]).meta({
  id: "ImportPolicy",
  description: "`fill_blanks` keeps every value that a record has; `overwrite` replaces it.",
});

export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, "must be the two letters of a country, such as DE")
  .meta({ id: "ImportCountry", description: "Two letters of ISO 3166, such as `DE`." });

export const Encoding = z.enum(["utf-8", "utf-16le", "utf-16be", "windows-1252"]);
export const Delimiter = z.enum([",", ";", "\t", "|"]);

export const StageValues = z
  .record(z.string().max(200), Stage.nullable())
  .describe("Stages by the file's words, case ignored. Null, or a word that is not here: the row sets no stage.");
