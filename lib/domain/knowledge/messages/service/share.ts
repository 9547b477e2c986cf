import { Fault } from "#lib/core/errors.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { findIdentifiersEver } from "#lib/domain/records/entities/service.ts";
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
    await changeLevels(ctx, { of: "thread", userId, thread: id }, share ?? (await leastOfMailboxes(ctx, userId)));
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

/** The most that going back to what the mailbox says may show before the job has worked it out: whichever of theirs it is. */
export const leastOfMailboxes = async ({ db }: Pick<Ctx, "db">, userId: string): Promise<ShareLevel> =>
  leastOpen(["everything", ...(await findMailboxLevels(db, userId))]);

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
