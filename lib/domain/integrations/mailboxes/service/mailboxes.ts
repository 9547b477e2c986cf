import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import { isUniqueViolation, withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { changeLevels, holdMail, memberOf, readCeiling } from "#lib/domain/knowledge/messages/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { announce } from "#lib/live/announce.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import {
  changeMailbox,
  countHeld,
  countOutcomes,
  findFolders,
  findMailbox,
  findMailboxesOf,
  findUnreadable,
  insertMailbox,
  lockMailbox,
  type MailboxRow,
} from "../queries.ts";
import { isReadByDefault } from "../rules/folders.ts";
import { viewOfMailbox } from "../serialize.ts";
import { askMailbox, type OpenMailbox, sealLogin } from "./login.ts";
import { syncing } from "./sync.ts";

const DAY_MS = 86_400_000;
const MOST_UNREADABLE = 100;

export const testMailbox = implement(
  contract.testMailbox,
  async (_ctx, _input, { server, folders }: OpenMailbox) => ({
    server,
    folders: folders.map((folder) => ({
      path: folder.path,
      role: folder.role,
      messages: folder.messages ?? null,
      read: isReadByDefault(folder),
    })),
  }),
  { before: (caller, input) => askedBy(caller, () => askMailbox(input)) },
);

export const connectMailbox = implement(
  contract.connectMailbox,
  async (ctx, input, { server, login }: OpenMailbox) => {
    const userId = memberOf(ctx);
    const { address, share, contacts, days, folders, blocked, keep_bodies: keepsBodies } = input;
    const id = newId();
    const since = new Date(Date.now() - days * DAY_MS);
    const credentials = sealLogin(id, login);
    const { host, port, secure } = server;
    await insertMailbox(ctx.db, {
      ...{ id, userId, address, host, port, secure, login: login.user, credentials },
      ...{ share, contacts, since, folders, blocked, keepsBodies },
    }).catch((error: unknown) => {
      throw isUniqueViolation(error) ? new Fault("mailbox_connected") : error;
    });
    await enqueue(ctx.db, syncing, { mailbox_id: id });
    await recordAudit(ctx, "mailbox.connected", id, { address, share });
    return { mailbox: await viewOf(ctx, id) };
  },
  { before: (caller, input) => askedBy(caller, () => askMailbox(input)) },
);

/** Asks the server only for a member. */
async function askedBy<T>(caller: Parameters<typeof memberOf>[0], ask: () => Promise<T>): Promise<T> {
  memberOf(caller);
  return ask();
}

export const listMailboxes = implement(contract.listMailboxes, async (ctx) => {
  const rows = await findMailboxesOf(ctx.db, memberOf(ctx));
  const [ceiling, counts] = await together([readCeiling(ctx), together(rows.map(({ id }) => countHeld(ctx.db, id)))]);
  return { mailboxes: rows.map((row, index) => viewOfMailbox(row, counts[index] ?? 0)), ceiling };
});

export const updateMailbox = implement(
  contract.updateMailbox,
  async (ctx, input, login: OpenMailbox["login"] | null) => {
    const { id, share, contacts, folders, blocked, keep_bodies: keepsBodies } = input;
    const before = await own(ctx, id);
    await changeMailbox(ctx.db, id, {
      ...given({ share, contacts, folders, blocked, keepsBodies }),
      ...(login ? { credentials: sealLogin(id, login), isVerified: true, message: null, state: "connected" } : {}),
    });
    if (share !== undefined && share !== before.share) {
      await changeLevels(ctx, { of: "mailbox", mailboxId: id }, share);
      await recordAudit(ctx, "mailbox.shared", id, { address: before.address, share, before: before.share });
    }
    if (login || folders !== undefined) await enqueue(ctx.db, syncing, { mailbox_id: id });
    announce(ctx.workspaceId, { topic: "integrations" });
    return { mailbox: await viewOf(ctx, id) };
  },
  {
    async before(caller, { id, password }) {
      const userId = memberOf(caller);
      if (password === undefined) return null;
      const row = await withWorkspace(caller.workspaceId, (db) => findMailbox(db, id), { readOnly: true });
      if (row?.userId !== userId || row.isLog) throw new Fault("mailbox_not_found");
      const { login } = await askMailbox({ address: row.address, user: row.login, password, server: row });
      return login;
    },
  },
);

/** The fields that have a value. */
const given = <T extends object>(fields: T): Partial<{ [K in keyof T]: Exclude<T[K], undefined> }> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

export const syncMailbox = implement(contract.syncMailbox, async (ctx, { id }) => {
  await own(ctx, id);
  await enqueue(ctx.db, syncing, { mailbox_id: id });
  return { mailbox: await viewOf(ctx, id) };
});

export const disconnectMailbox = implement(contract.disconnectMailbox, async (ctx, { id, messages }) => {
  const { address } = await own(ctx, id);
  const state = messages === "remove" ? "leaving" : "disconnected";
  await changeMailbox(ctx.db, id, { state, credentials: "", message: null });
  if (messages === "remove") await changeLevels(ctx, { of: "mailbox", mailboxId: id }, "nothing");
  await recordAudit(ctx, "mailbox.disconnected", id, { address, messages });
  announce(ctx.workspaceId, { topic: "integrations" });
  return { mailbox: await viewOf(ctx, id) };
});

export const getMailReport = implement(contract.getMailReport, async (ctx, { id }) => {
  requireOwn(ctx, await findMailbox(ctx.db, id));
  const [folders, counts, unreadable] = await together([
    findFolders(ctx.db, id),
    countOutcomes(ctx.db, id),
    findUnreadable(ctx.db, id, MOST_UNREADABLE),
  ]);
  return {
    folders: folders.map(({ path, atServer, missing, countedAt }) => {
      const here = counts.filter((one) => one.path === path);
      return {
        ...{ path, missing, at_server: atServer },
        read: here.reduce((sum, { count }) => sum + count, 0),
        outcomes: Object.fromEntries(here.map(({ outcome, count }) => [outcome, count])),
        counted_at: countedAt && formatTime(countedAt),
      };
    }),
    unreadable,
  };
});

/** A mailbox of the caller that is not being removed, locked. Throws 404 `mailbox_not_found`. */
async function own(ctx: Ctx, id: string): Promise<MailboxRow> {
  await holdMail(ctx); // before the row, as everything that stores messages does
  const mailbox = requireOwn(ctx, await lockMailbox(ctx.db, id));
  if (mailbox.state === "leaving") throw new Fault("mailbox_not_found");
  return mailbox;
}

function requireOwn(ctx: Ctx, row: MailboxRow | null): MailboxRow {
  if (row?.userId !== memberOf(ctx) || row.isLog) throw new Fault("mailbox_not_found");
  return row;
}

async function viewOf(ctx: Ctx, id: string): Promise<contract.Mailbox> {
  const row = await findMailbox(ctx.db, id);
  if (!row) throw new Fault("mailbox_not_found");
  return viewOfMailbox(row, await countHeld(ctx.db, id));
}
