import type { MemberFinder } from "#lib/auth/named-members.ts";
import { type Fault, isRefusal } from "#lib/core/errors.ts";
import { giveTurn } from "#lib/core/turns.ts";
import { type GivenRow, type ReadRow, readRow, type Traces } from "#lib/domain/crm/people/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { Identifier } from "#lib/domain/records/entities/service.ts";
import type { Batch } from "../queries/batches.ts";
import type { ImportRecord } from "../queries/imports.ts";
import { activityIn, type GivenActivity } from "../rules/activity-rows.ts";
import { companyIn } from "../rules/company-rows.ts";
import { type GivenNote, noteIn } from "../rules/note-rows.ts";
import { personIn } from "../rules/people-rows.ts";
import { type Plan, planOf, shapeProblem } from "../rules/plan.ts";
import type { LeftOut, RowReason, RowResult } from "../rules/progress.ts";
import type { Understood } from "../rules/row-reader.ts";
import type { Seen } from "../rules/seen.ts";

export const SOURCE = "csv_import";

/** A row that names something, with its place in the batch and in the file. */
export type RowWithPlace<T> = { given: T; label: string | null; reasons: RowReason[]; index: number; row: number };

export type ReadRecord = RowWithPlace<GivenRow>;

/** A row that is ready to be imported. `first`: an earlier row about the same record. */
export type ReadyRow = ReadRecord & { read: ReadRow | Fault; first: number | null };

/** A batch as far as it is understood without the database. `results` are those of rows that are skipped already. */
export type PreparedBatch = {
  batch: Batch;
  plan: Plan;
  results: readonly (RowResult | null)[];
  owners: MemberFinder;
} & (
  | { kind: "person"; rows: ReadyRow[] }
  | { kind: "company"; rows: ReadRecord[] }
  | { kind: "note"; rows: RowWithPlace<GivenNote>[] }
  | { kind: "activity"; rows: RowWithPlace<GivenActivity>[] }
);

/** What a batch did, as far as it is shown and undone. */
export type ImportedBatch = { results: (RowResult | null)[]; leftOut: LeftOut; traces: Traces };

/** A row's identifiers, as `Seen` keeps them. */
const namesOfRow = ({ fields, more }: GivenRow): Identifier[] => [
  ...(["email", "linkedin_url", "domain"] as const).flatMap((kind) =>
    typeof fields[kind] === "string" ? [{ kind, value: fields[kind] }] : [],
  ),
  ...more,
];

export const skipped = (label: string | null, reasons: RowReason[]): RowResult => ({
  outcome: "skipped",
  entityId: null,
  label,
  changes: [],
  reasons,
});

/** The result of a row that is refused. Of someone who was erased it keeps nothing: the label could be their name. */
export function refused(label: string | null, reasons: readonly RowReason[], fault: Fault): RowResult {
  return fault.code === "person_erased"
    ? skipped(null, [{ code: "erased", message: fault.message, column: null }])
    : skipped(label, [...reasons, reasonOf(fault)]);
}

function reasonOf({ code, message, extras }: Fault): RowReason {
  if (code === "entity_not_found")
    return {
      code: "unknown_record",
      message: "No record has the row's identifiers, and this import creates no new ones.",
      column: null,
    };
  if (code === "identifier_conflict") {
    const both = [extras.other_id, extras.entity_id].filter(Boolean).join(" and ");
    return { code, message: `${message.replace(/\.$/, "")}: the row's identifiers name ${both}.`, column: null };
  }
  return { code, message, column: null };
}

/** Reads the rows of a batch, a few at a time. */
export async function prepare(
  ctx: Pick<Ctx, "actor">,
  record: ImportRecord,
  batch: Batch,
  seen: Seen,
  owners: MemberFinder,
): Promise<PreparedBatch> {
  const plan = planOf(record);
  if (record.kind === "notes") return { kind: "note", batch, plan, owners, ...(await readEach(plan, batch, noteIn)) };
  if (record.kind === "activities")
    return { kind: "activity", batch, plan, owners, ...(await readEach(plan, batch, activityIn)) };
  const now = new Date();
  if (record.kind === "companies") {
    const read = await readEach(plan, batch, (_, cells) => companyIn(plan, cells, now));
    return { kind: "company", batch, plan, owners, ...read };
  }
  const { rows, results } = await readEach(plan, batch, (_, cells) => personIn(plan, cells, now));
  return { kind: "person", batch, plan, owners, results, rows: await placed(ctx, "person", rows, seen, owners) };
}

async function readEach<T, U extends Understood<T>>(
  plan: Plan,
  batch: Batch,
  understand: (plan: Plan, cells: Batch["cells"][number]) => U & Understood<T>,
) {
  const results: (RowResult | null)[] = batch.cells.map(() => null);
  const rows: (Omit<U, "given"> & RowWithPlace<T>)[] = [];
  for (const [index, cells] of batch.cells.entries()) {
    await giveTurn(index);
    if (cells.length === 0) continue;
    const problem = shapeProblem(plan, cells);
    if (problem) {
      results[index] = skipped(null, [problem]);
      continue;
    }
    const { given, ...rest } = understand(plan, cells);
    if (given === null) results[index] = skipped(rest.label, rest.reasons);
    else rows.push({ ...rest, given, index, row: batch.firstRow + index });
  }
  return { rows, results };
}

/** The rows with what earlier ones were about, parsed. */
export async function placed(
  ctx: Pick<Ctx, "actor">,
  kind: "person" | "company",
  rows: readonly ReadRecord[],
  seen: Seen,
  owners: MemberFinder,
): Promise<ReadyRow[]> {
  const done: ReadyRow[] = [];
  for (const [place, one] of rows.entries()) {
    await giveTurn(place);
    const first = seen.take(namesOfRow(one.given), one.row);
    const owned = withOwner(one, owners);
    const rowToRead = { ...owned.given, repeats: first !== null };
    done.push({ ...owned, given: rowToRead, first, read: readRow(ctx, kind, rowToRead, owners) });
  }
  return done;
}

/** A row whose owner is a member; a name that none has is kept as a custom property. */
function withOwner(row: ReadRecord, owners: MemberFinder): ReadRecord {
  const { owner, ...fields } = row.given.fields;
  if (typeof owner !== "string" || isMember(owners, owner)) return row;
  const reason = {
    code: "unknown_owner",
    message: `No member is called ${owner}; it is kept as the custom property owner_text.`,
    column: null,
    cells: 0,
  };
  return {
    ...row,
    given: { ...row.given, fields: { owner_text: owner, ...fields } },
    reasons: [...row.reasons, reason],
  };
}

function isMember(owners: MemberFinder, text: string): boolean {
  try {
    return owners(text, "owner") !== null;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** Remembers the identifiers of a batch that was imported by a process that is gone. */
export function look(record: ImportRecord, batch: Batch, seen: Seen): void {
  if (record.kind === "notes" || record.kind === "activities") return;
  const plan = planOf(record);
  const now = new Date();
  for (const [index, cells] of batch.cells.entries()) {
    if (cells.length === 0 || shapeProblem(plan, cells)) continue;
    const { given } = record.kind === "people" ? personIn(plan, cells, now) : companyIn(plan, cells, now);
    if (given) seen.take(namesOfRow(given), batch.firstRow + index);
  }
}
