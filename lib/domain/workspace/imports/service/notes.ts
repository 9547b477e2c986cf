import { hash } from "node:crypto";
import { type Fault, isFault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import { recordTraced, type Terms } from "#lib/domain/crm/people/service.ts";
import { type About, countNew, holdIdentifiers, type ReportResult } from "#lib/domain/crm/recording/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { noteTypes } from "#lib/domain/knowledge/notes/contract.ts";
import {
  findContents,
  formatNoteDate,
  keepNotes,
  type NoteDraft,
  noteFor,
} from "#lib/domain/knowledge/notes/service.ts";
import { type Identifier, identifierKey } from "#lib/domain/records/entities/service.ts";
import type { RowResult } from "../rules/progress.ts";
import type { GivenNote } from "../rules/rows.ts";
import { erasedAmong, type Imported, type Prepared, reasonOf, SOURCE, skipped, wasErased } from "./prepare.ts";

/** Rows that are notes, each about a person or company. */
export async function importNotes(
  ctx: Ctx,
  prepared: Prepared & { kind: "note" },
  terms: Terms,
  held: () => void,
): Promise<Omit<Imported, "leftOut">> {
  const results = [...prepared.results];
  const rows = await newNotes(ctx, prepared, results);
  const names = rows.map(({ given }) => given.named);
  if (!terms.dryRun) await holdIdentifiers(ctx, names);
  held();
  const erased = await erasedAmong(ctx, names);
  const read = rows.filter(({ given: { named }, index }) => {
    if (!erased.has(identifierKey(named))) return true;
    results[index] = wasErased;
    return false;
  });
  const notes = read.map(({ given }) => noteFor(ctx, aboutOf(given, terms), draftOf(given)));
  const reports = notes.map(({ report }) => report);
  const { results: told, traces } = await recordTraced(ctx, reports, terms);
  if (!terms.dryRun) await keepNotes(ctx, notes, told);
  for (const [place, { index, label, reasons }] of read.entries()) {
    const one = told[place] as ReportResult | Fault;
    if (isFault(one)) {
      results[index] = skipped(label, [...reasons, reasonOf(one)]);
      continue;
    }
    const { entity } = one;
    const isNew = countNew(one) > 0;
    results[index] = {
      outcome: isNew ? "created" : "unchanged",
      entityId: terms.dryRun && entity.created ? null : entity.id,
      label,
      changes: isNew ? ["note"] : [],
      reasons,
    };
  }
  return { results, traces };
}

type NoteRow = (Prepared & { kind: "note" })["rows"][number];
type NewNote = NoteRow & { given: { named: Identifier } };

/** The rows that are no note that there is, with whose they are. The others get a result. */
async function newNotes(
  ctx: Ctx,
  { rows }: Prepared & { kind: "note" },
  results: (RowResult | null)[],
): Promise<NewNote[]> {
  const ids = rows.flatMap(({ given: { id } }) => (id !== null && isUuid(id) ? [id.toLowerCase()] : []));
  const there = ids.length > 0 ? await findContents(ctx.db, ids) : new Map<string, string>();
  return rows.flatMap((row) => {
    const { given, label, reasons, index } = row;
    const { named, id } = given;
    if (id !== null && there.get(id.toLowerCase())?.trim() === given.content.trim()) {
      results[index] = { outcome: "unchanged", entityId: null, label, changes: [], reasons };
      return [];
    }
    if (named) return [{ ...row, given: { ...given, named } }];
    const message = "The row does not say which person or company the note is about.";
    results[index] = skipped(label, [{ code: "no_identifier", message, column: null }, ...reasons]);
    return [];
  });
}

function aboutOf({ named }: NewNote["given"], { create }: Terms): About {
  const isCompany = named.kind === "domain" || named.value.includes("linkedin.com/company/");
  return { named: [named], type: isCompany ? "company" : "person", create };
}

/** The same words, title and day from an import are the same note. */
function externalIdOf({ content, title, date }: GivenNote): string {
  const day = date ? formatNoteDate(date) : "";
  return `csv:${hash("sha256", `${title ?? ""}\n${day}\n${content}`).slice(0, 32)}`;
}

function draftOf(given: GivenNote): NoteDraft {
  const { content, title, date } = given;
  const type = noteTypes.find((one) => one === given.type?.toLowerCase().replaceAll(/[\s-]+/g, "_")) ?? "note";
  return { content, type, title, date, source: SOURCE, externalId: externalIdOf(given) };
}
