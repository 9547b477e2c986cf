import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { withoutUndefined } from "#lib/core/json.ts";
import { together } from "#lib/core/together.ts";
import { isUniqueViolation, withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { tellChanged } from "#lib/domain/integrations/connections/service.ts";
import {
  changeLevels,
  findCeiling,
  forMember,
  holdMail,
  leaveMessages,
  memberOf,
  messagesWith,
} from "#lib/domain/knowledge/messages/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { type Folder, MailFault, type MailServer } from "#lib/providers/imap/client.ts";
import { findMailServer as serverOf } from "#lib/providers/imap/discover.ts";
import { providerOf, signInProviders } from "#lib/providers/mail-sign-in/client.ts";
import { DAY_MS, formatTime } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import {
  changeMailbox,
  countHeld,
  countMissing,
  countMissingAgain,
  countOutcomes,
  findFolders,
  findMailbox,
  findMailboxesOf,
  findUnreadable,
  forgetBlocked,
  insertMailbox,
  lockMailbox,
  type MailboxRow,
  markBlocked,
} from "../queries.ts";
import { foldersToRead } from "../rules/folders.ts";
import { viewOfFolder, viewOfMailbox } from "../serialize.ts";
import { syncing } from "./kind.ts";
import { askFolders, askMailbox, faultOf, loginOf, type OpenMailbox, sealLogin } from "./login.ts";
import { loginFor } from "./tokens.ts";

const MOST_UNREADABLE = 100;

export const testMailbox = implement(
  contract.testMailbox,
  async (_ctx, _input, { server, folders }: OpenMailbox) => ({
    server,
    folders: folders.map((folder) => viewOfFolder(folder, foldersToRead(folders, []).includes(folder))),
  }),
  { before: (caller, input) => forMember(caller, () => askMailbox(input)) },
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
      ...{ share, contacts, since, folders, blocked, keepsBodies, provider: null },
    }).catch((error: unknown) => {
      throw isUniqueViolation(error) ? new Fault("mailbox_connected") : error;
    });
    await enqueue(ctx.db, syncing, { mailbox_id: id });
    await recordAudit(ctx, "mailbox.connected", id, { address, share });
    return { mailbox: await viewOf(ctx, id) };
  },
  { before: (caller, input) => forMember(caller, () => askMailbox(input)) },
);

export const listMailboxes = implement(contract.listMailboxes, async (ctx) => {
  const rows = await findMailboxesOf(ctx.db, memberOf(ctx));
  const ids = rows.map(({ id }) => id);
  const [ceiling, count] = await together([findCeiling(ctx.db), countsOf(ctx, ids)]);
  const mailboxes = rows.map((row) => viewOfMailbox(row, count(row.id)));
  return { mailboxes, ceiling, sign_in: signInProviders() };
});

export const updateMailbox = implement(
  contract.updateMailbox,
  async (ctx, input, login: OpenMailbox["login"] | null) => {
    const { id, share, contacts, folders, blocked, keep_bodies: keepsBodies, dry_run } = input;
    const before = await own(ctx, id);
    const others = blocked?.filter((one) => !before.blocked.includes(one)) ?? [];
    if (dry_run) return { mailbox: await viewOf(ctx, id), removed: (await messagesWith(ctx, id, others)).length };
    await changeMailbox(ctx.db, id, {
      ...withoutUndefined({ share, contacts, folders, blocked, keepsBodies }),
      ...(login
        ? {
            ...{ credentials: sealLogin(id, login), provider: null, isVerified: true, message: null },
            ...{ login: login.user, state: "connected" },
          }
        : {}),
    });
    if (share !== undefined && share !== before.share) {
      await changeLevels(ctx, { of: "mailbox", mailboxId: id }, share);
      await recordAudit(ctx, "mailbox.shared", id, { address: before.address, share, before: before.share });
    }
    const removed = await messagesWith(ctx, id, others);
    await leaveMessages(ctx, id, removed);
    const isUnblocking = blocked !== undefined && before.blocked.some((one) => !blocked.includes(one));
    if (isUnblocking) await forgetBlocked(ctx.db, id);
    await markBlocked(ctx.db, id, removed);
    if (login || folders !== undefined || isUnblocking) await enqueue(ctx.db, syncing, { mailbox_id: id });
    tellChanged(ctx);
    return { mailbox: await viewOf(ctx, id), removed: removed.length };
  },
  {
    async before(caller, { id, password }) {
      if (password === undefined) return null;
      const row = await rowOf(caller, id);
      const { login } = await askMailbox({ address: row.address, user: row.login, password, server: row });
      return login;
    },
  },
);

/** A mailbox of the caller, before any transaction. Throws 404 `mailbox_not_found`. */
async function rowOf(caller: Caller, id: string): Promise<MailboxRow> {
  const userId = memberOf(caller);
  const row = await withWorkspace(caller.workspaceId, (db) => findMailbox(db, id), { readOnly: true });
  if (row?.userId !== userId || row.isLog) throw new Fault("mailbox_not_found");
  return row;
}

export const listMailFolders = implement(
  contract.listMailFolders,
  async (_ctx, _input, { row, folders }: { row: MailboxRow; folders: readonly Folder[] }) => {
    const read = foldersToRead(folders, row.folders).map(({ path }) => path);
    return { folders: folders.map((folder) => viewOfFolder(folder, read.includes(folder.path))) };
  },
  {
    async before(caller, { id }) {
      const row = await rowOf(caller, id);
      if (row.state !== "connected") throw new Fault("mailbox_not_found");
      return { row, folders: await foldersOf(caller, row) };
    },
  },
);

/** The folders at the server of a connected mailbox. Throws 400 `invalid_credentials`, 502 `provider_unavailable`. */
async function foldersOf(caller: Caller, row: MailboxRow): Promise<Folder[]> {
  const kept = loginOf(row);
  if (!kept) throw new Fault("invalid_credentials", {}, "The password cannot be opened any more. Enter it again.");
  try {
    return await askFolders(row, await loginFor(caller, row, kept));
  } catch (error) {
    throw error instanceof MailFault ? faultOf(row, error) : error;
  }
}

export const findMailServer = implement(
  contract.findMailServer,
  async (_ctx, _input, server: MailServer | null) => ({ server, sign_in: server && providerOf(server) }),
  { before: (caller, { address }) => forMember(caller, () => serverOf(address)) },
);

export const syncMailbox = implement(contract.syncMailbox, async (ctx, { id }) => {
  await own(ctx, id);
  await countMissingAgain(ctx.db, id);
  await enqueue(ctx.db, syncing, { mailbox_id: id });
  return { mailbox: await viewOf(ctx, id) };
});

export const disconnectMailbox = implement(contract.disconnectMailbox, async (ctx, { id, messages }) => {
  const { address } = await own(ctx, id);
  const state = messages === "remove" ? "leaving" : "disconnected";
  await changeMailbox(ctx.db, id, { state, credentials: "", message: null });
  if (messages === "remove") await changeLevels(ctx, { of: "leaving mailbox", mailboxId: id }, "nothing");
  await recordAudit(ctx, "mailbox.disconnected", id, { address, messages });
  tellChanged(ctx);
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
  return viewOfMailbox(row, (await countsOf(ctx, [id]))(id));
}

/** How many messages of mailboxes are kept, and how many are missing, by the mailbox. */
async function countsOf({ db }: Ctx, ids: readonly string[]) {
  const [kept, missing] = await together([countHeld(db, ids), countMissing(db, ids)]);
  return (id: string) => ({ kept: kept.get(id) ?? 0, missing: missing.get(id) ?? 0 });
}
