import { z } from "zod";
import { Fault } from "#lib/core/errors.ts";
import { pageOf, sealedCursorsOf } from "#lib/core/paging.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { idsWithPeople, resolveForRead } from "#lib/domain/knowledge/contacts/service.ts";
import { noteOpened, viewerOf } from "#lib/domain/knowledge/messages/service.ts";
import type { ResolvedEntity } from "#lib/domain/records/entities/service.ts";
import { findLabels, nameOf } from "#lib/domain/records/names/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import { findContactsOf, findListed, findSeen, findUnshared, type SeenMeeting } from "../queries/visible.ts";
import { titleOf, viewOfMeeting } from "../serialize.ts";

/** What is over when the first page is read is over on all pages. */
const cursors = sealedCursorsOf(contract.listMeetings.name, z.tuple([Timestamp, Timestamp, Id, z.int()]));

export const listMeetings = implement(contract.listMeetings, async (ctx, { focus, limit, cursor }) => {
  const [begun, at, id, over] = cursor === undefined ? [] : cursors.decode(ctx, cursor);
  const { entity, ambiguous } = await resolveForRead(ctx, focus);
  if (ambiguous) return ambiguous;
  const now = begun ? new Date(begun) : new Date();
  const behind = at && id ? { at: new Date(at), id, isPast: over === 1 } : null;
  const rows = await readPage(ctx, entity, { now, behind, limit: limit + 1 });
  const { shown, next } = pageOf(ctx, cursors, { rows, limit }, (row) => [
    formatTime(now),
    formatTime(row.place),
    row.id,
    row.overAt <= now ? 1 : 0,
  ]);
  return { entity_id: entity.id, meetings: await meetingsShown(ctx, shown), limit, ...next };
});

type Page = { now: Date; behind: { at: Date; id: string; isPast: boolean } | null; limit: number };

/** Those to come, and after the last of them those that are over. */
async function readPage(ctx: Ctx, entity: ResolvedEntity, { now, behind, limit }: Page): Promise<SeenMeeting[]> {
  const entities = await idsWithPeople(ctx, entity);
  const read = (isPast: boolean, from: Page["behind"], most: number) =>
    findListed(ctx.db, viewerOf(ctx), { entities, isPast, now, behind: from, limit: most });
  if (behind?.isPast) return read(true, behind, limit);
  const upcoming = await read(false, behind, limit);
  return upcoming.length === limit ? upcoming : [...upcoming, ...(await read(true, null, limit - upcoming.length))];
}

export const getMeeting = implement(contract.getMeeting, async (ctx, { id }) => {
  const meeting = await meetingShown(ctx, id);
  noteOpened(ctx, "meeting.read", id, [meeting]);
  return { meeting };
});

/** A meeting as it is listed; throws 404 `meeting_not_found`. */
export async function meetingShown(ctx: Ctx, id: string): Promise<contract.Meeting> {
  const [meeting] = await meetingsShown(ctx, await findSeen(ctx.db, viewerOf(ctx), [id]));
  if (!meeting) throw new Fault("meeting_not_found");
  return meeting;
}

async function meetingsShown(ctx: Ctx, rows: readonly SeenMeeting[]): Promise<contract.Meeting[]> {
  const contacts = await findContactsOf(
    ctx.db,
    viewerOf(ctx),
    rows.map(({ id }) => id),
  );
  const labels = await findLabels(
    ctx.db,
    contacts.map(({ entityId }) => entityId),
  );
  return rows.map((row) => ({
    ...viewOfMeeting(row),
    contacts: contacts
      .filter(({ meetingId }) => meetingId === row.id)
      .map(({ entityId }) => ({ entity_id: entityId, name: nameOf(labels.get(entityId) ?? {}) })),
  }));
}

/** What meetings on timelines are about, as far as the caller may see it, by the id of the meeting. */
export async function meetingTitles(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await findSeen(ctx.db, viewerOf(ctx), ids);
  return new Map(
    rows.flatMap((row) => {
      const title = titleOf(row);
      return title === null ? [] : [[row.id, title] as const];
    }),
  );
}

type Unshared = { entityId: string; at: Date; title: string | null };

/** The caller's own meetings of a time that are on no timeline, because they are shared with no one; one row for each contact. */
export async function unsharedMeetings(ctx: Ctx, time: { from: Date; to: Date }): Promise<Unshared[]> {
  const { viewer } = ctx;
  if (viewer === undefined) return [];
  const rows = new Map((await findUnshared(ctx.db, viewer, time)).map((row) => [row.id, row]));
  const contacts = await findContactsOf(ctx.db, viewer, [...rows.keys()]);
  return contacts.flatMap(({ meetingId, entityId }) => {
    const row = rows.get(meetingId);
    return row ? [{ entityId, at: row.startsAt, title: titleOf(row) }] : [];
  });
}
