import type { Caller } from "#lib/core/context.ts";
import type { Db } from "#lib/db/handle.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import {
  apartOf,
  countRelationships,
  findCeiling,
  holdMail,
  peopleOf,
  shareOf,
} from "#lib/domain/knowledge/messages/service.ts";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import { inNameOf, insideOf } from "#lib/jobs/inside.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { resumable } from "#lib/jobs/resumable.ts";
import { HOUR_MS } from "#lib/text/time.ts";
import { findDoubled, findDue, findMeetings, settleCopies } from "../queries/keeping.ts";
import {
  deleteUnseenCopies,
  deleteWithoutCopies,
  findMetIn,
  findStale,
  limitLevels,
  markStale,
  removeLeavingCopies,
  removeLeft,
  type Whose,
} from "../queries/sharing.ts";
import { tellMeetings } from "./tell.ts";

/** Works out again how much of meetings everyone sees. */
export const settling = jobKind("meetings:settle", {
  label: "Share meetings as their members chose",
  ids: [],
  once: true,
});

/** Works out again the meetings of a contact that was merged, or told apart. */
export const resettling = jobKind("meetings:again", {
  label: "Share the meetings of a merged contact",
  ids: ["entity_id"],
  once: true,
});

const BATCH = 50;

/**
 * Makes a new choice count for meetings that are stored: at once where it shows less, by a job where it shows more, or where what the
 * workspace may no longer know has to leave timelines. The caller holds the mail (`holdMail`). Returns how many meetings it is about.
 */
export async function changeMeetingLevels(ctx: Ctx, whose: Whose, most: ShareLevel): Promise<number> {
  const limited = await limitLevels(ctx.db, whose, most);
  if (most === "nothing") await countRelationships(ctx.db, await findMetIn(ctx.db, limited));
  await enqueue(ctx.db, settling, {});
  return limited.length;
}

/** What it records is recorded by a job, also within a request. */
const asJob = (caller: Caller) => insideOf(inNameOf(caller, `job:${caller.requestId}`), settling.name);

/** Does the first batch of the job now, so that an answer shows what was chosen. */
export const settleMeetingsNow = (caller: Caller): Promise<number> => asJob(caller)(settleStale);

export const runSettling = resumable(settling, {
  turnMs: 1_000,
  begin:
    ({ caller }) =>
    async () =>
      (await settleMeetingsNow(caller)) > 0 ? "more" : "done",
});

export const runResettling = resumable(resettling, {
  begin:
    ({ caller }, { entity_id: id }) =>
    async () => {
      await asJob(caller)(async (ctx) => {
        await holdMail(ctx);
        const people = await peopleOf(ctx, [id]);
        if (await markStale(ctx.db, people.get(id) ?? [id])) await enqueue(ctx.db, settling, {});
      });
      return "done";
    },
});

/** Works out a batch of meetings; returns how many there were. */
async function settleStale(ctx: Ctx): Promise<number> {
  const { db } = ctx;
  await holdMail(ctx);
  const ids = await findStale(db, BATCH);
  if (ids.length === 0) {
    await removeLeft(db);
    return 0;
  }
  await removeLeavingCopies(db, ids);
  const meetings = await findMeetings(db, ids);
  const ceiling = await findCeiling(ctx.db);
  const apart = await apartOf(
    ctx,
    meetings.flatMap(({ copies }) => copies.map(({ userId }) => userId)),
  );
  const people = await peopleOf(
    ctx,
    meetings.flatMap(({ contacts }) => contacts.map(({ entityId }) => entityId)),
  );
  await settleCopies(
    db,
    meetings.flatMap(({ id, copies, contacts }) =>
      copies.map((copy) => ({
        id: copy.id,
        share: shareOf(
          { thread: id, entities: contacts.map(({ entityId }) => people.get(entityId) ?? [entityId]) },
          { mailbox: copy.ofCalendar, apart: apart.get(copy.userId) ?? new Map(), ceiling },
        ),
      })),
    ),
  );
  await tellMeetings(ctx, ids);
  return ids.length;
}

/** Removes meetings that no one can see any more, because those who had them left. */
export async function tidyMeetings(db: Db): Promise<void> {
  await holdMail({ db });
  const met = await findMetIn(db, await deleteUnseenCopies(db));
  await deleteWithoutCopies(db);
  await countRelationships(db, met);
}

/**
 * Writes timelines again after time passed or others changed something: meetings that are over, and those that someone else reported meanwhile. True: more of them are
 * over, for another transaction.
 */
export async function followMeetings(ctx: Ctx): Promise<boolean> {
  await holdMail(ctx);
  const now = Date.now();
  const over = await findDue(ctx.db, new Date(now), BATCH);
  const doubled = await findDoubled(ctx.db, new Date(now - 48 * HOUR_MS), new Date(now - HOUR_MS));
  await tellMeetings(ctx, [...over, ...doubled]);
  return over.length === BATCH;
}
