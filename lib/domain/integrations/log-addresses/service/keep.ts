import { findNamedMembers } from "#lib/auth/named-members.ts";
import { sha256 } from "#lib/auth/secret-tokens.ts";
import { newId } from "#lib/core/ids.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { keepLogged, ownAddresses } from "#lib/domain/integrations/mailboxes/service.ts";
import { holdMail } from "#lib/domain/knowledge/messages/service.ts";
import { isAuthentic } from "#lib/text/mail/authentication.ts";
import type { Header } from "#lib/text/mail/headers.ts";
import type { ParsedMail } from "#lib/text/mail/parse.ts";
import { changeLogAddress, countUnknown, findByToken, insertRefusal, type LogAddressRow } from "../queries.ts";
import { isLogAddress, type LogMailbox } from "../rules/address.ts";
import type { LogRefusalReason } from "../words.ts";
import { MOST_REFUSALS } from "./address.ts";

/** A mail that arrived in the operator's mailbox. `mail` null: it cannot be read. */
export type LogMail = { token: string; headers: readonly Header[]; mail: ParsedMail | null; receivedAt: Date };

/** Keeps a mail that was sent to a token, or notes why not. Returns whose token it is; null: no member's, which is counted. */
export async function keepLogMail(ctx: Ctx, mailbox: LogMailbox, logMail: LogMail): Promise<string | null> {
  await holdMail(ctx);
  const address = await findByToken(ctx.db, new Uint8Array(sha256(logMail.token)));
  const members = address ? await findNamedMembers(ctx.db) : [];
  if (!address || !members.some(({ userId }) => userId === address.userId)) {
    await countUnknown(ctx.db, new Date());
    return null;
  }
  const refused = await keep(ctx, mailbox, address, logMail);
  if (refused === null) await changeLogAddress(ctx.db, address.userId, { receivedAt: new Date() });
  else {
    const sender = logMail.mail?.from?.address.toLowerCase() ?? null;
    await insertRefusal(ctx.db, { id: newId(), userId: address.userId, sender, reason: refused }, MOST_REFUSALS);
  }
  return address.userId;
}

/** Null when it was kept. */
async function keep(
  ctx: Ctx,
  mailbox: LogMailbox,
  { userId, mailboxId }: LogAddressRow,
  { headers, mail, receivedAt }: LogMail,
): Promise<LogRefusalReason | null> {
  if (!mail) return "unreadable";
  // Of two senders no one knows which one the server has looked at.
  const from =
    headers.filter(({ name }) => name === "from").length === 1 ? mail.from?.address.toLowerCase() : undefined;
  const own = await ownAddresses(ctx);
  if (!from || !own.some((one) => one.userId === userId && one.address === from)) return "not_a_member";
  if (!isAuthentic(headers, { server: mailbox.authservId, from })) return "not_authentic";
  const others = (addresses: ParsedMail["to"]) => addresses.filter(({ address }) => !isLogAddress(mailbox, address));
  const sent = { ...mail, to: others(mail.to), cc: others(mail.cc) };
  return (await keepLogged(ctx, { mailboxId, userId, mail: sent, receivedAt })) ? null : "no_contact";
}
