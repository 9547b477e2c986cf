import type { ImportKind, RowOutcome } from "../contract.ts";
import { type Cell, valueIn } from "./cells.ts";
import { outcomes } from "./words.ts";

/** How far a dry run or a run is. */
export type RunCounts = {
  done: number;
  counts: Record<RowOutcome, number>;
  /** by code: the sentence, how many rows it concerns, and how many values do not arrive for it */
  reasons: Record<string, { message: string; rows: number; cells?: number }>;
  /** how long it worked, without pauses */
  activeMs: number;
  startedAt: string;
  finishedAt: string | null;
};

/** How far an undoing is. */
export type Undone = {
  batches: number;
  done: number;
  removed: number;
  restored: number;
  kept: number;
  /** records beside those of the rows that are gone; not there where an undoing began before they were counted */
  also?: number;
  keptIds: string[];
  /** who asked for it last, as rows keep it; not there where an undoing began before it was kept */
  by?: string;
  startedAt: string;
  finishedAt: string | null;
};

/** The result of one row. */
export type RowResult = {
  outcome: RowOutcome;
  entityId: string | null;
  label: string | null;
  changes: string[];
  reasons: RowReason[];
};

/** `cells`: the values that do not arrive for it, which are not stored with the row. */
export type RowReason = { code: string; message: string; column: string | null; cells?: number };

/** The values of a batch in columns that are left out. */
export type LeftOut = { rows: number; cells: number };

const hasValue = (cell: Cell | undefined): boolean => typeof cell === "number" || valueIn(cell) !== null;

/**
 * How many values of a batch do not arrive: of columns that are left out, and of rows that are skipped, which count for the first
 * reason.
 */
export function lostIn(
  plan: { readonly leftOut: readonly number[] },
  cells: readonly (readonly Cell[])[],
  results: readonly (RowResult | null)[],
): { results: (RowResult | null)[]; leftOut: LeftOut } {
  const leftOut = { rows: 0, cells: 0 };
  const withLost = results.map((result, index) => {
    const row = cells[index] ?? [];
    const out = plan.leftOut.reduce((sum, place) => sum + (hasValue(row[place]) ? 1 : 0), 0);
    if (out > 0) leftOut.rows++;
    leftOut.cells += out;
    if (result?.outcome !== "skipped") return result;
    const lost = row.reduce<number>((sum, cell) => sum + (hasValue(cell) ? 1 : 0), 0) - out;
    const reasons = result.reasons.map((reason, place) => ({ ...reason, cells: place === 0 ? lost : 0 }));
    return { ...result, reasons };
  });
  return { results: withLost, leftOut };
}

const MOST_REASONS = 50;

export const begun = (at: Date): RunCounts => ({
  done: 0,
  counts: { created: 0, updated: 0, unchanged: 0, skipped: 0 },
  reasons: {},
  activeMs: 0,
  startedAt: at.toISOString(),
  finishedAt: null,
});

/** The counts with those of another batch; a null is a row that holds nothing. */
export function counted(
  before: RunCounts,
  results: readonly (RowResult | null)[],
  ms: number,
  leftOut: LeftOut = { rows: 0, cells: 0 },
): RunCounts {
  const counts = { ...before.counts };
  const reasons = { ...before.reasons };
  const add = (code: string, message: string, rows: number, cells: number) => {
    const reason = reasons[code];
    if (reason) reasons[code] = { ...reason, rows: reason.rows + rows, cells: (reason.cells ?? 0) + cells };
    else if (Object.keys(reasons).length < MOST_REASONS)
      reasons[code] = { message: summaries[code] ?? message, rows, cells };
  };
  for (const result of results) {
    if (!result) continue;
    counts[result.outcome]++;
    const seen = new Set<string>();
    for (const { code, message, cells = 0 } of result.reasons) {
      add(code, message, seen.has(code) ? 0 : 1, cells);
      seen.add(code);
    }
  }
  if (leftOut.cells > 0) add("left_out", "", leftOut.rows, leftOut.cells);
  return { ...before, done: before.done + results.length, counts, reasons, activeMs: before.activeMs + ms };
}

export const countsOf = (results: readonly (RowResult | null)[]): number[] =>
  outcomes.map((outcome) => results.filter((result) => result?.outcome === outcome).length);

/** What an undoing took back of a batch. `also`: records that no row is about, such as companies of people. */
export type UndoCounts = { removed: number; restored: number; kept: number; also: number; keptIds: string[] };

/** Counts it as the rows were counted; of several rows that created or changed one record, each counts. */
export function takenBack(
  kind: ImportKind,
  results: readonly (RowResult | null)[],
  { removed, kept }: { removed: ReadonlySet<string>; kept: ReadonlySet<string> },
): UndoCounts {
  const rows = results.flatMap((result) => (result?.entityId ? [{ ...result, id: result.entityId }] : []));
  const own = new Set(rows.map(({ id }) => id));
  const count = (outcome: RowOutcome, stays: boolean) =>
    rows.filter((row) => row.outcome === outcome && kept.has(row.id) === stays).length;
  return {
    removed: count("created", false),
    restored: count("updated", false),
    kept: count("created", true),
    also: [...removed].filter((id) => kind === "notes" || kind === "activities" || !own.has(id)).length,
    keptIds: [...kept],
  };
}

/** Reasons as a sentence about many rows. */
const summaries: Readonly<Record<string, string>> = {
  invalid_email: "An e-mail cell has no valid address.",
  invalid_linkedin_url: "A LinkedIn cell has no link to a public profile.",
  invalid_domain: "A domain cell has no domain of a company.",
  invalid_phone: "A phone number cannot be read, or has no country code; a custom property keeps it.",
  unknown_stage: "A stage in the file has no stage of yours chosen for it.",
  no_stage: "A word in the file sets no stage, as you chose.",
  no_company: "What is said of a company that the row does not name is kept with the person.",
  unknown_owner: "An owner in the file is no member; a custom property keeps the name.",
  left_out: "Columns are left out.",
  second_value: "Two columns have different values for one field, and the first counts.",
  future_date: "The date of the data is in the future.",
  filled: "The record already has a value, which stays.",
  stronger: "The record's value counts more than a file's, and stays.",
  by_person: "A person entered the record's value, which stays.",
  identifier_conflict: "The row's identifiers belong to different records.",
  too_long: "A value is longer than its field allows.",
  repeats: "An earlier row is about the same record, so only blanks are filled.",
  cell_too_long: "A cell is longer than 2,000,000 characters.",
  too_many_cells: "The row has more cells than the header.",
  invalid_date: "A date is ambiguous or not a date.",
  invalid_number: "A number of employees is not a number; a custom property keeps it.",
  unknown_record: "No record has the row's identifiers, and this import creates no new ones.",
  is_note: "It says that a note was saved; the export of notes brings the note.",
  no_type: "The row does not say what happened.",
  erased: "The person was erased and is not created again.",
};

/** A short form for the database: rows are many. */
type StoredResult =
  | [
      outcome: number,
      entityId: string | null,
      label: string | null,
      changes: string[],
      reasons: [string, string, string | null][],
    ]
  | null;

export const packed = (results: readonly (RowResult | null)[]): string =>
  JSON.stringify(
    results.map(
      (result): StoredResult =>
        result && [
          outcomes.indexOf(result.outcome),
          result.entityId,
          result.label,
          result.changes,
          result.reasons.map(({ code, message, column }) => [code, message, column]),
        ],
    ),
  );

export const unpacked = (text: string): (RowResult | null)[] =>
  (JSON.parse(text) as StoredResult[]).map(
    (stored) =>
      stored && {
        outcome: outcomes[stored[0]] as RowOutcome,
        entityId: stored[1],
        label: stored[2],
        changes: stored[3],
        reasons: stored[4].map(([code, message, column]) => ({ code, message, column })),
      },
  );
