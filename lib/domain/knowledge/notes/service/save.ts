import type { z } from "zod";
import { nameOfActor } from "#lib/core/context.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { leavesToPeople } from "#lib/core/plans.ts";
import {
  type About,
  countNew,
  type DraftResult,
  findMeant,
  holdEntities,
  type Report,
  type ReportLookup,
  type ReportResult,
  recordOne,
} from "#lib/domain/crm/recording/service.ts";
import { LeftToPerson } from "#lib/domain/holding.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { evidenceIds, type ResolvedEntity, resolveExisting } from "#lib/domain/records/entities/service.ts";
import { type Draft, retirementOf, sourceOf } from "#lib/domain/records/evidence/service.ts";
import { emit } from "#lib/domain/records/outbox/service.ts";
import { deferEnqueue } from "#lib/jobs/queue.ts";
import { isOfImport } from "#lib/text/client-label.ts";
import * as contract from "../contract.ts";
import { findNoteVersions, findToSupersede, insertNote, type ToSupersede } from "../queries/notes.ts";
import { enqueueEmbedding } from "../queries/vectors.ts";
import type { NoteDate } from "../rules/note-dates.ts";
import { formatNoteDate, metadataOf } from "../serialize.ts";
import { embedding, findEndpoint } from "./embedding.ts";
import { indexNotes, unindexNote } from "./indexing.ts";
import { noteOnWorkspace } from "./read.ts";
import { indexing } from "./tidying.ts";

export const saveNote = implement(contract.saveNote, async (ctx, { focus, content, type, title, date, supersedes }) => {
  if (supersedes !== undefined)
    return correctNote(ctx, await resolveExisting(ctx, focus), supersedes, { content, type, title, date });
  const { about, type: kind, seen } = await findMeant(ctx, focus);
  if (kind === "workspace") throw noteOnWorkspace();
  return saveNoteAbout(ctx, about, { content, type: type ?? "note", title: title ?? null, date: date ?? null }, seen);
});

type NoteFields = Pick<z.output<typeof contract.saveNote.input>, "content" | "type" | "title" | "date">;

/**
 * Keeps a note as the correction of another on the same person or company, which leaves lists and search at once. Throws 404
 * `note_not_found` and 409 `note_already_superseded`.
 */
async function correctNote(
  ctx: Ctx,
  contact: ResolvedEntity,
  supersedes: string,
  { content, type, title, date }: NoteFields,
) {
  if (contact.type === "workspace") throw noteOnWorkspace();
  const standing = (await holdEntities(ctx, [contact.id])).get(contact.id);
  const entity = { ...contact, ...standing };
  const old = await findToSupersede(ctx.db, supersedes);
  if (!old || !evidenceIds(entity).includes(old.entityId)) throw new Fault("note_not_found");
  if (old.supersededBy) {
    const [current] = await findNoteVersions(ctx.db, old.id);
    throw new Fault("note_already_superseded", { current_id: current?.id ?? old.supersededBy });
  }
  if (leavesToPeople(ctx) && old.actor.startsWith("user:") && !isOfImport(old.client)) throw new LeftToPerson();
  const draft = {
    content,
    type: type ?? old.type,
    title: title ?? old.title,
    date: date ?? { time: old.date, dateOnly: old.dateOnly },
  };
  const [saved] = await keep(ctx, noteFor(ctx, { id: entity.id }, draft, old));
  if (!saved) throw new Error("a correction is never a repetition");
  await unindexNote(ctx.db, old.id);
  return saved;
}

export type NoteDraft = {
  content: string;
  type: contract.NoteType;
  title: string | null;
  /** null: the moment it is saved */
  date: NoteDate | null;
  /** default: the caller's */
  source?: string;
  externalId?: string;
};

/**
 * Keeps a document on a person or company and makes it findable, in the caller's transaction. Its evidence is an event
 * `note.saved` at the note's own date: it shows on the timeline, no stage rule applies to it, and a document about last
 * year does not look like activity today.
 */
export async function saveNoteAbout(ctx: Ctx, about: About, draft: NoteDraft, seen?: ReportLookup) {
  const [saved] = await keep(ctx, noteFor(ctx, about, draft), seen);
  if (!saved) throw new Error("a note without an external id is never a repetition");
  return saved;
}

/** Like `saveNoteAbout`, once for each source and `externalId`: nothing happens when this person or company has it already. */
export async function saveNoteOnce(ctx: Ctx, about: About, draft: NoteDraft & { externalId: string }): Promise<void> {
  await keep(ctx, noteFor(ctx, about, draft));
}

/** A note that is to be kept, with what is said of it. */
export type NoteToKeep = { id: string; draft: NoteDraft; old: ToSupersede | null; report: Report };

/** With an external id, one that the record has from the same source already is not kept again. */
export function noteFor(ctx: Ctx, about: About, draft: NoteDraft, old: ToSupersede | null = null): NoteToKeep {
  const id = newId();
  const eventId = newId();
  const { type, title, date, externalId, source = sourceOf(ctx) } = draft;
  const value = { note_id: id, type, title, ...(date ? { date: formatNoteDate(date) } : {}) };
  const observedAt = date?.time ?? null;
  const drafts: Draft[] = [
    {
      ...(old ? { id: eventId } : {}),
      ...(externalId === undefined ? {} : { externalId }),
      ...{ kind: "event", property: "note.saved", value, source, method: "asserted", observedAt },
    },
    // The timeline shows the correction in the place of what it corrects.
    ...(old?.eventId ? [retirementOf(ctx, old.eventId, { replaced_by: eventId })] : []),
  ];
  return { id, draft, old, report: { about, drafts } };
}

const keep = async (ctx: Ctx, note: NoteToKeep, seen?: ReportLookup) =>
  keepNotes(ctx, [note], [await recordOne(ctx, note.report, seen)]);

/**
 * Keeps notes that were just recorded, and makes them findable: with few statements, sent with the COMMIT. `told`: the results of their
 * reports. Null in the place of one that was refused, or that the record has already.
 */
export async function keepNotes(ctx: Ctx, notes: readonly NoteToKeep[], results: readonly (ReportResult | Fault)[]) {
  const rows = notes.map((note, place) => rowOf(ctx, note, results[place] as ReportResult | Fault));
  const fresh = rows.filter((row) => row !== null);
  const [first] = fresh;
  if (first) {
    emit(
      ctx,
      first.createdAt,
      fresh.map(({ id, entityId, observationId }) => ({
        ...{ type: "note.saved", entityId, observationId, data: { note_id: id } },
      })),
    );
    for (const row of fresh) insertNote(ctx.db, row);
    const whole = await indexNotes(ctx.db, fresh);
    for (const { id } of fresh) enqueueEmbedding(ctx.db, id);
    if (!whole) deferEnqueue(ctx.db, indexing, {});
    if (findEndpoint()) deferEnqueue(ctx.db, embedding, {});
  }
  return rows.map(
    (row) => row && { note: { id: row.id, metadata: metadataOf(row) }, entity_id: row.entityId, doc_type: row.type },
  );
}

function rowOf(ctx: Ctx, { id, draft, old }: NoteToKeep, result: ReportResult | Fault) {
  if (isFault(result) || countNew(result) === 0) return null;
  const { at, entity, outcomes } = result;
  const [saved] = outcomes as [DraftResult];
  const { content, type, title, date: given, source = sourceOf(ctx) } = draft;
  const { time: date, dateOnly } = given ?? { time: at, dateOnly: false };
  const by = { actor: nameOfActor(ctx), client: ctx.client };
  const note = { id, entityId: entity.id, type, title, date, dateOnly, content, source, ...by };
  return { ...note, observationId: saved.id, createdAt: at, supersedes: old?.id ?? null };
}
