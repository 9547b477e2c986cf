import { newId } from "#lib/core/ids.ts";
import { type Resolved, resolveForWrite } from "#lib/domain/entities/service.ts";
import { sourceOf } from "#lib/domain/evidence/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { emit } from "#lib/domain/outbox/service.ts";
import { recordAbout } from "#lib/domain/people/service.ts";
import { deferEnqueue } from "#lib/jobs/queue.ts";
import * as contract from "../contract.ts";
import { insertNote } from "../queries/notes.ts";
import { enqueueEmbedding } from "../queries/vectors.ts";
import { formatNoteDate, type NoteDate } from "../rules/note-dates.ts";
import { metadataOf } from "../serialize.ts";
import { embedding, findEndpoint } from "./embedding.ts";
import { indexNote } from "./indexing.ts";
import { noteOnWorkspace } from "./read.ts";
import { indexing } from "./tidying.ts";

export const saveNote = implement(contract.saveNote, async (ctx, { focus, content, type, title, date }) => {
  const entity = await resolveForWrite(ctx, focus);
  if (entity.type === "workspace") throw noteOnWorkspace();
  return saveNoteAbout(ctx, entity, { content, type, title: title ?? null, date: date ?? null });
});

export type NoteDraft = {
  content: string;
  type: contract.NoteType;
  title: string | null;
  /** null: the moment it is saved */
  date: NoteDate | null;
  /** default: the caller's */
  source?: string;
};

/**
 * Keeps a document on a person or company and makes it findable, in the caller's transaction. Its evidence is an event
 * `note.saved` at the note's own date: it shows on the timeline, no stage rule applies to it, and a document about last
 * year does not look like activity today.
 */
export async function saveNoteAbout(ctx: Ctx, entity: Resolved, draft: NoteDraft) {
  const saved = await keep(ctx, entity, draft, {});
  if (!saved) throw new Error("a note without an external id is never a repetition");
  return saved;
}

/** Like `saveNoteAbout`, once for each source and `externalId`: null when this person or company has it already. */
export const saveNoteOnce = (
  ctx: Ctx,
  entity: Resolved,
  { externalId, ...draft }: NoteDraft & { externalId: string },
) => keep(ctx, entity, draft, { externalId });

async function keep(ctx: Ctx, entity: Resolved, draft: NoteDraft, repeated: { externalId?: string }) {
  const id = newId();
  const { content, type, title, date: given, source = sourceOf(ctx) } = draft;
  const value = { note_id: id, type, title, ...(given ? { date: formatNoteDate(given) } : {}) };
  const observedAt = given?.time ?? null;
  const {
    at,
    recorded,
    ids: [saved = null],
  } = await recordAbout(ctx, entity, [
    { kind: "event", property: "note.saved", value, source, method: "asserted", observedAt, ...repeated },
  ]);
  if (recorded === 0) return null;
  emit(ctx, at, [{ type: "note.saved", entityId: entity.id, observationId: saved, data: { note_id: id } }]);
  const { time: date, dateOnly } = given ?? { time: at, dateOnly: false };
  const actor = `${ctx.actor.type}:${ctx.actor.id}`;
  const note = { id, entityId: entity.id, type, title, date, dateOnly, content, source, actor, client: ctx.client };
  await insertNote(ctx.db, { ...note, createdAt: at });
  const whole = await indexNote(ctx.db, note);
  await enqueueEmbedding(ctx.db, id);
  if (!whole) deferEnqueue(ctx.db, indexing, {});
  if (findEndpoint()) deferEnqueue(ctx.db, embedding, {});
  return { note: { id, metadata: metadataOf(note) }, entity_id: entity.id, doc_type: type };
}
