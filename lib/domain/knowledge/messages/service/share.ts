import { Fault } from "#lib/core/errors.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { findEmailsEver, findPeopleByEmail } from "#lib/domain/records/entities/service.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import * as contract from "../contract.ts";
import { findContents, refreshLevels, setContent } from "../queries/keeping.ts";
import { countRelationships, findContactsIn } from "../queries/relationships.ts";
import {
  deleteMessages,
  findHeldWith,
  findMailboxLevels,
  findMessagesOf,
  markLeaving,
  markStale,
  removeApart,
  removeRecipients,
  setApart,
} from "../queries/sharing.ts";
import { leastOpen, type ShareLevel } from "../words.ts";
import { readContent, sealContent } from "./content.ts";
import { holdMail } from "./hold.ts";
import { queueIndexing } from "./indexing.ts";
import { threadShown } from "./read.ts";
import { changeLevels, settleNow, settling } from "./settle.ts";

/** The member who shares; keys have no mail. Throws 403 `member_required`. */
export function memberOf({ viewer }: Pick<Ctx, "viewer">): string {
  if (viewer === undefined) throw new Fault("member_required");
  return viewer;
}

/** Does something for a member, such as asking their server. Throws 403 `member_required`, before anything is done. */
export async function forMember<T>(caller: Pick<Ctx, "viewer">, work: () => Promise<T>): Promise<T> {
  memberOf(caller);
  return work();
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

/** People were merged or told apart: what was chosen for one of them counts for other messages now. The caller holds the mail. */
export async function settleMerged({ db }: Pick<Ctx, "db">, entities: readonly string[]): Promise<void> {
  await countRelationships(db, entities);
  if (await markStale(db, entities)) await enqueue(db, settling, {});
}

/** The messages of a mailbox with people whom its member blocks, by addresses and domains. */
export async function messagesWith(ctx: Ctx, mailboxId: string, blocked: readonly string[]): Promise<string[]> {
  if (blocked.length === 0) return [];
  const people = await findPeopleByEmail(
    ctx.db,
    blocked.filter((one) => one.includes("@")),
  );
  return findHeldWith(ctx.db, mailboxId, { blocked, entities: [...people.values()] });
}

/** Removes messages from a mailbox: nothing of them is shown from now on, and a job takes them off timelines. What others have stays. */
export async function leaveMessages(ctx: Ctx, mailboxId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await markLeaving(ctx.db, mailboxId, ids);
  await refreshLevels(ctx.db, ids);
  await countRelationships(ctx.db, await findContactsIn(ctx.db, ids));
  await enqueue(ctx.db, settling, {});
}

/**
 * Removes the messages of people who are being erased, what members chose for them, and their addresses among the recipients of others. The
 * caller holds the mail.
 */
export async function forgetMessages({ db }: Pick<Ctx, "db">, entities: readonly string[]): Promise<void> {
  const messages = await findMessagesOf(db, entities);
  const contacts = await findContactsIn(db, messages);
  await deleteMessages(db, messages);
  await countRelationships(db, contacts);
  await removeApart(db, entities);
  const addresses = await findEmailsEver(db, entities);
  const others = await removeRecipients(db, addresses);
  for (let at = 0; at < others.length; at += REDACTED)
    await removeNames(db, others.slice(at, at + REDACTED), addresses);
  if (others.length > 0) await queueIndexing({ db });
}

/** Messages that are redacted at once. */
const REDACTED = 200;

/** Takes the names of addresses out of the contents of messages. */
async function removeNames(db: Ctx["db"], ids: readonly string[], addresses: readonly string[]): Promise<void> {
  for (const { id, content: sealed } of await findContents(db, ids)) {
    const content = readContent(id, sealed);
    if (!content || !addresses.some((address) => address in content.names)) continue;
    const names = Object.fromEntries(Object.entries(content.names).filter(([address]) => !addresses.includes(address)));
    await setContent(db, id, sealContent(id, { ...content, names }));
  }
}
