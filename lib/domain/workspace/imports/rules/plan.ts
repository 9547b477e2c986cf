import type { Stage } from "#lib/domain/crm/recording/service.ts";
import type { Column, ImportKind } from "../contract.ts";
import type { ImportField, Reading } from "../words.ts";
import type { Cell } from "./cells.ts";
import type { CountryCode } from "./countries.ts";
import { ownExport } from "./own-exports.ts";
import type { RowReason } from "./progress.ts";
import { spareName } from "./properties.ts";

/** Which columns hold what, how they are read, and what the file's words for stages mean. */
export type Plan = {
  kind: ImportKind;
  width: number;
  headers: readonly string[];
  /** the columns of a field, the one that counts first before those that fill its gaps */
  of: ReadonlyMap<ImportField, readonly number[]>;
  /** the places of the columns that are left out */
  leftOut: readonly number[];
  properties: readonly { name: string; place: number }[];
  readings: readonly (Reading | null)[];
  /** The custom property that keeps what the field of a column cannot take; empty: there is none. */
  spareAt(place: number): string;
  stages: ReadonlyMap<string, Stage | null>;
  phoneCountry: CountryCode | null;
  /**
   * Where a file that Rapport exported has the ids of its records, and of their companies (of a lead's person); null: it is another
   * file.
   */
  ids: { record: number; company: number } | null;
};

type PlanSource = {
  kind: ImportKind;
  columns: readonly Column[];
  stageValues: Readonly<Record<string, Stage | null>>;
  phoneCountry: string | null;
};

export function planOf({ kind, columns, stageValues, phoneCountry }: PlanSource): Plan {
  const of = new Map<ImportField, number[]>();
  const properties: Plan["properties"][number][] = [];
  const taken = new Set(kind === "people" ? ["country"] : []);
  const sure = ({ to, proposed }: Column) => (proposed.to === to ? proposed.confidence : 1);
  for (const { to, column } of columns.toSorted((a, b) => sure(b) - sure(a) || b.filled - a.filled)) {
    if (to === null) continue;
    if (to.startsWith("property.")) {
      const name = to.slice("property.".length);
      taken.add(name);
      properties.push({ name, place: column - 1 });
    } else of.set(to as ImportField, [...(of.get(to as ImportField) ?? []), column - 1]);
  }
  const headers = columns.map(({ header }) => header);
  let spare: string[] | null = null; // most rows need none
  const own = ownExport(kind, headers);
  return {
    kind,
    width: columns.length,
    headers,
    of,
    properties,
    leftOut: columns.flatMap(({ to, column }) => (to === null ? [column - 1] : [])),
    readings: columns.map(({ as }) => as ?? null),
    spareAt(place) {
      spare ??= columns.map(({ header, column, to }) =>
        to === null || to.startsWith("property.") ? "" : spareName(kind, header, column, taken),
      );
      return spare[place] ?? "";
    },
    stages: new Map(Object.entries(stageValues).map(([word, stage]) => [word.trim().toLowerCase(), stage])),
    phoneCountry: phoneCountry as CountryCode | null,
    ids: own && {
      record: headers.indexOf("id"),
      company: headers.indexOf(headers.includes("company_id") ? "company_id" : "entity_id"),
    },
  };
}

/** Why a row of this shape is skipped before it is read; null when it is not. */
export function shapeProblem(plan: Plan, cells: readonly Cell[]): RowReason | null {
  const long = cells.findIndex((cell) => typeof cell === "number");
  if (long >= 0)
    return {
      code: "cell_too_long",
      message: `A cell has ${(cells[long] as number).toLocaleString("en")} characters; 2,000,000 is the most.`,
      column: plan.headers[long] ?? null,
    };
  const extra = cells.slice(plan.width).some((cell) => cell !== "");
  return extra
    ? { code: "too_many_cells", message: `The row has ${cells.length} cells, the header ${plan.width}.`, column: null }
    : null;
}
