import { hash } from "node:crypto";
import { isUuid } from "#lib/core/ids.ts";
import { recordTraced, type Terms } from "#lib/domain/crm/people/service.ts";
import type { About } from "#lib/domain/crm/recording/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { noteTypes } from "#lib/domain/knowledge/notes/contract.ts";
import {
  findContents,
  formatNoteDate,
  keepNotes,
  type NoteDraft,
  noteFor,
} from "#lib/domain/knowledge/notes/service.ts";
import { type Identifier, typeNamedBy } from "#lib/domain/records/entities/service.ts";
import type { GivenNote } from "../rules/note-rows.ts";
import type { RowResult } from "../rules/progress.ts";
import { importReports } from "./one-report-each.ts";
import { type ImportedBatch, type PreparedBatch, SOURCE, skipped } from "./prepare.ts";

/** Rows that are notes, each about a person or company. */
export async function importNotes(
  ctx: Ctx,
  prepared: PreparedBatch & { kind: "note" },
  terms: Terms,
  locksTaken: () => void,
): Promise<Omit<ImportedBatch, "leftOut">> {
  const results = [...prepared.results];
  const rows = await newNotes(ctx, prepared, results);
  const record = async () => {
    const notes = rows.map(({ given }) => noteFor(ctx, aboutOf(given, terms), draftOf(given)));
    const recorded = await recordTraced(
      ctx,
      notes.map(({ report }) => report),
      terms,
    );
    if (!terms.dryRun) await keepNotes(ctx, notes, recorded.results);
    return recorded;
  };
  return importReports(ctx, { rows, results, what: "note", dryRun: terms.dryRun, locksTaken, record });
}

type NoteRow = (PreparedBatch & { kind: "note" })["rows"][number];
type NewNote = NoteRow & { given: { named: Identifier } };

/** The rows that are no note that there is, with whose they are. The others get a result. */
async function newNotes(
  ctx: Ctx,
  { rows }: PreparedBatch & { kind: "note" },
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

const aboutOf = ({ named }: NewNote["given"], { create }: Terms): About => ({
  named: [named],
  type: typeNamedBy(named.kind, named.value),
  create,
});

/** The same words, title and day from an import are the same note. */
function externalIdOf({ content, title, date }: GivenNote): string {
  const day = date ? formatNoteDate(date) : "";
  return `csv:${hash("sha256", `${title ?? ""}\n${day}\n${content}`).slice(0, 32)}`;
}

function draftOf(note: GivenNote): NoteDraft {
  const { content, title, date } = note;
  const type = noteTypes.find((one) => one === note.type?.toLowerCase().replaceAll(/[\s-]+/g, "_")) ?? "note";
  return { content, type, title, date, source: SOURCE, externalId: externalIdOf(note) };
}
