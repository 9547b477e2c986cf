import { isUnstorable } from "#lib/db/transaction.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { holdMail, keepMessages, type NewMessage } from "#lib/domain/knowledge/messages/service.ts";
import { normaliseEmail } from "#lib/domain/records/entities/service.ts";
import type { Inside } from "#lib/jobs/inside.ts";
import { oneLine } from "#lib/text/clip.ts";
import { digestOf } from "#lib/text/digest.ts";
import type { ParsedMail } from "#lib/text/mail/parse.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { findFolder, insertItems, lockMailbox, type MailboxRow, moveFolder } from "../queries.ts";
import { judge, type Sides, sidesOf } from "../rules/judge.ts";
import type { MailOutcome } from "../words.ts";
import { ownAddresses } from "./addresses.ts";

/** A message as a folder has it. `mail` null: it cannot be read. */
export type Arrived = { uid: number; receivedAt: Date; mail: ParsedMail | null };

/** Some messages of a folder, in order. */
export type Batch = {
  mailboxId: string;
  path: string;
  /** its messages are from the member, by whatever address */
  isSent: boolean;
  uidValidity: string;
  /** where the folder's place was when they were asked for, and where it is when they are kept; null: they are behind it */
  place: { from: bigint; to: bigint } | null;
  arrived: readonly Arrived[];
};

/**
 * Keeps a batch and moves the folder's place, in one transaction. False, and nothing is kept: the mailbox is disconnected, or another
 * run moved the place meanwhile.
 */
async function keepBatch(ctx: Ctx, { mailboxId, path, isSent, uidValidity, place, arrived }: Batch): Promise<boolean> {
  await holdMail(ctx);
  const mailbox = await lockMailbox(ctx.db, mailboxId);
  const folder = await findFolder(ctx.db, mailboxId, path);
  if (mailbox?.state !== "connected" || folder?.uidValidity !== uidValidity) return false;
  if (place && folder.nextUid !== place.from) return false;
  const items = await keepArrived(ctx, mailbox, arrived, isSent);
  await insertItems(ctx.db, { mailboxId, path }, items);
  if (place) await moveFolder(ctx.db, { mailboxId, path }, place.to);
  return true;
}

/**
 * As `keepBatch`, in transactions of its own. A message that the database cannot hold must not stop those after it: then each is kept
 * by itself, and that one counts as unreadable.
 */
export async function keepEach(inside: Inside, batch: Batch): Promise<boolean> {
  const keep = (one: Batch) => inside((ctx) => keepBatch(ctx, one));
  const whole = await unlessUnstorable(keep(batch));
  if (whole !== "unstorable") return whole;
  let from = batch.place?.from ?? null;
  for (const one of batch.arrived) {
    const to = one === batch.arrived.at(-1) && batch.place ? batch.place.to : BigInt(one.uid + 1);
    const alone = { ...batch, place: from === null ? null : { from, to }, arrived: [one] };
    const kept = await unlessUnstorable(keep(alone));
    const isKept = kept === "unstorable" ? await keep({ ...alone, arrived: [unreadable(one)] }) : kept;
    if (!isKept) return false;
    if (from !== null) from = to;
  }
  return true;
}

const unreadable = (one: Arrived): Arrived => ({ ...one, mail: null });

const unlessUnstorable = <T>(work: Promise<T>): Promise<T | "unstorable"> =>
  work.catch((error: unknown) => {
    if (isUnstorable(error)) return "unstorable" as const;
    throw error;
  });

type Item = { uid: bigint; outcome: MailOutcome; messageId: string | null };

/** Keeps what has a contact, and says of each what was done with it. */
async function keepArrived(
  ctx: Ctx,
  mailbox: MailboxRow,
  arrived: readonly Arrived[],
  isSent: boolean,
): Promise<Item[]> {
  const addresses = await ownAddresses(ctx);
  const sides = sidesOf(
    addresses.map(({ address }) => address),
    mailbox.blocked,
  );
  const theirs = new Set(addresses.flatMap(({ userId, address }) => (userId === mailbox.userId ? [address] : [])));
  const wrote = ({ mail }: Arrived) => isSent || theirs.has(mail?.from?.address.toLowerCase() ?? "");
  const judged = arrived.map((one) => ({
    ...one,
    ...judgedOf(one, isSent ? sentBy(one, sides) : sides, { ...mailbox, wrote: wrote(one) }),
  }));
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

/** What is in the folder of sent mail is from its member, also by an address that we do not know. */
const sentBy = ({ mail }: Arrived, sides: Sides): Sides =>
  mail?.from ? { ...sides, own: new Set([...sides.own, mail.from.address.toLowerCase()]) } : sides;

type JudgeOptions = Pick<MailboxRow, "keepsBodies" | "share"> & { wrote: boolean };

export function judgedOf(
  { mail: whole, receivedAt }: Arrived,
  sides: Sides,
  { keepsBodies, share, wrote }: JudgeOptions,
): Judged {
  if (!whole) return { outcome: "unreadable", message: null };
  // A copy of the same message that a colleague shares must not tell who was in Bcc.
  const mail = share === "nothing" ? { ...whole, bcc: [] } : whole;
  const judgement = judge(mail, sides);
  if (judgement.outcome !== "kept") return { outcome: judgement.outcome, message: null };
  const parties = judgement.parties.flatMap(({ address, ...party }) => {
    const valid = normaliseEmail(address);
    return valid ? [{ address: valid, ...party }] : [];
  });
  if (parties.length === 0) return { outcome: "no_contact", message: null };
  const { quiet } = judgement;
  return { outcome: "kept", message: messageOf(mail, receivedAt, { parties, quiet, wrote, keepsBodies }) };
}

/** A clock that is wrong must not put a message into the future. Some servers do not say when they received it: then now counts. */
function sentAtOf({ date }: ParsedMail, receivedAt: Date): Date {
  const received = +receivedAt > 0 ? receivedAt : new Date();
  return date && +date > 0 && +date <= +received + DAY_MS ? date : received;
}

/** Of all that makes it this message. Spaces differ where a server has wrapped lines. */
const digestOfMail = ({ key, from, date, subject, text }: ParsedMail): string =>
  digestOf([key, from?.address.toLowerCase(), date, subject, oneLine(text)]);

function messageOf(
  mail: ParsedMail,
  receivedAt: Date,
  { keepsBodies, ...known }: Pick<NewMessage, "parties" | "quiet" | "wrote"> & { keepsBodies: boolean },
): NewMessage {
  const { key, references, inReplyTo, from, to, cc, subject, visible, attachments } = mail;
  const addressed = [...to, ...cc];
  const everyone = [...(from ? [from] : []), ...addressed];
  return {
    ...{ digest: digestOfMail(mail), key, references, inReplyTo, ...known },
    sentAt: sentAtOf(mail, receivedAt),
    sender: from?.address.toLowerCase() ?? "",
    recipients: [...new Set(addressed.map(({ address }) => address.toLowerCase()))],
    content: {
      subject,
      text: keepsBodies ? visible : null,
      names: Object.fromEntries(everyone.flatMap(({ address, name }) => (name ? [[address.toLowerCase(), name]] : []))),
      attachments: keepsBodies ? attachments : [],
      automatic: known.quiet,
    },
  };
}
