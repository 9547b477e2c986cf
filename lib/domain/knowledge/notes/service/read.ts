import { z } from "zod";
import { Fault } from "#lib/core/errors.ts";
import { cursorsOf, pageOf } from "#lib/core/paging.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { evidenceIds, resolveExisting } from "#lib/domain/records/entities/service.ts";
import { shorten } from "#lib/text/clip.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import { findNote, findNotes, findNoteVersions, type NoteFilter, type NoteOpening } from "../queries/notes.ts";
import { SNIPPET } from "../rules/snippets.ts";
import { dateOf, storedOf, summaryOf } from "../serialize.ts";

export const getNote = implement(contract.getNote, async (ctx, { id }) => {
  const note = await findNote(ctx.db, id);
  if (!note) throw new Fault("note_not_found");
  const versions = await findNoteVersions(ctx.db, id);
  return {
    note: { ...storedOf(note), content: note.content },
    entity_id: note.entityId,
    doc_type: note.type,
    versions: versions.map((version, index) => ({
      id: version.id,
      source: version.source,
      created_at: formatTime(version.createdAt),
      author: version.author,
      current: index === 0,
    })),
  };
});

export const listNotes = implement(contract.listNotes, async (ctx, input) => {
  const { focus, type = null, from: since = null, to, limit, cursor } = input;
  const entityIds = focus === undefined ? null : await entityIdsOf(ctx, focus);
  const after = cursor === undefined ? (to ? endOf(to) : null) : positionOf(ctx, cursor);
  const rows = await findNotes(ctx.db, { entityIds, type, since, after }, limit + 1);
  const { shown, next } = pageOf(ctx, cursors, { rows, limit }, ({ date, id }) => [date.toISOString(), id]);
  return { notes: shown.map(summaryOf), limit, ...next };
});

/**
 * The entities whose notes a focus has: itself and what was merged into it. Throws like `resolveExisting`, and 400 for
 * the workspace.
 */
export async function entityIdsOf(ctx: Ctx, focus: string): Promise<string[]> {
  const entity = await resolveExisting(ctx, focus);
  if (entity.type === "workspace") throw noteOnWorkspace();
  return evidenceIds(entity);
}

export const noteOnWorkspace = (): Fault =>
  new Fault(
    "invalid_focus",
    { parameter: "focus" },
    "Notes are kept on people and companies; for the workspace itself use POST /v2/workspace/facts.",
  );

const cursors = cursorsOf(contract.listNotes.name, z.tuple([Timestamp, Id]));

function positionOf(ctx: Ctx, cursor: string): NonNullable<NoteFilter["after"]> {
  const [date, id] = cursors.decode(ctx, cursor);
  return { date, id };
}

/** The position after all notes of that date or earlier. */
const endOf = (date: Date) => ({ date: date.toISOString(), id: LAST_ID });

/** Sorts after every id of its date. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** An account's documents, the latest first, as other slices show them: of that date or before, saved by then. */
export async function findDocuments(
  ctx: Ctx,
  entityIds: readonly string[],
  limit: number,
  { asOf, knownAt }: { asOf: Date | null; knownAt: Date | null } = { asOf: null, knownAt: null },
) {
  const after = asOf && endOf(asOf);
  const notes = await findNotes(ctx.db, { entityIds, type: null, after, knownAt }, limit);
  return notes.map((note: NoteOpening) => ({
    id: note.id,
    type: note.type,
    title: note.title,
    date: dateOf(note),
    snippet: shorten(note.opening, SNIPPET),
  }));
}
