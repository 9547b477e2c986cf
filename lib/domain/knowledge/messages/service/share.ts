import type { Caller } from "#lib/core/context.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import { lock } from "#lib/db/locks.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { bringBackActivity, recordSignals, withdrawActivity } from "#lib/domain/crm/activities/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { type EntityRow, findEntity } from "#lib/domain/records/entities/service.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { resumable } from "#lib/jobs/resumable.ts";
import * as contract from "../contract.ts";
import { type ContactRow, refreshLevels, setActivity } from "../queries/keeping.ts";
import {
  deleteMessages,
  findApart,
  findCeiling,
  findMessagesOf,
  findStale,
  limitLevels,
  removeApart,
  removeHolders,
  removeLeft,
  type StaleMessage,
  setApart,
  setCeiling,
  settleHolders,
  type Whose,
} from "../queries/sharing.ts";
import { type Apart, shareOf } from "../rules/sharing.ts";
import { MAIL_SOURCE, type MessageType, mostOpen, reaches, type ShareLevel } from "../words.ts";
import { threadShown } from "./read.ts";

/** Works out again how much of messages everybody sees. */
export const settling = jobKind("messages:settle", { label: "Share mail as its members chose", ids: [], once: true });

const BATCH = 100;

/** The member who shares; keys have no mail. Throws 403 `member_required`. */
export function memberOf({ viewer }: Pick<Ctx, "viewer">): string {
  if (viewer === undefined) throw new Fault("member_required");
  return viewer;
}

export const shareThread = implement(
  contract.shareThread,
  async (ctx, { id, share }) => {
    const userId = memberOf(ctx);
    const thread = await threadShown(ctx, id);
    if (!thread.mine) throw new Fault("thread_not_found", {}, "None of your mailboxes has this conversation.");
    await setApart(ctx.db, userId, id, share);
    await changeLevels(ctx, { of: "thread", userId, thread: id }, share);
    return { thread };
  },
  {
    async after(caller, _output, { id }) {
      await settleNow(caller);
      return {
        thread: await withWorkspace(caller.workspaceId, (db) => threadShown({ ...caller, db }, id), { readOnly: true }),
      };
    },
  },
);

export const shareMailOf = implement(
  contract.shareMailOf,
  async (ctx, { entity_id: id, share }) => {
    const userId = memberOf(ctx);
    const entity = await requirePerson(ctx, id);
    await setApart(ctx.db, userId, entity.id, share);
    const messages = await changeLevels(
      ctx,
      { of: "people", userId, entities: [entity.id, ...entity.absorbed] },
      share,
    );
    return { entity_id: entity.id, share, messages };
  },
  {
    async after(caller, output) {
      await settleNow(caller);
      return output;
    },
  },
);

export const getMailShare = implement(contract.getMailShare, async (ctx, { entity_id: id }) => {
  const apart = await findApart(ctx.db, memberOf(ctx));
  const entity = await requirePerson(ctx, id);
  return { entity_id: entity.id, share: apart.get(entity.id) ?? null };
});

async function requirePerson(ctx: Ctx, id: string): Promise<EntityRow> {
  const entity = await findEntity(ctx.db, id);
  if (entity?.type !== "person") throw new Fault("entity_not_found");
  return entity;
}

export const setMailCeiling = implement(contract.setMailCeiling, async (ctx, { share }) => {
  await setCeiling(ctx.db, share);
  await changeLevels(ctx, { of: "everyone" }, share);
  await recordAudit(ctx, "mail.ceiling_set", ctx.workspaceId, { share });
  return { share };
});

/**
 * Makes a new choice count for messages that are stored: at once where it shows less, by a job where it shows more, or where what the
 * workspace may no longer know has to leave timelines. `share` null: as it was before the choice, so nothing is hidden first. Returns
 * how many messages it is about.
 */
export async function changeLevels(ctx: Ctx, whose: Whose, share: ShareLevel | null): Promise<number> {
  const count = await limitLevels(ctx.db, whose, share ?? "everything");
  await enqueue(ctx.db, settling, {});
  return count;
}

/** Does the first batch of the job now, so that an answer shows what was chosen. */
export const settleNow = ({ workspaceId, ...caller }: Caller): Promise<number> =>
  withWorkspace(workspaceId, (db) => settleStale({ ...caller, workspaceId, db }), { operation: settling.name });

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
  const seen = await findStale(db, BATCH);
  if (seen.length === 0) {
    await removeLeft(db);
    return 0;
  }
  await lock(db, "message", seen.map(({ key }) => key).sort());
  const stale = await findStale(db, BATCH);
  const ceiling = await findCeiling(db);
  const apart = new Map<string, Apart>();
  for (const userId of new Set(stale.flatMap(({ holders }) => holders.map((holder) => holder.userId))))
    apart.set(userId, await findApart(db, userId));
  for (const message of stale) await settle(ctx, message, ceiling, apart);
  return stale.length;
}

async function settle(
  ctx: Ctx,
  message: StaleMessage,
  ceiling: ShareLevel,
  apart: ReadonlyMap<string, Apart>,
): Promise<void> {
  const { id, thread, contacts } = message;
  const entities = contacts.map(({ entityId }) => entityId);
  const staying = message.holders.filter(({ leaving }) => !leaving);
  const holders = staying.map(({ mailboxId, userId, ofMailbox }) => ({
    messageId: id,
    mailboxId,
    share: shareOf({ thread, entities }, { mailbox: ofMailbox, apart: apart.get(userId) ?? new Map(), ceiling }),
  }));
  await settleHolders(ctx.db, holders);
  for (const { mailboxId, leaving } of message.holders) if (leaving) await removeHolders(ctx.db, mailboxId, [id]);
  await refreshLevels(ctx.db, [id]);
  const isKnown = reaches(mostOpen(holders.map(({ share }) => share)), "metadata");
  for (const contact of contacts) await (isKnown ? tell : withdraw)(ctx, message, contact);
  if (holders.length === 0) await deleteMessages(ctx.db, [id]);
}

/** Puts a message onto a contact's timeline. */
async function tell(ctx: Ctx, { id, key, sentAt }: StaleMessage, { entityId, type, activity, withdrawn }: ContactRow) {
  if (type === null || (activity !== null && !withdrawn)) return;
  if (activity !== null) {
    await bringBackActivity(ctx, activity);
    return setActivity(ctx.db, { messageId: id, entityId }, { activity, withdrawn: false });
  }
  const [outcome] = await recordSignals(ctx, [
    {
      ...{ contactId: entityId, createContact: false, type: type as MessageType, source: MAIL_SOURCE },
      ...{ externalId: key, occurredAt: sentAt, metadata: { message_id: id } },
    },
  ]);
  if (!outcome || isFault(outcome)) return;
  await setActivity(ctx.db, { messageId: id, entityId }, { activity: outcome.activityId, withdrawn: false });
}

/** Takes a message off a contact's timeline; where somebody corrected its activity, the correction. */
async function withdraw(ctx: Ctx, { id }: StaleMessage, { entityId, activity, withdrawn }: ContactRow): Promise<void> {
  if (activity === null || withdrawn) return;
  const current = await withdrawActivity(ctx, activity).then(
    () => activity,
    async (error: unknown) => {
      if (!isFault(error) || error.code !== "activity_superseded") throw error;
      const later = String(error.extras.current_id);
      await withdrawActivity(ctx, later);
      return later;
    },
  );
  await setActivity(ctx.db, { messageId: id, entityId }, { activity: current, withdrawn: true });
}

/** The most that members may share. */
export const readCeiling = ({ db }: Pick<Ctx, "db">): Promise<ShareLevel> => findCeiling(db);

/** Removes the messages of people who are being erased, and what members chose for them. */
export async function forgetMessages({ db }: Pick<Ctx, "db">, entities: readonly string[]): Promise<void> {
  await deleteMessages(db, await findMessagesOf(db, entities));
  await removeApart(db, entities);
}
