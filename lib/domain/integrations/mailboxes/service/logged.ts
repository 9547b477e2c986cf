import type { Ctx } from "#lib/domain/implement.ts";
import { keepMessages } from "#lib/domain/knowledge/messages/service.ts";
import { digestOf } from "#lib/text/digest.ts";
import { parseForwarded } from "#lib/text/mail/forwarded.ts";
import type { ParsedMail } from "#lib/text/mail/parse.ts";
import { visibleOf } from "#lib/text/mail/visible.ts";
import { insertLogMailbox } from "../queries.ts";
import { sidesOf } from "../rules/judge.ts";
import { ownAddresses } from "./addresses.ts";
import { judgedOf } from "./keep.ts";

/** Makes a mailbox for what a member sends to their log address. */
export const makeLogMailbox = ({ db }: Pick<Ctx, "db">, mailbox: { id: string; userId: string }): Promise<void> =>
  insertLogMailbox(db, mailbox);

/** A mail that a member sent to their log address, which is not among its recipients. */
type Logged = { mailboxId: string; userId: string; mail: ParsedMail; receivedAt: Date };

/**
 * Keeps a mail for everyone, with the people outside that it went to. Of a mail that only forwards another, that other is kept. Its
 * contacts are added. False: it has no one outside. The caller holds the mail.
 */
export async function keepLogged(ctx: Ctx, { mailboxId, userId, mail, receivedAt }: Logged): Promise<boolean> {
  const addresses = await ownAddresses(ctx);
  const sides = sidesOf(
    addresses.map(({ address }) => address),
    [],
  );
  const isTheirs = ({ from }: ParsedMail) =>
    addresses.some((own) => own.userId === userId && own.address === from?.address.toLowerCase());
  const judged = (one: ParsedMail) =>
    judgedOf({ uid: 0, receivedAt, mail: one }, sides, {
      ...{ keepsBodies: true, share: "everything", wrote: isTheirs(one) },
    }).message;
  const forwarded = () => {
    const original = forwardedIn(mail);
    return original && judged(original);
  };
  const message = judged({ ...mail, bcc: [] }) ?? forwarded();
  if (!message) return false;
  const holder = { mailboxId, userId, share: "everything", addsContacts: true, addsSenders: true } as const;
  const [id] = await keepMessages(ctx, holder, [message]);
  return id !== null;
}

/** The mail that another forwards, as far as its headers in the text say. Its Message-ID is not among them. */
function forwardedIn(mail: ParsedMail): ParsedMail | null {
  const found = parseForwarded(mail.text);
  if (!found?.from) return null;
  const { from, to, subject, date, text } = found;
  return {
    ...mail,
    ...{ from, sender: null, replyTo: [], to, cc: [], bcc: [], subject: subject ?? mail.baseSubject, text },
    ...{ messageId: null, references: [], inReplyTo: null, kind: "person", bounced: [] },
    key: `forwarded:${digestOf([from.address, date, subject, text])}`,
    date: date ?? mail.date,
    visible: visibleOf(text),
  };
}
