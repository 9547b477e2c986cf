import { Fault } from "#lib/core/errors.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { type EntityRow, findEntity, findIdentifiersEver } from "#lib/domain/records/entities/service.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import * as contract from "../contract.ts";
import {
  deleteMessages,
  findApart,
  findCeiling,
  findMailboxLevels,
  findMessagesOf,
  markStale,
  removeApart,
  removeRecipients,
  setApart,
  setCeiling,
} from "../queries/sharing.ts";
import type { Apart } from "../rules/sharing.ts";
import { leastOpen, type ShareLevel } from "../words.ts";
import { holdMail } from "./hold.ts";
import { threadShown } from "./read.ts";
import { changeLevels, settleNow, settling } from "./settle.ts";

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
    await holdMail(ctx);
    await setApart(ctx.db, userId, [id], share);
    await changeLevels(ctx, { of: "thread", userId, thread: id }, await least(ctx, userId, share));
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

/** The most that a choice may show before the job has worked it out: back to the mailbox, whichever of theirs it is. */
const least = async ({ db }: Ctx, userId: string, share: ShareLevel | null): Promise<ShareLevel> =>
  share ?? leastOpen(["everything", ...(await findMailboxLevels(db, userId))]);

export const shareMailOf = implement(
  contract.shareMailOf,
  async (ctx, { entity_id: id, share }) => {
    const userId = memberOf(ctx);
    await holdMail(ctx);
    const { id: entityId, absorbed } = await requirePerson(ctx, id);
    const entities = [entityId, ...absorbed];
    await setApart(ctx.db, userId, entities, share);
    const most = await least(ctx, userId, share);
    return { entity_id: entityId, share, messages: await changeLevels(ctx, { of: "people", userId, entities }, most) };
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
  const { id: entityId, absorbed } = await requirePerson(ctx, id);
  const levels = [entityId, ...absorbed].flatMap((one) => apart.get(one) ?? []);
  return { entity_id: entityId, share: levels.length > 0 ? leastOpen(levels) : null };
});

async function requirePerson(ctx: Ctx, id: string): Promise<EntityRow> {
  const entity = await findEntity(ctx.db, id);
  if (entity?.type !== "person") throw new Fault("entity_not_found");
  return entity;
}

export const setMailCeiling = implement(contract.setMailCeiling, async (ctx, { share }) => {
  await holdMail(ctx);
  await setCeiling(ctx.db, share);
  await changeLevels(ctx, { of: "everyone" }, share);
  await recordAudit(ctx, "mail.ceiling_set", ctx.workspaceId, { share });
  return { share };
});

/** The most that members may share. */
export const readCeiling = ({ db }: Pick<Ctx, "db">): Promise<ShareLevel> => findCeiling(db);

/** What a member set apart, by thread, meeting and person. */
export const readApart = ({ db }: Pick<Ctx, "db">, userId: string): Promise<Apart> => findApart(db, userId);

/** People were merged or told apart: what was chosen for one of them counts for other messages now. */
export async function settleMerged({ db }: Pick<Ctx, "db">, entities: readonly string[]): Promise<void> {
  if (await markStale(db, entities)) await enqueue(db, settling, {});
}

/** Removes the messages of people who are being erased, what members chose for them, and their addresses among the recipients of others. */
export async function forgetMessages({ db }: Pick<Ctx, "db">, entities: readonly string[]): Promise<void> {
  await deleteMessages(db, await findMessagesOf(db, entities));
  await removeApart(db, entities);
  const named = await findIdentifiersEver(db, entities);
  await removeRecipients(
    db,
    named.flatMap(({ kind, value }) => (kind === "email" ? [value] : [])),
  );
}
