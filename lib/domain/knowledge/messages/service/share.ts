import { Fault } from "#lib/core/errors.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import {
  type EntityRow,
  findByIdentifiers,
  findEntity,
  findIdentifiersEver,
} from "#lib/domain/records/entities/service.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import * as contract from "../contract.ts";
import { findContents, refreshLevels, setContent } from "../queries/keeping.ts";
import {
  deleteMessages,
  findApart,
  findCeiling,
  findHeldWith,
  findMailboxLevels,
  findMessagesOf,
  markLeaving,
  markStale,
  removeApart,
  removeRecipients,
  setApart,
  setCeiling,
} from "../queries/sharing.ts";
import { leastOpen, type ShareLevel } from "../words.ts";
import { readContent, sealContent } from "./content.ts";
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

/** People were merged or told apart: what was chosen for one of them counts for other messages now. */
export async function settleMerged({ db }: Pick<Ctx, "db">, entities: readonly string[]): Promise<void> {
  if (await markStale(db, entities)) await enqueue(db, settling, {});
}

/** The messages of a mailbox with people whom its member blocks, by addresses and domains. */
export async function messagesWith(ctx: Ctx, mailboxId: string, blocked: readonly string[]): Promise<string[]> {
  if (blocked.length === 0) return [];
  const named = blocked.filter((one) => one.includes("@")).map((value) => ({ kind: "email", value }) as const);
  const people = named.length === 0 ? [] : await findByIdentifiers(ctx.db, named);
  return findHeldWith(ctx.db, mailboxId, { blocked, entities: people.map(({ id }) => id) });
}

/** Removes messages from a mailbox: nothing of them is shown from now on, and a job takes them off timelines. What others have stays. */
export async function leaveMessages(ctx: Ctx, mailboxId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await markLeaving(ctx.db, mailboxId, ids);
  await refreshLevels(ctx.db, ids);
  await enqueue(ctx.db, settling, {});
}

/** Removes the messages of people who are being erased, what members chose for them, and their addresses among the recipients of others. */
export async function forgetMessages({ db }: Pick<Ctx, "db">, entities: readonly string[]): Promise<void> {
  await deleteMessages(db, await findMessagesOf(db, entities));
  await removeApart(db, entities);
  const named = await findIdentifiersEver(db, entities);
  const addresses = named.flatMap(({ kind, value }) => (kind === "email" ? [value] : []));
  const others = await removeRecipients(db, addresses);
  for (let at = 0; at < others.length; at += REDACTED)
    await removeNames(db, others.slice(at, at + REDACTED), addresses);
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
