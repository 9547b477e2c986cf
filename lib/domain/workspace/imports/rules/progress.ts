import type { Outcome } from "../contract.ts";
import { outcomes } from "./words.ts";

/** How far a dry run or a run is. */
export type Counted = {
  done: number;
  counts: Record<Outcome, number>;
  /** by code: the sentence, and how many rows it concerns */
  reasons: Record<string, { message: string; rows: number }>;
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
  keptIds: string[];
  startedAt: string;
  finishedAt: string | null;
};

/** The result of one row. */
export type RowResult = {
  outcome: Outcome;
  entityId: string | null;
  label: string | null;
  changes: string[];
  reasons: RowReason[];
};

export type RowReason = { code: string; message: string; column: string | null };

const MOST_REASONS = 50;

export const begun = (at: Date): Counted => ({
  done: 0,
  counts: { created: 0, updated: 0, unchanged: 0, skipped: 0 },
  reasons: {},
  activeMs: 0,
  startedAt: at.toISOString(),
  finishedAt: null,
});

/** The counts with those of another batch; a null is a row that holds nothing. */
export function counted(before: Counted, results: readonly (RowResult | null)[], ms: number): Counted {
  const counts = { ...before.counts };
  const reasons = { ...before.reasons };
  for (const result of results) {
    if (!result) continue;
    counts[result.outcome]++;
    for (const code of new Set(result.reasons.map((reason) => reason.code))) {
      const known = reasons[code];
      if (known) reasons[code] = { ...known, rows: known.rows + 1 };
      else if (Object.keys(reasons).length < MOST_REASONS)
        reasons[code] = {
          message: summaries[code] ?? (result.reasons.find((one) => one.code === code) as RowReason).message,
          rows: 1,
        };
    }
  }
  return { ...before, done: before.done + results.length, counts, reasons, activeMs: before.activeMs + ms };
}

export const countsOf = (results: readonly (RowResult | null)[]): number[] =>
  outcomes.map((outcome) => results.filter((result) => result?.outcome === outcome).length);

/** Reasons as a sentence about many rows. */
const summaries: Readonly<Record<string, string>> = {
  no_identifier: "The row has no identifier that can be used, such as an e-mail address.",
  invalid_email: "An e-mail cell has no valid address.",
  invalid_linkedin_url: "A LinkedIn cell has no link to a public profile.",
  invalid_domain: "A domain cell has no domain of a company.",
  invalid_phone: "A phone number is not valid, or has no country code.",
  unknown_stage: "A stage in the file has no stage of yours chosen for it.",
  filled: "The record already has a value, which stays.",
  stronger: "A person entered the record's value, which stays.",
  identifier_conflict: "The row's identifiers belong to different records.",
  too_long: "A value is longer than its field allows.",
  repeats: "An earlier row is about the same record, so only blanks are filled.",
  cell_too_long: "A cell is longer than 2,000,000 characters.",
  too_many_cells: "The row has more cells than the header.",
  invalid_date: "A date is ambiguous or not a date.",
  invalid_number: "A number of employees is not a number.",
  unknown_record: "No record has the row's identifiers, and this import creates no new ones.",
  erased: "The person was erased and is not created again.",
};

/** A short form for the database: rows are many. */
type Stored =
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
      (result): Stored =>
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
  (JSON.parse(text) as Stored[]).map(
    (stored) =>
      stored && {
        outcome: outcomes[stored[0]] as Outcome,
        entityId: stored[1],
        label: stored[2],
        changes: stored[3],
        reasons: stored[4].map(([code, message, column]) => ({ code, message, column })),
      },
  );
