import type { Caller } from "#lib/core/context.ts";
import { isFault } from "#lib/core/errors.ts";
import type { Db } from "#lib/db/handle.ts";
import {
  hideActivities,
  recordSignals,
  showActivities,
  showRecordedBefore,
} from "#lib/domain/crm/activities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { inNameOf, insideOf } from "#lib/jobs/inside.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { resumable } from "#lib/jobs/resumable.ts";
import { type ContactRow, refreshLevels, setActivities } from "../queries/keeping.ts";
import { countRelationships, findContactsIn } from "../queries/relationships.ts";
import {
  deleteMessages,
  deleteUnseen,
  findCeiling,
  findStale,
  limitLevels,
  removeLeaving,
  removeLeft,
  type StaleMessage,
  settleHolders,
  type Whose,
} from "../queries/sharing.ts";
import { type Apart, shareOf } from "../rules/sharing.ts";
import { MAIL_SOURCE, type MessageType, mostOpen, reaches, type ShareLevel } from "../words.ts";
import { apartOf, holdMail, peopleOf } from "./hold.ts";
import { queueIndexing } from "./indexing.ts";

/** Works out again how much of messages everyone sees. */
export const settling = jobKind("messages:settle", { label: "Share mail as its members chose", ids: [], once: true });

/** Messages of one transaction: some, and so many others with the same contacts. */
const SOME = 10;
const OTHERS = 200;

/**
 * Makes a new choice count for messages that are stored: at once where it shows less, by a job where it shows more, or where what the
 * workspace may no longer know has to leave timelines. The caller holds the mail (`holdMail`). Returns how many messages it is about.
 */
export async function changeLevels(ctx: Ctx, whose: Whose, most: ShareLevel): Promise<number> {
  const limited = await limitLevels(ctx.db, whose, most);
  if (most === "nothing") await countRelationships(ctx.db, await findContactsIn(ctx.db, limited));
  await enqueue(ctx.db, settling, {});
  return limited.length;
}

/** Does the first batch of the job now, so that an answer shows what was chosen. What it records is recorded by a job, as later batches are. */
export const settleNow = (caller: Caller): Promise<number> =>
  insideOf(inNameOf(caller, `job:${caller.requestId}`), settling.name)(settleStale);

/** The job: a batch in each transaction, until none is left. */
export const runSettling = resumable(settling, {
  turnMs: 1_000,
  begin:
    ({ caller }) =>
    async () =>
      (await settleNow(caller)) > 0 ? "more" : "done",
});

/** Works out a batch of messages; returns how many there were. */
async function settleStale(ctx: Ctx): Promise<number> {
  const { db } = ctx;
  await holdMail(ctx);
  const stale = await findStale(db, SOME, OTHERS);
  if (stale.length === 0) {
    await removeLeft(db);
    return 0;
  }
  const ceiling = await findCeiling(db);
  const apart = await apartOf(
    ctx,
    stale.flatMap(({ holders }) => holders.map(({ userId }) => userId)),
  );
  const people = await peopleOf(
    ctx,
    stale.flatMap(({ contacts }) => contacts.map(({ entityId }) => entityId)),
  );
  await settle(ctx, stale, { ceiling, apart, people });
  await queueIndexing(ctx);
  return stale.length;
}

/** Removes messages that no one can see any more, because those who held them left. */
export async function tidyMessages(db: Db): Promise<void> {
  await holdMail({ db });
  await countRelationships(db, await deleteUnseen(db));
}

type Choices = {
  ceiling: ShareLevel;
  apart: ReadonlyMap<string, Apart>;
  people: ReadonlyMap<string, readonly string[]>;
};

async function settle(ctx: Ctx, stale: readonly StaleMessage[], { ceiling, apart, people }: Choices): Promise<void> {
  const { db } = ctx;
  const settled = stale.map((message) => {
    const entities = message.contacts.map(({ entityId }) => people.get(entityId) ?? [entityId]);
    const holders = message.holders
      .filter(({ leaving }) => !leaving)
      .map(({ mailboxId, userId, ofMailbox }) => {
        const own = { mailbox: ofMailbox, apart: apart.get(userId) ?? new Map(), ceiling };
        return { messageId: message.id, mailboxId, share: shareOf({ thread: message.thread, entities }, own) };
      });
    return { message, holders, isKnown: reaches(mostOpen(holders.map(({ share }) => share)), "metadata") };
  });
  // Timelines first: they lock the contacts, which a merge locks before it looks for their messages.
  await withdraw(
    ctx,
    settled.flatMap(({ message, isKnown }) => (isKnown ? [] : message.contacts)),
  );
  await tell(
    ctx,
    settled.flatMap(({ message, isKnown }) => (isKnown ? message : [])),
  );
  await settleHolders(
    db,
    settled.flatMap(({ holders }) => holders),
  );
  const idsOf = (some: readonly { message: StaleMessage }[]) => some.map(({ message }) => message.id);
  await removeLeaving(db, idsOf(settled));
  await refreshLevels(db, idsOf(settled.filter(({ holders }) => holders.length > 0)));
  await deleteMessages(db, idsOf(settled.filter(({ holders }) => holders.length === 0)));
  const counted = settled.filter(({ message, holders }) => changesCounts(message, holders));
  await countRelationships(db, [
    ...new Set(counted.flatMap(({ message }) => message.contacts.map(({ entityId }) => entityId))),
  ]);
}

/** Whether what counts for relationships changes. */
function changesCounts(message: StaleMessage, holders: readonly { mailboxId: string; share: ShareLevel }[]): boolean {
  const shareNow = new Map(holders.map(({ mailboxId, share }) => [mailboxId, share]));
  return message.holders.some(
    ({ mailboxId, share, wrote, leaving, counts }) =>
      counts && (leaving || wrote === null || (share === "nothing") !== (shareNow.get(mailboxId) === "nothing")),
  );
}

/** Puts messages onto the timelines of their contacts. */
async function tell(ctx: Ctx, messages: readonly StaleMessage[]): Promise<void> {
  const toTell = messages.flatMap(({ key, contacts }) =>
    contacts.flatMap(({ type, ...contact }) => (type === null ? [] : { ...contact, key, type: type as MessageType })),
  );
  await showActivities(
    ctx,
    toTell.flatMap(({ activity }) => activity ?? []),
  );
  const news = toTell.filter(({ activity }) => activity === null);
  const outcomes = await recordSignals(
    ctx,
    news.map(({ messageId, entityId, sentAt, key, type }) => ({
      ...{ contactId: entityId, createContact: false, type, source: MAIL_SOURCE },
      ...{ externalId: key, occurredAt: sentAt, metadata: { message_id: messageId } },
    })),
  );
  const shown = await showRecordedBefore(ctx, outcomes);
  await setActivities(
    ctx.db,
    news.flatMap(({ messageId, entityId }, index) => {
      const outcome = outcomes[index];
      if (!outcome || isFault(outcome)) return [];
      const isOurs = !outcome.deduplicated || shown.has(outcome.activityId);
      return isOurs ? { messageId, entityId, activity: outcome.activityId } : [];
    }),
  );
}

/** Takes messages off timelines; where someone corrected an activity, the correction. */
async function withdraw(ctx: Ctx, contacts: readonly ContactRow[]): Promise<void> {
  const told = contacts.flatMap(({ activity, ...contact }) => (activity === null ? [] : { ...contact, activity }));
  const hidden = await hideActivities(
    ctx,
    told.map(({ activity }) => activity),
  );
  await setActivities(
    ctx.db,
    told.flatMap(({ messageId, entityId, activity }) => {
      const now = hidden.get(activity) ?? null;
      return now === activity ? [] : { messageId, entityId, activity: now };
    }),
  );
}
