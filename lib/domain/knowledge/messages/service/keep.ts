import { isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { recordSignals, showRecordedBefore } from "#lib/domain/crm/activities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { findPeopleByEmail } from "#lib/domain/records/entities/service.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import {
  type ContactRow,
  findByKeys,
  findContents,
  insertMessages,
  type KnownMessage,
  refreshLevels,
  setActivities,
  setContent,
} from "../queries/keeping.ts";
import {
  addToRelationships,
  countRelationships,
  findContactsIn,
  findHeldTwice,
  markWritten,
} from "../queries/relationships.ts";
import { findApart, findCeiling } from "../queries/sharing.ts";
import { shareOf } from "../rules/sharing.ts";
import { namesOfThread, threadsOf } from "../rules/threads.ts";
import { MAIL_SOURCE, type MessageType, mostOpen, reaches, type ShareLevel } from "../words.ts";
import { type Content, readContent, sealContent } from "./content.ts";
import { holdMail, peopleOf } from "./hold.ts";
import { queueIndexing } from "./indexing.ts";
import { settling } from "./settle.ts";

/** The mailbox that messages came through. */
export type Holder = {
  mailboxId: string;
  userId: string;
  share: ShareLevel;
  /** whom its member writes to becomes a contact */
  addsContacts: boolean;
  /** so does who wrote to them */
  addsSenders?: boolean;
};

/** Someone outside, by a valid address in lower case, and what the message is to them. */
type MessageParty = { address: string; name: string | null; type: MessageType };

/** A message to keep. `quiet`: it is no activity, and adds no one. */
export type NewMessage = {
  /** of all that makes it this message: who knows its key alone must not get to see it */
  digest: string;
  key: string;
  references: readonly string[];
  inReplyTo: string | null;
  sentAt: Date;
  sender: string;
  recipients: readonly string[];
  parties: readonly MessageParty[];
  quiet: boolean;
  /** the mailbox's member wrote it */
  wrote: boolean;
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
  await holdMail(ctx);
  const batch = await begin(ctx, holder, [...new Map(mails.map((mail) => [mail.digest, mail])).values()]);
  await recordActivities(ctx, holder, batch);
  const kept = batch.filter(({ contacts }) => contacts.size > 0);
  const inserted = await store(ctx, holder, kept);
  await relate(ctx, holder, kept, inserted);
  const ids = new Map(kept.map(({ mail, id }) => [mail.digest, id]));
  return mails.map(({ digest }) => ids.get(digest) ?? null);
}

/** Finds the threads of messages, the contacts that are known, and how much of each the mailbox's member shares. */
async function begin(ctx: Ctx, { userId, share }: Holder, mails: readonly NewMessage[]): Promise<KeptMessage[]> {
  const { db } = ctx;
  const known = await findByKeys(db, [...new Set(mails.flatMap(namesOfThread))]);
  const stored = new Map(known.map((message) => [message.digest, message]));
  const threads = threadsOf(mails, new Map(known.map(({ key, thread }) => [key, thread])));
  const contacts = await findPeopleByEmail(
    db,
    mails.flatMap(({ parties }) => parties.map(({ address }) => address)),
  );
  const people = await peopleOf(ctx, [
    ...contacts.values(),
    ...known.flatMap((message) => message.contacts.map(({ entityId }) => entityId)),
  ]);
  const [apart, ceiling] = [await findApart(db, userId), await findCeiling(db)];
  return mails.map((mail) => {
    const before = stored.get(mail.digest);
    const thread = before?.thread ?? (threads.get(mail.key) as string);
    const id = before?.id ?? newId();
    const rows = mail.parties.flatMap(({ address, type }): ContactRow[] => {
      const entityId = contacts.get(address);
      return entityId ? [rowOf(id, mail, entityId, mail.quiet ? null : type)] : [];
    });
    const entities = [...rows, ...(before?.contacts ?? [])].map(({ entityId }) => people.get(entityId) ?? [entityId]);
    return {
      ...{ mail, id, thread, before },
      share: shareOf({ thread, entities }, { mailbox: share, apart, ceiling }),
      contacts: new Map([...rows, ...(before?.contacts ?? [])].map((row) => [row.entityId, row])),
    };
  });
}

const rowOf = (messageId: string, { sentAt }: NewMessage, entityId: string, type: string | null): ContactRow => ({
  ...{ messageId, entityId, type, activity: null, sentAt },
});

/** Records what the workspace may see of messages on the timelines of their contacts, who are added where the mailbox adds them. */
async function recordActivities(
  ctx: Ctx,
  { addsContacts, addsSenders }: Holder,
  batch: readonly KeptMessage[],
): Promise<void> {
  const visible = batch.filter(
    ({ mail, share, before }) => !mail.quiet && reaches(mostOpen([share, before?.shared ?? "nothing"]), "metadata"),
  );
  const told = (one: KeptMessage) => [...one.contacts.values()].every(({ activity }) => activity !== null);
  const reports = visible.flatMap((one) =>
    one.before && told(one) && one.contacts.size >= one.mail.parties.length
      ? []
      : one.mail.parties.map((party) => ({ one, party })),
  );
  const outcomes = await recordSignals(
    ctx,
    reports.map(({ one: { mail, id }, party: { address, name, type } }) => ({
      ...{ email: address, name, type, source: MAIL_SOURCE, externalId: mail.key, occurredAt: mail.sentAt },
      createContact: type === "email_sent" ? addsContacts : addsSenders === true,
      metadata: { message_id: id },
    })),
  );
  const shown = await showRecordedBefore(ctx, outcomes);
  for (const [index, { one, party }] of reports.entries()) {
    const outcome = outcomes[index];
    if (!outcome || isFault(outcome)) continue;
    const { contactId, activityId, deduplicated } = outcome;
    const before = one.contacts.get(contactId);
    const isOurs = !deduplicated || shown.has(activityId);
    const activity = isOurs ? activityId : (before?.activity ?? null);
    one.contacts.set(contactId, { ...rowOf(one.id, one.mail, contactId, party.type), activity });
  }
}

/** Where a message is shared for the first time, a job puts it on the timelines. */
const rises = ({ before, share }: KeptMessage): boolean =>
  before !== undefined && !reaches(before.shared, "metadata") && reaches(share, "metadata");

async function store(ctx: Ctx, { mailboxId, userId }: Holder, kept: readonly KeptMessage[]) {
  const inserted = await insertMessages(ctx.db, {
    messages: kept
      .filter(({ before }) => !before)
      .map(({ id, thread, share, mail: { digest, key, sentAt, sender, recipients, content, ...mail } }) => ({
        ...{ id, digest, key, thread, sentAt, sender, recipients: [...recipients], shared: share },
        answers: mail.inReplyTo !== null || mail.references.length > 0,
        content: sealContent(id, content),
      })),
    contacts: kept.flatMap(({ contacts }) => [...contacts.values()]),
    holders: kept.map((one) => ({
      ...{ messageId: one.id, mailboxId, userId, share: one.share, stale: rises(one), wrote: one.mail.wrote },
    })),
  });
  await setActivities(
    ctx.db,
    kept.flatMap(({ before, contacts }) =>
      (before?.contacts ?? []).flatMap(({ entityId, messageId, activity: was }) => {
        const activity = contacts.get(entityId)?.activity ?? null;
        return activity === was ? [] : { messageId, entityId, activity };
      }),
    ),
  );
  await addTexts(ctx, kept);
  const known = kept.flatMap(({ before, id }) => (before ? [id] : []));
  if (known.length > 0) await refreshLevels(ctx.db, known);
  if (kept.length > 0) await queueIndexing(ctx);
  if (kept.some(rises)) await enqueue(ctx.db, settling, {});
  return inserted;
}

/** Counts what is new for how the mailbox's member knows people: by itself, or where it changes what was counted, everything with them. */
async function relate(
  { db }: Ctx,
  holder: Holder,
  kept: readonly KeptMessage[],
  inserted: Awaited<ReturnType<typeof store>>,
): Promise<void> {
  const stored = kept.filter(({ before }) => before);
  const changed = stored.filter(({ id }) => inserted.contacts.has(id)).map(({ id }) => id);
  const seenAgain = stored.filter(({ id, mail }) => mail.wrote && !inserted.holders.has(id)).map(({ id }) => id);
  changed.push(...(await markWritten(db, holder.mailboxId, seenAgain)));
  const heldNow = stored.filter(({ id }) => inserted.holders.has(id)).map(({ id }) => id);
  changed.push(...(await findHeldTwice(db, holder, heldNow)));
  const added = kept.filter(({ id }) => inserted.holders.has(id) && !changed.includes(id)).map(({ id }) => id);
  await addToRelationships(db, holder.mailboxId, added);
  await countRelationships(db, await findContactsIn(db, changed));
}

/** The first mailbox that brought a message may keep no texts; another that does adds what it says. */
async function addTexts({ db }: Ctx, kept: readonly KeptMessage[]): Promise<void> {
  const known = new Map(kept.flatMap((one) => (one.before && one.mail.content.text !== null ? [[one.id, one]] : [])));
  if (known.size === 0) return;
  for (const { id, content } of await findContents(db, [...known.keys()])) {
    const added = known.get(id)?.mail.content;
    if (added && readContent(id, content)?.text === null) await setContent(db, id, sealContent(id, added));
  }
}
