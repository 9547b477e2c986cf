import { jobAuthority } from "#lib/auth/jobs.ts";
import type { Caller } from "#lib/core/context.ts";
import { isUuid, newId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import type { Db } from "#lib/db/handle.ts";
import { isUnstorable, withoutWorkspace } from "#lib/db/transaction.ts";
import { tellMember } from "#lib/domain/integrations/connections/service.ts";
import { insideOf } from "#lib/jobs/inside.ts";
import { parseApart } from "#lib/jobs/parsing.ts";
import { type Fetched, type MailClient, MailFault, openMailClient } from "#lib/providers/imap/client.ts";
import { headersIn } from "#lib/text/mail/headers.ts";
import type { ParsedMail } from "#lib/text/mail/parse.ts";
import { findPlace, movePlace } from "../queries.ts";
import { type LogMailbox, tokenIn, workspaceIn } from "../rules/address.ts";
import { keepLogMail, type LogMail } from "./keep.ts";

/** Of a larger mail only the headers are read, in bytes. */
const MOST_BYTES = 10 * 1024 * 1024;
const BATCH = 50;
const FOLDER = "INBOX";

/** Another process moved the place meanwhile. */
class Overrun extends Error {}

/** Reads what is new in the operator's mailbox. Throws nothing that the next minute may mend: it is logged, without the login. */
export async function readLogMailbox(mailbox: LogMailbox, signal: AbortSignal): Promise<void> {
  const { host } = mailbox.server;
  try {
    const client = await openMailClient(mailbox.server, mailbox.login, { signal, isOperators: true });
    try {
      const unknown = await readNew(mailbox, client, signal);
      if (unknown > 0) log.warn({ host, mails: unknown }, "mails to LOG_MAILBOX_URL name no address of a member");
    } finally {
      await client.close();
    }
  } catch (error) {
    if (error instanceof Overrun || signal.aborted) return;
    if (!(error instanceof MailFault)) throw error;
    log.warn({ host, reason: error.reason }, "the mailbox of LOG_MAILBOX_URL cannot be read");
  }
}

/** Returns how many mails named no member's address. */
async function readNew(mailbox: LogMailbox, client: MailClient, signal: AbortSignal): Promise<number> {
  const { uidValidity, uidNext } = await client.open(FOLDER);
  const key = `${mailbox.login.user}@${mailbox.server.host}:${mailbox.server.port}`;
  const place = {
    ...{ mailbox: key, uidValidity },
    from: await withoutWorkspace((db) => findPlace(db, key, uidValidity), { operation: "mail to log addresses" }),
  };
  let unknown = 0;
  const uids = await client.uids(Number(place.from), null);
  for (let at = 0; at < uids.length && !signal.aborted; at += BATCH)
    for await (const fetched of client.fetch(uids.slice(at, at + BATCH), MOST_BYTES)) {
      const moves = { ...place, to: BigInt(fetched.uid + 1) };
      if (!(await keepOne(mailbox, fetched, (db) => move(db, moves)))) unknown += 1;
      place.from = moves.to;
    }
  const end = BigInt(uidNext ?? 0);
  if (end > place.from && !signal.aborted) await withoutWorkspace((db) => move(db, { ...place, to: end }));
  return unknown;
}

async function move(db: Db, places: Parameters<typeof movePlace>[1]): Promise<void> {
  if (!(await movePlace(db, places))) throw new Overrun();
}

/** Keeps a mail in the transaction that moves the place. False: it names no member's address, and is left out. */
async function keepOne(mailbox: LogMailbox, fetched: Fetched, moved: (db: Db) => Promise<void>): Promise<boolean> {
  const source = fetched.source ?? fetched.head;
  const headers = headersIn(source);
  const token = tokenIn(headers, mailbox);
  const caller = token && (await authorityOf(token));
  if (!token || !caller) {
    await withoutWorkspace(moved);
    return false;
  }
  const mail = await parsed(source, fetched.uid);
  const logMail: LogMail = { token, headers, mail, receivedAt: fetched.internalDate };
  const keep = (one: LogMail) =>
    insideOf(
      caller,
      "mail to log addresses",
    )(async (ctx) => {
      const userId = await keepLogMail(ctx, mailbox, one);
      await moved(ctx.db);
      return userId;
    });
  const userId = await keep(logMail).catch((error: unknown) => {
    if (!isUnstorable(error)) throw error;
    return keep({ ...logMail, mail: null }); // what the database cannot hold must not stop those after it
  });
  if (userId !== null) tellMember(caller, userId);
  return userId !== null;
}

async function authorityOf(token: string): Promise<Caller | null> {
  const workspaceId = workspaceIn(token);
  return workspaceId !== null && isUuid(workspaceId) ? jobAuthority(workspaceId, newId()) : null;
}

const parsed = (source: Buffer, uid: number): Promise<ParsedMail | null> =>
  parseApart("mail", source).catch((error: unknown) => {
    log.error({ err: error, uid }, "a mail to a log address could not be read");
    return null;
  });
