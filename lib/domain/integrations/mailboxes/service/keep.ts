import { isFault } from "#lib/core/errors.ts";
import { isUnstorable } from "#lib/db/transaction.ts";
import { memberAddresses } from "#lib/domain/access/members/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { keepMessages, type NewMessage } from "#lib/domain/knowledge/messages/service.ts";
import { normaliseEmail } from "#lib/domain/records/entities/service.ts";
import type { Inside } from "#lib/jobs/inside.ts";
import type { ParsedMail } from "#lib/text/mail/parse.ts";
import { findAddresses, findFolder, insertItems, lockMailbox, type MailboxRow, moveFolder } from "../queries.ts";
import { judge, type Sides } from "../rules/judge.ts";
import { sidesOf } from "../rules/sides.ts";
import type { MailOutcome } from "../words.ts";

/** A message as a folder has it. `mail` null: it cannot be read. */
export type Arrived = { uid: number; receivedAt: Date; mail: ParsedMail | null };

/** Some messages of a folder, in order. `from`: where the folder's place was when they were asked for; `to`: where it is when they are kept. */
export type Batch = {
  mailboxId: string;
  path: string;
  uidValidity: string;
  from: bigint;
  to: bigint;
  arrived: readonly Arrived[];
};

/**
 * Keeps a batch and moves the folder's place, in one transaction. False, and nothing is kept: the mailbox is disconnected, or another
 * run moved the place meanwhile.
 */
export async function keepBatch(
  ctx: Ctx,
  { mailboxId, path, uidValidity, from, to, arrived }: Batch,
): Promise<boolean> {
  const mailbox = await lockMailbox(ctx.db, mailboxId);
  const folder = await findFolder(ctx.db, mailboxId, path);
  if (mailbox?.state !== "connected" || folder?.uidValidity !== uidValidity || folder.nextUid !== from) return false;
  const items = await keepArrived(ctx, mailbox, arrived);
  await insertItems(
    ctx.db,
    items.map((item) => ({ mailboxId, path, ...item })),
  );
  await moveFolder(ctx.db, { mailboxId, path }, to);
  return true;
}

/**
 * As `keepBatch`, in transactions of its own. A message that the database cannot hold must not stop those after it: then each is kept
 * by itself, and that one counts as unreadable.
 */
export async function keepEach(inside: Inside, batch: Batch): Promise<boolean> {
  const keep = (one: Batch) => inside((ctx) => keepBatch(ctx, one));
  try {
    return await keep(batch);
  } catch (error) {
    if (!isUnstorable(error)) throw error;
  }
  let from = batch.from;
  for (const one of batch.arrived) {
    const to = one === batch.arrived.at(-1) ? batch.to : BigInt(one.uid + 1);
    const alone = { ...batch, from, to, arrived: [one] };
    const isKept = await keep(alone).catch((error: unknown) => {
      if (!isUnstorable(error)) throw error;
      return keep({ ...alone, arrived: [{ ...one, mail: null }] });
    });
    if (!isKept) return false;
    from = to;
  }
  return true;
}

type Item = { uid: bigint; outcome: MailOutcome; messageId: string | null };

/** Keeps what has a contact, and says of each what was done with it. */
export async function keepArrived(ctx: Ctx, mailbox: MailboxRow, arrived: readonly Arrived[]): Promise<Item[]> {
  const addresses = [...(await memberAddresses(ctx)), ...(await findAddresses(ctx.db))];
  const sides = sidesOf(addresses, mailbox.blocked);
  const judged = arrived.map((one) => ({ ...one, ...judgedOf(one, sides, mailbox) }));
  const mails = judged.flatMap(({ message }) => message ?? []);
  const holder = {
    ...{ mailboxId: mailbox.id, userId: mailbox.userId, share: mailbox.share },
    addsContacts: mailbox.contacts === "written_to",
  };
  const ids = (await keepMessages(ctx, holder, mails)).values();
  return judged.map(({ uid, outcome, message }) => {
    const id = message ? (ids.next().value as string | null) : null;
    const done: MailOutcome = message ? (id ? "kept" : message.quiet ? "group" : "no_contact") : outcome;
    return { uid: BigInt(uid), outcome: done, messageId: id };
  });
}

type Judged = { outcome: MailOutcome; message: NewMessage | null };

function judgedOf({ mail, receivedAt }: Arrived, sides: Sides, { keepsBodies }: MailboxRow): Judged {
  if (!mail) return { outcome: "unreadable", message: null };
  const judgement = judge(mail, sides);
  if (judgement.outcome !== "kept") return { outcome: judgement.outcome, message: null };
  const parties = judgement.parties.flatMap(({ address, ...party }) => {
    const valid = validAddress(address);
    return valid ? [{ address: valid, ...party }] : [];
  });
  if (parties.length === 0) return { outcome: "no_contact", message: null };
  return { outcome: "kept", message: messageOf(mail, receivedAt, { parties, quiet: judgement.quiet, keepsBodies }) };
}

function validAddress(address: string): string | null {
  try {
    return normaliseEmail(address);
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

const DAY_MS = 86_400_000;

/** A clock that is wrong must not put a message into the future. */
const sentAtOf = ({ date }: ParsedMail, receivedAt: Date): Date =>
  date && +date <= +receivedAt + DAY_MS ? date : receivedAt;

function messageOf(
  mail: ParsedMail,
  receivedAt: Date,
  { parties, quiet, keepsBodies }: Pick<NewMessage, "parties" | "quiet"> & { keepsBodies: boolean },
): NewMessage {
  const { key, references, inReplyTo, from, to, cc, bcc, subject, visible, attachments } = mail;
  const addressed = [...to, ...cc, ...bcc];
  const everyone = [...(from ? [from] : []), ...addressed];
  return {
    ...{ key, references, inReplyTo, parties, quiet },
    sentAt: sentAtOf(mail, receivedAt),
    sender: from?.address.toLowerCase() ?? "",
    recipients: [...new Set(addressed.map(({ address }) => address.toLowerCase()))],
    content: {
      subject,
      text: keepsBodies ? visible : null,
      names: Object.fromEntries(everyone.flatMap(({ address, name }) => (name ? [[address.toLowerCase(), name]] : []))),
      attachments: keepsBodies ? attachments : [],
      automatic: quiet,
    },
  };
}
