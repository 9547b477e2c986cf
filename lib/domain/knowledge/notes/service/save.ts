import type { z } from "zod";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import {
  type About,
  countNew,
  findMeant,
  holdEntities,
  type Outcome,
  recordOne,
  type Seen,
} from "#lib/domain/crm/recording/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { type Resolved, resolveExisting } from "#lib/domain/records/entities/service.ts";
import { type Draft, retirementOf, sourceOf } from "#lib/domain/records/evidence/service.ts";
import { emit } from "#lib/domain/records/outbox/service.ts";
import { deferEnqueue } from "#lib/jobs/queue.ts";
import * as contract from "../contract.ts";
import { findNoteVersions, findToSupersede, insertNote, type ToSupersede } from "../queries/notes.ts";
import { enqueueEmbedding } from "../queries/vectors.ts";
import { formatNoteDate, type NoteDate } from "../rules/note-dates.ts";
import { metadataOf } from "../serialize.ts";
import { embedding, findEndpoint } from "./embedding.ts";
import { indexNote, unindexNote } from "./indexing.ts";
import { noteOnWorkspace } from "./read.ts";
import { indexing } from "./tidying.ts";

export const saveNote = implement(contract.saveNote, async (ctx, { focus, content, type, title, date, supersedes }) => {
  if (supersedes !== undefined)
    return correctNote(ctx, await resolveExisting(ctx, focus), supersedes, { content, type, title, date });
  const { about, type: kind, seen } = await findMeant(ctx, focus);
  if (kind === "workspace") throw noteOnWorkspace();
  return saveNoteAbout(ctx, about, { content, type: type ?? "note", title: title ?? null, date: date ?? null }, seen);
});

type Given = Pick<z.output<typeof contract.saveNote.input>, "content" | "type" | "title" | "date">;

/**
 * Keeps a note as the correction of another on the same person or company, which leaves lists and search at once. Throws 404
 * `note_not_found` and 409 `note_already_superseded`.
 */
async function correctNote(ctx: Ctx, found: Resolved, supersedes: string, { content, type, title, date }: Given) {
  if (found.type === "workspace") throw noteOnWorkspace();
  const standing = (await holdEntities(ctx, [found.id])).get(found.id);
  const entity = { ...found, ...standing };
  const old = await findToSupersede(ctx.db, supersedes);
  if (!old || ![entity.id, ...entity.absorbed].includes(old.entityId)) throw new Fault("note_not_found");
  if (old.supersededBy) {
    const [current] = await findNoteVersions(ctx.db, old.id);
    throw new Fault("note_already_superseded", { current_id: current?.id ?? old.supersededBy });
  }
  const draft = {
    content,
    type: type ?? old.type,
    title: title ?? old.title,
    date: date ?? { time: old.date, dateOnly: old.dateOnly },
  };
  const saved = await keep(ctx, { id: entity.id }, draft, { old });
  if (!saved.note) throw new Error("a correction is never a repetition");
  await unindexNote(ctx.db, old.id);
  return saved.note;
}

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
export async function saveNoteAbout(ctx: Ctx, about: About, draft: NoteDraft, seen?: Seen) {
  const saved = await keep(ctx, about, draft, { seen });
  if (!saved.note) throw new Error("a note without an external id is never a repetition");
  return saved.note;
}

/**
 * Like `saveNoteAbout`, once for each source and `externalId`: `note` is null when this person or company has it already.
 * `told`: what was recorded of it.
 */
export const saveNoteOnce = (ctx: Ctx, about: About, { externalId, ...draft }: NoteDraft & { externalId: string }) =>
  keep(ctx, about, draft, { externalId });

type Kept = { externalId?: string; old?: ToSupersede; seen?: Seen | undefined };

async function keep(ctx: Ctx, about: About, draft: NoteDraft, { externalId, old, seen }: Kept) {
  const id = newId();
  const eventId = newId();
  const { content, type, title, date: given, source = sourceOf(ctx) } = draft;
  const value = { note_id: id, type, title, ...(given ? { date: formatNoteDate(given) } : {}) };
  const observedAt = given?.time ?? null;
  const said: Draft[] = [
    {
      ...(old ? { id: eventId } : {}),
      ...(externalId === undefined ? {} : { externalId }),
      ...{ kind: "event", property: "note.saved", value, source, method: "asserted", observedAt },
    },
    // The timeline shows the correction in the place of what it corrects.
    ...(old?.eventId ? [retirementOf(ctx, old.eventId, { replaced_by: eventId })] : []),
  ];
  const told = await recordOne(ctx, { about, said }, seen);
  const { at, entity, outcomes } = told;
  const [saved] = outcomes as [Outcome];
  if (countNew(told) === 0) return { told, note: null };
  emit(ctx, at, [{ type: "note.saved", entityId: entity.id, observationId: saved.id, data: { note_id: id } }]);
  const { time: date, dateOnly } = given ?? { time: at, dateOnly: false };
  const actor = `${ctx.actor.type}:${ctx.actor.id}`;
  const note = { id, entityId: entity.id, type, title, date, dateOnly, content, source, actor, client: ctx.client };
  await insertNote(ctx.db, { ...note, createdAt: at, supersedes: old?.id ?? null });
  const whole = await indexNote(ctx.db, note);
  await enqueueEmbedding(ctx.db, id);
  if (!whole) deferEnqueue(ctx.db, indexing, {});
  if (findEndpoint()) deferEnqueue(ctx.db, embedding, {});
  return { told, note: { note: { id, metadata: metadataOf(note) }, entity_id: entity.id, doc_type: type } };
}
