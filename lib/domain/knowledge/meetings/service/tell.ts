import { isFault } from "#lib/core/errors.ts";
import {
  hideActivities,
  recordSignals,
  type Signal,
  showActivities,
  showRecordedBefore,
  supersedeActivity,
} from "#lib/domain/crm/activities/service.ts";
import { calledOffBy, markSuperseded, type TimelineEvent } from "#lib/domain/crm/timeline/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { countRelationships } from "#lib/domain/knowledge/messages/service.ts";
import { mostOpen, reaches } from "#lib/domain/knowledge/messages/words.ts";
import { findPeopleByEmail } from "#lib/domain/records/entities/service.ts";
import { DAY_MS, formatTime } from "#lib/text/time.ts";
import {
  type ActivityRow,
  type ContactRow,
  changeActivity,
  changeContact,
  changeMeeting,
  deleteMeetings,
  findMeetings,
  findReported,
  insertActivities,
  insertContacts,
  type ReportedRow,
  type WholeMeeting,
} from "../queries/keeping.ts";
import { idOf } from "../rules/identity.ts";
import { type OtherReport, type Plan, planFor, type ToTell, type Wish } from "../rules/plan.ts";
import { answerOf, type Standing, standingOf } from "../rules/standing.ts";
import { MEETING_SOURCE, type MeetingType } from "../words.ts";

/** Whom a calendar that was just read adds as contacts: names by address, by the id of the meeting. */
type Newcomers = ReadonlyMap<string, ReadonlyMap<string, string | null>>;

/** A recorder is given this long to report a meeting, before it counts as held by its guest's word. */
const GRACE_MS = 30 * 60_000;
/** How far from a meeting a booking of it is looked for that was moved since. */
const REACH_MS = 60 * DAY_MS;

/** Someone of a meeting, by the addresses that are invited. `held`: the meeting took place with them. */
type Party = { addresses: readonly string[]; contact: ContactRow | null; held: boolean; plan: Plan };

type ReportedEvent = TimelineEvent<ReportedRow>;

/** A meeting, how it stands, and whom it is with. */
type MeetingToTell = { meeting: WholeMeeting; standing: Standing | null; parties: readonly Party[] };

type News = {
  newcomers?: Newcomers;
  /** the meetings whose copies are not as they were when they were told last */
  changed?: readonly string[];
};

/**
 * Makes the timelines of contacts tell how these meetings stand, and counts who met whom, in the caller's transaction, which holds the mail
 * (`holdMail`). Removes meetings that no calendar has any more, and those without a contact.
 */
export async function tellMeetings(
  ctx: Ctx,
  ids: readonly string[],
  { newcomers = new Map(), changed = ids }: News = {},
): Promise<void> {
  const meetings = await findMeetings(ctx.db, [...new Set(ids)]);
  const now = new Date();
  const told = await plansOf(ctx, meetings, newcomers, now);
  await changeShown(ctx, told);
  const kept = await recordNew(ctx, told, newcomers);
  for (const { parties } of told)
    for (const { plan } of parties) for (const one of plan.replace) await supersedeActivity(ctx, one);
  await store(ctx, told, kept, now);
  await countRelationships(ctx.db, countedDifferently(told, kept, new Set(changed)));
}

/** The contacts who may be known otherwise than before: those with whom a meeting that changed was held, before or now. */
function countedDifferently(told: readonly MeetingToTell[], kept: NewRows, changed: ReadonlySet<string>): string[] {
  const contacts = told.flatMap(({ meeting, standing, parties }) => {
    const before = new Map(meeting.contacts.map((row) => [row.entityId, row]));
    return parties.flatMap(({ contact, held }) => {
      if (!contact) return [];
      const { entityId } = contact;
      const row = before.get(entityId);
      const isMoved = held && +(standing?.startsAt ?? 0) !== +(row?.startsAt ?? 0);
      const isOther = held !== (row?.held ?? false) || isMoved || (held && changed.has(meeting.id));
      return isOther ? [entityId] : [];
    });
  });
  return [...new Set([...contacts, ...kept.contacts.flatMap(({ entityId, held }) => (held ? [entityId] : []))])];
}

async function plansOf(
  ctx: Ctx,
  meetings: readonly WholeMeeting[],
  newcomers: Newcomers,
  now: Date,
): Promise<MeetingToTell[]> {
  const standings = new Map(meetings.map((meeting) => [meeting.id, standingOf(meeting.copies)]));
  const addresses = [...standings.values()].flatMap((one) => [...(one?.answers.keys() ?? [])]);
  const known = await findPeopleByEmail(ctx.db, addresses);
  const parties = meetings.map((meeting) => ({
    meeting,
    standing: standings.get(meeting.id) ?? null,
    parties: partiesOf(meeting, standings.get(meeting.id) ?? null, known, newcomers),
  }));
  const reported = await reportsOf(
    ctx,
    parties.flatMap((one) => one.parties.flatMap(({ contact }) => contact ?? [])),
  );
  return parties.map(({ meeting, standing, parties: theirs }) => ({
    ...{ meeting, standing },
    parties: theirs.map((party) => {
      const { contact } = party;
      const activities = meeting.activities.filter(({ entityId }) => entityId === contact?.entityId);
      const others = contact ? othersIn(reported.get(contact.entityId) ?? [], meeting.id) : [];
      const wish = wishOf(meeting, standing, party, now);
      return {
        ...party,
        held: wish.isOn && wish.isHeld,
        plan: planFor(
          activities.map((row) => ({ ...row, type: row.type as MeetingType })),
          others,
          wish,
        ),
      };
    }),
  }));
}

/** Who a meeting is or was with: contacts, and those who become contacts by it. */
function partiesOf(
  { id, contacts, startsAt }: WholeMeeting,
  standing: Standing | null,
  known: ReadonlyMap<string, string>,
  newcomers: Newcomers,
): Omit<Party, "held" | "plan">[] {
  const rows = new Map(contacts.map((row) => [row.entityId, row]));
  const strangers: string[] = [];
  for (const address of standing?.answers.keys() ?? []) {
    if ([...rows.values()].some(({ addresses }) => addresses.includes(address))) continue;
    const entityId = known.get(address);
    const row = entityId ? rows.get(entityId) : undefined;
    if (entityId)
      rows.set(entityId, {
        ...{ meetingId: id, entityId, startsAt, held: row?.held ?? false },
        addresses: [...(row?.addresses ?? []), address],
      });
    else if (newcomers.get(id)?.has(address)) strangers.push(address);
  }
  return [
    ...[...rows.values()].map((contact) => ({ contact, addresses: contact.addresses })),
    ...strangers.map((address) => ({ contact: null, addresses: [address] })),
  ];
}

function wishOf(
  { uid, planned, copies, startsAt, endsAt }: WholeMeeting,
  standing: Standing | null,
  { addresses }: Pick<Party, "addresses">,
  now: Date,
): Wish {
  const answer = standing && answerOf(standing, addresses);
  return {
    isKnown: reaches(mostOpen(copies.map(({ share }) => share)), "metadata"),
    isOn: standing?.isOn === true && answer !== null && answer !== "declined",
    isCancelled: standing?.isCancelled === true || answer === "declined",
    isHeld: answer === "accepted" && standing !== null && isOver(standing, now),
    startsAt: standing?.startsAt ?? startsAt,
    endsAt: standing?.endsAt ?? endsAt,
    changedAt: standing?.changedAt ?? now,
    ...{ uid, id: idOf({ uid, planned }), repeats: planned !== null },
  };
}

const dueOf = ({ endsAt }: Standing): Date => new Date(endsAt.getTime() + GRACE_MS);
const isOver = (standing: Standing, now: Date): boolean => dueOf(standing) <= now;

/** What the timelines of these contacts say of meetings, by contact. */
async function reportsOf(ctx: Ctx, contacts: readonly ContactRow[]): Promise<Map<string, ReportedEvent[]>> {
  const times = contacts.map(({ startsAt }) => startsAt.getTime());
  const [from, to] = [new Date(Math.min(...times) - REACH_MS), new Date(Math.max(...times) + REACH_MS)];
  const ids = [...new Set(contacts.map(({ entityId }) => entityId))];
  const rows = ids.length === 0 ? [] : await findReported(ctx.db, ids, { from, to });
  const shown = await markSuperseded(ctx, rows);
  return Map.groupBy(shown, ({ contactId }) => contactId);
}

/**
 * What others reported, and what other meetings told first: two that are at one time with one person are the same, though their calendars
 * name them differently.
 */
function othersIn(events: readonly ReportedEvent[], meetingId: string): OtherReport[] {
  const others = events.filter((one) => one.meetingId === null || one.meetingId < meetingId);
  const isOff = calledOffBy(others.filter(({ property }) => property === "interaction.meeting_cancelled"));
  return others.map((one) => ({
    type: one.property.replace("interaction.", "") as MeetingType,
    ...{ at: one.at, recordedAt: one.recordedAt, source: one.source, externalId: one.externalId },
    uid: uidIn(one),
    isOff: one.supersededBy !== null || isOff(one),
    isOurs: one.meetingId !== null,
  }));
}

/** The UID of the calendar that a report names. */
function uidIn({ value, externalId }: ReportedRow): string | null {
  const { metadata } = Object(value) as { metadata?: unknown };
  const { ical_uid: uid } = Object(metadata) as { ical_uid?: unknown };
  return typeof uid === "string" && uid !== "" ? uid : externalId;
}

/** Takes what is not to be told any more off timelines, and puts back what is. */
async function changeShown(ctx: Ctx, told: readonly MeetingToTell[]): Promise<void> {
  const plans = told.flatMap(({ meeting, parties }) =>
    parties.flatMap(({ contact, plan }) =>
      contact ? { plan, of: { meetingId: meeting.id, entityId: contact.entityId } } : [],
    ),
  );
  const hide = plans.flatMap(({ plan, of }) => plan.hide.map((one) => ({ ...of, ...one })));
  const show = plans.flatMap(({ plan, of }) => plan.show.map((one) => ({ ...of, ...one })));
  const hidden = await hideActivities(
    ctx,
    hide.map(({ activity }) => activity),
  );
  for (const { activity, ...row } of hide)
    await changeActivity(ctx.db, row, { hidden: true, activity: hidden.get(activity) ?? activity });
  await showActivities(
    ctx,
    show.map(({ activity }) => activity),
  );
  for (const row of show) await changeActivity(ctx.db, row, { hidden: false });
}

type NewRows = { contacts: ContactRow[]; activities: ActivityRow[] };

/** Records what is new on timelines, all at once; who is not a contact yet becomes one. */
async function recordNew(ctx: Ctx, told: readonly MeetingToTell[], newcomers: Newcomers): Promise<NewRows> {
  const news = told.flatMap(({ meeting, standing, parties }) =>
    parties.flatMap((party) => party.plan.tell.map((one) => ({ meeting, standing, party, one }))),
  );
  const outcomes = await recordSignals(
    ctx,
    news.map(({ meeting, standing, party, one }) => ({
      ...signalOf(meeting, standing, one),
      ...(party.contact
        ? { contactId: party.contact.entityId, createContact: false }
        : { ...whoOf(party, newcomers.get(meeting.id)), createContact: true }),
    })),
  );
  const kept: NewRows = { contacts: [], activities: [] };
  const shown = await showRecordedBefore(ctx, outcomes);
  for (const [index, { meeting, party, one }] of news.entries()) {
    const outcome = outcomes[index];
    if (!outcome || isFault(outcome)) continue;
    const meetingId = meeting.id;
    const entityId = party.contact?.entityId ?? outcome.contactId;
    if (!party.contact)
      kept.contacts.push({
        ...{ meetingId, entityId, startsAt: one.at, held: party.held },
        addresses: [...party.addresses],
      });
    // Someone else reported it under this id: theirs stays, whatever becomes of ours.
    if (outcome.deduplicated && !shown.has(outcome.activityId)) continue;
    const { externalId, type, at } = one;
    kept.activities.push({
      ...{ meetingId, entityId, externalId, type, at },
      ...{ activity: outcome.activityId, hidden: false },
    });
  }
  return kept;
}

function whoOf({ addresses }: Party, names: ReadonlyMap<string, string | null> | undefined) {
  const [email = ""] = addresses;
  return { email, name: names?.get(email) ?? null };
}

/** It says who and when; what the meeting is about is in its copies. */
function signalOf(
  { id, uid }: WholeMeeting,
  standing: Standing | null,
  { externalId, type, at, uid: slot, movedFrom }: ToTell,
): Omit<Signal, "createContact"> {
  const isNow = standing !== null && +standing.startsAt === +at;
  return {
    ...{ type, source: MEETING_SOURCE, externalId, occurredAt: at },
    ...(type === "meeting_held" ? { method: "inferred" } : {}),
    metadata: {
      ...{ meeting_id: id, ical_uid: uid, start: formatTime(at) },
      ...(isNow ? { end: formatTime(standing.endsAt) } : {}),
      ...(slot === null ? {} : { uid: slot }),
      ...(movedFrom === null ? {} : { rescheduled_from: movedFrom }),
    },
  };
}

async function store({ db }: Ctx, told: readonly MeetingToTell[], kept: NewRows, now: Date): Promise<void> {
  const before = new Map(told.map(({ meeting }) => [meeting.id, meeting]));
  const contacts = told.flatMap(({ meeting, standing, parties }) =>
    parties.flatMap(({ contact, held }) =>
      contact ? { ...contact, startsAt: standing?.startsAt ?? meeting.startsAt, held } : [],
    ),
  );
  const isNew = ({ meetingId, entityId }: ContactRow) =>
    !before.get(meetingId)?.contacts.some((one) => one.entityId === entityId);
  await insertContacts(db, [...contacts.filter(isNew), ...kept.contacts]);
  await insertActivities(db, kept.activities);
  const having = new Set([...contacts, ...kept.contacts].map(({ meetingId }) => meetingId));
  const left: string[] = [];
  for (const { meeting, standing } of told) {
    const { id } = meeting;
    if (!standing || !having.has(id)) {
      left.push(id);
      continue;
    }
    const { startsAt, endsAt } = standing;
    const dueAt = standing.isOn && !isOver(standing, now) ? dueOf(standing) : null;
    if (+startsAt !== +meeting.startsAt || +endsAt !== +meeting.endsAt || +(dueAt ?? 0) !== +(meeting.dueAt ?? 0))
      await changeMeeting(db, id, { startsAt, endsAt, dueAt });
    for (const contact of contacts.filter(({ meetingId }) => meetingId === id)) {
      const row = meeting.contacts.find(({ entityId }) => entityId === contact.entityId);
      const isSame =
        +(row?.startsAt ?? 0) === +startsAt &&
        row?.held === contact.held &&
        row.addresses.length === contact.addresses.length;
      if (row && !isSame) await changeContact(db, contact);
    }
  }
  await deleteMeetings(db, left);
}
