import { isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { lock } from "#lib/db/locks.ts";
import { recordSignals } from "#lib/domain/crm/activities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { findByIdentifiers } from "#lib/domain/records/entities/service.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { type ContactRow, findByKeys, insertMessages, type KnownMessage, refreshLevels } from "../queries/keeping.ts";
import { findApart, findCeiling } from "../queries/sharing.ts";
import { shareOf } from "../rules/sharing.ts";
import { namesOfThread, threadsOf } from "../rules/threads.ts";
import { MAIL_SOURCE, type MessageType, reaches, type ShareLevel } from "../words.ts";
import { type Content, sealContent } from "./content.ts";
import { settling } from "./share.ts";

/** The mailbox that messages came through. */
export type Holder = {
  mailboxId: string;
  userId: string;
  share: ShareLevel;
  /** whom its member writes to becomes a contact */
  addsContacts: boolean;
};

/** Someone outside, by a valid address in lower case, and what the message is to them. */
export type MessageParty = { address: string; name: string | null; type: MessageType };

/** A message to keep. `quiet`: it is no activity, and adds nobody. */
export type NewMessage = {
  key: string;
  references: readonly string[];
  inReplyTo: string | null;
  sentAt: Date;
  sender: string;
  recipients: readonly string[];
  parties: readonly MessageParty[];
  quiet: boolean;
  content: Content;
};

/** A message while it is stored. `contacts`: by the id of the entity. */
type KeptMessage = {
  mail: NewMessage;
  id: string;
  thread: string;
  /** as it was stored before; undefined: not at all */
  before: KnownMessage | undefined;
  share: ShareLevel;
  contacts: Map<string, ContactRow>;
};

/**
 * Stores those messages of one mailbox that have a contact, in the caller's transaction: who becomes a contact, the activities that the
 * workspace may see, and who holds them. A message that another folder or mailbox brought is stored once. Returns the id of each in the
 * order given; null: it has no contact, and nothing is stored of it.
 */
export async function keepMessages(ctx: Ctx, holder: Holder, mails: readonly NewMessage[]): Promise<(string | null)[]> {
  if (mails.length === 0) return [];
  const batch = await begin(ctx, holder, [...new Map(mails.map((mail) => [mail.key, mail])).values()]);
  await recordActivities(ctx, holder, batch);
  const kept = batch.filter(({ contacts }) => contacts.size > 0);
  await store(ctx, holder, kept);
  const ids = new Map(kept.map(({ mail, id }) => [mail.key, id]));
  return mails.map(({ key }) => ids.get(key) ?? null);
}

/** Locks the messages, and finds their threads, the contacts that are known, and how much of each the mailbox's member shares. */
async function begin(ctx: Ctx, { userId, share }: Holder, mails: readonly NewMessage[]): Promise<KeptMessage[]> {
  const { db } = ctx;
  await lock(db, "message", mails.map(({ key }) => key).sort());
  const known = await findByKeys(db, [...new Set(mails.flatMap(namesOfThread))]);
  const stored = new Map(known.map((message) => [message.key, message]));
  const threads = threadsOf(mails, new Map(known.map(({ key, thread }) => [key, thread])));
  const contacts = await contactsOf(ctx, mails);
  const [apart, ceiling] = [await findApart(db, userId), await findCeiling(db)];
  return mails.map((mail) => {
    const before = stored.get(mail.key);
    const thread = before?.thread ?? (threads.get(mail.key) as string);
    const id = before?.id ?? newId();
    const rows = mail.parties.flatMap(({ address, type }): ContactRow[] => {
      const entityId = contacts.get(address);
      return entityId ? [rowOf(id, mail, entityId, mail.quiet ? null : type)] : [];
    });
    const entities = [...rows, ...(before?.contacts ?? [])].map(({ entityId }) => entityId);
    return {
      ...{ mail, id, thread, before },
      share: shareOf({ thread, entities }, { mailbox: share, apart, ceiling }),
      contacts: new Map([...rows, ...(before?.contacts ?? [])].map((row) => [row.entityId, row])),
    };
  });
}

const rowOf = (messageId: string, { sentAt }: NewMessage, entityId: string, type: string | null): ContactRow => ({
  ...{ messageId, entityId, type, activity: null, withdrawn: false, sentAt },
});

/** The people who are known by the addresses outside. */
async function contactsOf({ db }: Ctx, mails: readonly NewMessage[]): Promise<Map<string, string>> {
  const addresses = new Set(mails.flatMap(({ parties }) => parties.map(({ address }) => address)));
  const wanted = [...addresses].map((value) => ({ kind: "email", value }) as const);
  const known = wanted.length === 0 ? [] : await findByIdentifiers(db, wanted);
  return new Map(known.filter(({ type }) => type === "person").map(({ value, id }) => [value, id]));
}

/** Records what the workspace may see of new messages on the timelines of their contacts, who are added where the mailbox adds them. */
async function recordActivities(ctx: Ctx, { addsContacts }: Holder, batch: readonly KeptMessage[]): Promise<void> {
  const reports = batch.flatMap((one) =>
    one.before || one.mail.quiet || !reaches(one.share, "metadata")
      ? []
      : one.mail.parties.map((party) => ({ one, party })),
  );
  const outcomes = await recordSignals(
    ctx,
    reports.map(({ one: { mail, id }, party: { address, name, type } }) => ({
      ...{ email: address, name, type, source: MAIL_SOURCE, externalId: mail.key, occurredAt: mail.sentAt },
      createContact: addsContacts && type === "email_sent",
      metadata: { message_id: id },
    })),
  );
  for (const [index, { one, party }] of reports.entries()) {
    const outcome = outcomes[index];
    if (!outcome || isFault(outcome)) continue;
    const row = rowOf(one.id, one.mail, outcome.contactId, party.type);
    one.contacts.set(row.entityId, { ...row, activity: outcome.activityId });
  }
}

/** Where a message that nobody shared before is shared now, a job tells the timelines. */
const rises = ({ before, share }: KeptMessage): boolean =>
  before !== undefined && !reaches(before.shared, "metadata") && reaches(share, "metadata");

async function store(ctx: Ctx, { mailboxId, userId }: Holder, kept: readonly KeptMessage[]): Promise<void> {
  await insertMessages(ctx.db, {
    messages: kept
      .filter(({ before }) => !before)
      .map(({ id, thread, share, mail: { key, sentAt, sender, recipients, content } }) => ({
        ...{ id, key, thread, sentAt, sender, recipients: [...recipients], shared: share },
        content: sealContent(id, content),
      })),
    contacts: kept.flatMap(({ contacts }) => [...contacts.values()]),
    holders: kept.map((one) => ({ messageId: one.id, mailboxId, userId, share: one.share, stale: rises(one) })),
  });
  await refreshLevels(
    ctx.db,
    kept.flatMap(({ before, id }) => (before ? [id] : [])),
  );
  if (kept.some(rises)) await enqueue(ctx.db, settling, {});
}
