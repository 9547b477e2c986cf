import { createHash } from "node:crypto";
import { type Fault, isFault } from "#lib/core/errors.ts";
import { fold } from "#lib/core/fold.ts";
import { foreseeEach, type Named, type Resolved, resolveEach } from "#lib/domain/entities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { noteTypes } from "#lib/domain/notes/contract.ts";
import { formatNoteDate, saveNoteOnce } from "#lib/domain/notes/service.ts";
import type { Attached } from "#lib/domain/people/service.ts";
import {
  findTimes,
  foreseeRecorded,
  type GivenRow,
  importRows,
  type RowDone,
  type Terms,
} from "#lib/domain/people/service.ts";
import type { Batch } from "../queries/batches.ts";
import { findNamed } from "../queries/companies.ts";
import type { ImportRecord } from "../queries/imports.ts";
import type { RowReason, RowResult } from "../rules/progress.ts";
import {
  companyIn,
  type GivenNote,
  noteIn,
  type Plan,
  personIn,
  planOf,
  shapeProblem,
  type Understood,
} from "../rules/rows.ts";
import { erasedAmong } from "./hooks.ts";
import type { Seen } from "./seen.ts";

export const SOURCE = "csv_import";

export type Imported = {
  results: (RowResult | null)[];
  touched: string[];
  created: string[];
  attached: Attached[];
  /** when the rows that may change last changed */
  times: Record<string, string>;
};

type Read<T> = Understood<T> & { row: number };

/** A row's identifiers, as `Seen` and tombstones know them. */
const namesOfRow = ({ fields, more }: GivenRow): Named[] => [
  ...(["email", "linkedin_url", "domain"] as const).flatMap((kind) =>
    typeof fields[kind] === "string" ? [{ kind, value: fields[kind] }] : [],
  ),
  ...more,
];

/** Imports the rows of a batch, or says what that would do. One fault per row: none stops the others. */
export function importBatch(
  ctx: Ctx,
  record: ImportRecord,
  batch: Batch,
  seen: Seen,
  dryRun: boolean,
): Promise<Imported> {
  const plan = planOf(record.columns, record.stageValues);
  const terms = { source: SOURCE, overwrite: record.policy === "overwrite", create: record.creates, dryRun };
  return record.kind === "notes"
    ? importNotes(ctx, plan, batch, terms)
    : importRecords(ctx, record.kind === "people" ? "person" : "company", plan, batch, seen, terms);
}

/** Remembers the identifiers of a batch that was imported by a process that is gone. */
export function look(record: ImportRecord, batch: Batch, seen: Seen): void {
  if (record.kind === "notes") return;
  const plan = planOf(record.columns, record.stageValues);
  const now = new Date();
  for (const [index, cells] of batch.cells.entries()) {
    if (cells.length === 0 || shapeProblem(plan, cells)) continue;
    const { given } = record.kind === "people" ? personIn(plan, cells, now) : companyIn(plan, cells, now);
    if (given) seen.take(namesOfRow(given), batch.firstRow + index);
  }
}

async function importRecords(
  ctx: Ctx,
  kind: "person" | "company",
  plan: Plan,
  batch: Batch,
  seen: Seen,
  terms: Terms,
): Promise<Imported> {
  const results: (RowResult | null)[] = batch.cells.map(() => null);
  const now = new Date();
  const read: (Read<GivenRow> & { index: number; name: string | null })[] = [];
  for (const [index, cells] of batch.cells.entries()) {
    if (cells.length === 0) continue;
    const problem = shapeProblem(plan, cells);
    if (problem) {
      results[index] = skipped(null, [problem]);
      continue;
    }
    const understood = kind === "person" ? { ...personIn(plan, cells, now), name: null } : companyIn(plan, cells, now);
    if (understood.given) read.push({ ...understood, index, row: batch.firstRow + index });
    else results[index] = skipped(understood.label, understood.reasons);
  }
  if (kind === "company") await nameCompanies(ctx, read, results);
  const erased = await erasedAmong(
    ctx,
    read.flatMap(({ given }) => namesOfRow(given as GivenRow)),
  );
  const rows = read.filter(({ given, label, index }) => {
    if (results[index]) return false;
    if (!namesOfRow(given as GivenRow).some((item) => erased.has(`${item.kind} ${item.value}`))) return true;
    results[index] = skipped(label, [
      { code: "erased", message: "This person was erased, and is not created again.", column: null },
    ]);
    return false;
  });
  const repeats = rows.map(({ given, row }) => seen.take(namesOfRow(given as GivenRow), row));
  const imported = await importRows(
    ctx,
    kind,
    rows.map(({ given }, place) => ({ ...(given as GivenRow), repeats: repeats[place] !== null })),
    terms,
  );
  for (const [place, { index, label, reasons }] of rows.entries()) {
    const first = repeats[place] ?? null;
    results[index] = resultOf(imported.done[place] as RowDone | Fault, label, reasons, { first, batch, terms });
  }
  const { done: _, ...trace } = imported;
  return { results, ...trace };
}

/** Companies without domain and LinkedIn page are those of that name, when there is one. */
async function nameCompanies(
  ctx: Ctx,
  read: (Read<GivenRow> & { index: number; name: string | null })[],
  results: (RowResult | null)[],
): Promise<void> {
  const unnamed = read.filter(({ given }) => namesOfRow(given as GivenRow).length === 0);
  if (unnamed.length === 0) return;
  const found = Map.groupBy(
    await findNamed(
      ctx.db,
      unnamed.map(({ name }) => name as string),
    ),
    ({ name }) => name,
  );
  for (const one of unnamed) {
    const companies = found.get(fold(one.name as string)) ?? [];
    const [company] = companies;
    if (company && companies.length === 1) {
      const { fields, ...rest } = one.given as GivenRow;
      one.given = { ...rest, fields: { ...fields, [company.kind]: company.value } };
      continue;
    }
    const message =
      companies.length > 1
        ? "Several companies have this name; give a domain or LinkedIn URL."
        : "No company has this name, and a new one needs a domain or LinkedIn URL.";
    results[one.index] = skipped(one.label, [...one.reasons, { code: "unknown_name", message, column: null }]);
  }
}

const skipped = (label: string | null, reasons: RowReason[]): RowResult => ({
  outcome: "skipped",
  entityId: null,
  label,
  changes: [],
  reasons,
});

type Circumstances = { first: number | null; batch: Batch; terms: Terms };

function resultOf(
  done: RowDone | Fault,
  label: string | null,
  reasons: RowReason[],
  { first, batch, terms }: Circumstances,
): RowResult {
  if (isFault(done)) return skipped(label, [...reasons, reasonOf(done)]);
  const { entity, changed, kept } = done;
  const more: RowReason[] = kept.map(({ property, why }) => ({
    code: why,
    message: `${property} stays as it is: ${why === "stronger" ? "a person wrote it" : "the record has a value"}.`,
    column: null,
  }));
  if (first !== null)
    more.unshift({
      code: "repeats",
      message: `Row ${first} is about the same record, so only blanks are filled.`,
      column: null,
    });
  // In a dry run nothing was created for the row above.
  const imaginary = terms.dryRun && entity.created;
  const again = imaginary && first !== null && first < batch.firstRow;
  return {
    outcome: again ? "unchanged" : entity.created ? "created" : changed.length > 0 ? "updated" : "unchanged",
    entityId: imaginary ? null : entity.id,
    label,
    changes: again ? [] : changed,
    reasons: [...reasons, ...more],
  };
}

function reasonOf({ code, message, extras }: Fault): RowReason {
  if (code === "entity_not_found")
    return {
      code: "unknown_record",
      message: "No record has the row's identifiers, and new ones are not created.",
      column: null,
    };
  if (code === "identifier_conflict") {
    const both = [extras.other_id, extras.entity_id].filter(Boolean).join(" and ");
    return { code, message: `${message.replace(/\.$/, "")}: the row's identifiers name ${both}.`, column: null };
  }
  return { code, message, column: null };
}

async function importNotes(ctx: Ctx, plan: Plan, batch: Batch, terms: Terms): Promise<Imported> {
  const results: (RowResult | null)[] = batch.cells.map(() => null);
  const read: (Read<GivenNote> & { index: number })[] = [];
  for (const [index, cells] of batch.cells.entries()) {
    if (cells.length === 0) continue;
    const problem = shapeProblem(plan, cells);
    const understood = problem ? { given: null, label: null, reasons: [problem] } : noteIn(plan, cells);
    if (understood.given) read.push({ ...understood, index, row: batch.firstRow + index });
    else results[index] = skipped(understood.label, understood.reasons);
  }
  const wanted = read.map(({ given }) => {
    const { named } = given as GivenNote;
    const isCompany = named.kind === "domain" || named.value.includes("linkedin.com/company/");
    return { named: [named], type: isCompany ? ("company" as const) : ("person" as const), create: terms.create };
  });
  const owners = terms.dryRun ? await foreseeEach(ctx, wanted) : await resolveEach(ctx, wanted, SOURCE);
  const known = owners.flatMap((owner) => (isFault(owner) || owner.created ? [] : [owner.id]));
  const times = terms.dryRun ? {} : await findTimes(ctx.db, known, [], []);
  const touched = new Set<string>();
  const created = new Set<string>();
  const attached: Attached[] = [];
  for (const [place, { given, index, label, reasons }] of read.entries()) {
    const owner = owners[place] as Resolved | Fault;
    if (isFault(owner)) {
      results[index] = skipped(label, [...reasons, reasonOf(owner)]);
      continue;
    }
    const isNew = await keepNote(ctx, owner, given as GivenNote, terms.dryRun);
    if (isNew) touched.add(owner.id);
    if (owner.created) created.add(owner.id);
    attached.push(...owner.attached.map((item) => ({ ...item, entityId: owner.id })));
    const entityId = terms.dryRun && owner.created ? null : owner.id;
    results[index] = {
      outcome: isNew ? "created" : "unchanged",
      entityId,
      label,
      changes: isNew ? ["note"] : [],
      reasons,
    };
  }
  return { results, touched: [...touched], created: [...created], attached, times };
}

/** False when the record has the note already: the same words, title and day from an import. */
async function keepNote(
  ctx: Ctx,
  owner: Resolved,
  { content, title, date, type }: GivenNote,
  dryRun: boolean,
): Promise<boolean> {
  const day = date ? formatNoteDate(date) : "";
  const externalId = `csv:${createHash("sha256")
    .update(`${title ?? ""}\n${day}\n${content}`)
    .digest("hex")
    .slice(0, 32)}`;
  const kind = noteTypes.find((one) => one === type?.toLowerCase().replaceAll(/[\s-]+/g, "_")) ?? "note";
  if (!dryRun)
    return (await saveNoteOnce(ctx, owner, { content, type: kind, title, date, source: SOURCE, externalId })) !== null;
  if (owner.created) return true;
  const draft = {
    kind: "event",
    property: "note.saved",
    value: {},
    source: SOURCE,
    method: "asserted",
    observedAt: null,
    externalId,
  } as const;
  const [foreseen] = await foreseeRecorded(ctx, [{ entity: owner, drafts: [draft] }]);
  return foreseen?.recorded === 1;
}
