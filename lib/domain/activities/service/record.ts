import { type Fault, isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import { attachIdentifiers, findEntity } from "#lib/domain/entities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { type ActivityType, propertyOfActivity } from "#lib/domain/observations/contract.ts";
import {
  authorOf,
  lockEntities,
  type Method,
  type NewEvidence,
  writeEvidence,
} from "#lib/domain/observations/service.ts";
import { emit, type NewEvent } from "#lib/domain/outbox/service.ts";
import {
  createContacts,
  deriveMoves,
  lockAddresses,
  type Newcomer,
  recordAbout,
  type Stage,
  stageAdvanced,
  stageMove,
  touchRows,
  writePeople,
} from "#lib/domain/people/service.ts";
import { eventIn, readStageRules, type StageRules, stageAfter } from "#lib/domain/stages/service.ts";
import { announce } from "#lib/live/announce.ts";
import { type ContactRow, type KnownActivity, type Reference, readContacts } from "../queries.ts";

/** An activity to be recorded, whoever reports it. */
export type Activity = Reference & {
  /** make a person of an address nobody has yet, of this name */
  create: { name: string | null } | null;
  /** a company is not meant */
  ofPerson: boolean;
  type: ActivityType;
  value: unknown;
  method: Method;
  /** null: the moment it is recorded */
  occurredAt: Date | null;
};

export type Recorded = {
  activityId: string;
  contactId: string;
  /** null: the contact is no person */
  stageBefore: Stage | null;
  stageAfter: Stage | null;
  /** it was known; everything else is as the first time */
  deduplicated: boolean;
  createdContact: boolean;
};

/** What became of an activity; null: nobody has that name and nobody was to be made. */
export type Outcome = Recorded | Fault | null;

/**
 * Records activities in the caller's transaction, all with the same few statements: the evidence, the stages they move,
 * the rows of the lists, the contacts that are new, word in the outbox. Outcomes stand in the order given. What is
 * repeated is answered from what was stored. `seen`: what was read of each a moment ago.
 */
export async function recordActivities(
  ctx: Ctx,
  activities: readonly Activity[],
  seen: readonly ContactRow[] | null = null,
): Promise<Outcome[]> {
  const outcomes = new Array<Outcome>(activities.length).fill(null);
  if (activities.length === 0) return outcomes; // a booking of nobody but one's own side
  // The look waits for nobody. It answers what is repeated, and says what is to be locked before anything is.
  const rows = seen ?? (await readContacts(ctx.db, activities));
  const open: number[] = [];
  for (const index of activities.keys()) {
    const repeated = repeatOf(rows[index]);
    if (repeated) outcomes[index] = repeated;
    else open.push(index);
  }
  if (open.length === 0) return outcomes;
  const work = await beginWork(
    ctx,
    open.map((index) => activities[index] as Activity),
    open.map((index) => rows[index] as ContactRow),
  );
  for (const [place, index] of open.entries()) outcomes[index] = enter(work, place);
  await finishWork(ctx, work);
  return outcomes;
}

/** The answer to a report of what is recorded already: as the first time. `stage`: where somebody of no recorded stage stands. */
const repeatedOf = ({ id, of, before, after }: KnownActivity, stage: Stage | null): Recorded => ({
  activityId: id,
  contactId: of,
  stageBefore: before ?? (after === null ? stage : "identified"),
  stageAfter: after ?? stage,
  deduplicated: true,
  createdContact: before === null && after !== null,
});

/** The answer to an activity that is recorded already, as its contact's row has it; null: it is not. */
export const repeatOf = (row: ContactRow | undefined): Recorded | null =>
  row?.known ? repeatedOf(row.known, row.stage) : null;

/** The address whose lock is needed: it is to become a contact's, new or known. */
function unknownAddress(activity: Activity | undefined, row: ContactRow | undefined): string[] {
  if (!activity || activity.email === null || row?.known) return [];
  const needed = activity.contactId === null ? row?.id === null && activity.create !== null : row?.emailOf !== row?.id;
  return needed ? [activity.email] : [];
}

/** Where a contact stands while activities are entered one after the other. */
type Standing = {
  absorbed: readonly string[];
  stage: Stage | null;
  moved: boolean;
  activityAt: Date;
  newcomer: Newcomer | null;
};

type Work = {
  activities: readonly Activity[];
  rows: readonly ContactRow[];
  rules: StageRules;
  at: Date;
  refused: ReadonlyMap<number, Fault>;
  standings: Map<string, Standing>;
  /** ids of those who are made, by address */
  newcomers: Map<string, string>;
  /** the activity of each (contact, source, external id) among these */
  first: Map<string, Recorded>;
  /** in the order of learning */
  evidence: NewEvidence[];
  events: NewEvent[];
};

/** What has to be locked before these activities are entered: addresses that become somebody's, and contacts. */
const needsOf = (activities: readonly Activity[], rows: readonly ContactRow[]) => ({
  addresses: activities.flatMap((activity, place) => unknownAddress(activity, rows[place])),
  contacts: rows.flatMap(({ id }) => (id === null ? [] : [id])),
});

/** Takes the locks (addresses that become somebody's, then the contacts, in one order for all) and reads what stands. */
async function beginWork(ctx: Ctx, activities: readonly Activity[], seen: readonly ContactRow[]): Promise<Work> {
  const addresses = new Set<string>();
  const contacts = new Set<string>();
  for (let rows = seen; ; ) {
    const needed = needsOf(activities, rows);
    for (const address of needed.addresses) addresses.add(address);
    for (const id of needed.contacts) contacts.add(id);
    const addressed = addresses.size > 0 ? lockAddresses(ctx, [...addresses]) : null;
    const [, rules, found] = await together([
      lockEntities(ctx.db, [...contacts]),
      readStageRules(ctx),
      readContacts(ctx.db, activities),
      addressed,
    ]);
    rows = found;
    // A contact that was merged or found while this waited has another lock, or an address was given up.
    const now = needsOf(activities, rows);
    if (now.contacts.some((id) => !contacts.has(id)) || now.addresses.some((item) => !addresses.has(item))) continue;
    const refused = await attachAddresses(ctx, activities, rows);
    const current = refused ? await readContacts(ctx.db, activities) : rows;
    return {
      activities,
      rows: current,
      rules,
      at: (current[0] as ContactRow).now,
      refused: refused ?? new Map(),
      standings: new Map(),
      newcomers: new Map(),
      first: new Map(),
      evidence: [],
      events: [],
    };
  }
}

/** Gives contacts the addresses they were named with beside their ids. Null: nothing was to be done. */
async function attachAddresses(
  ctx: Ctx,
  activities: readonly Activity[],
  rows: readonly ContactRow[],
): Promise<Map<number, Fault> | null> {
  const refused = new Map<number, Fault>();
  let any = false;
  for (const [place, { contactId, email, source }] of activities.entries()) {
    const row = rows[place];
    if (contactId === null || email === null || row?.type !== "person" || row.known || row.emailOf === row.id) continue;
    any = true;
    try {
      const attached = await attachIdentifiers(ctx, row.id as string, [{ kind: "email", value: email }]);
      const entity = await findEntity(ctx.db, row.id as string);
      if (entity) await recordAbout(ctx, { ...entity, created: false, attached }, [], source);
    } catch (error) {
      if (!isFault(error)) throw error;
      refused.set(place, error);
    }
  }
  return any ? refused : null;
}

/** Enters one activity: decides its answer, and what is to be written for it. */
function enter(work: Work, place: number): Outcome {
  const activity = work.activities[place] as Activity;
  const row = work.rows[place] as ContactRow;
  const refusal = work.refused.get(place);
  if (refusal) return refusal;
  const repeated = repeatOf(row);
  if (repeated) return repeated;
  const contactId = row.id ?? work.newcomers.get(activity.email ?? "") ?? null;
  if (contactId === null && activity.create === null) return null;
  if (contactId === null && (activity.email === null || activity.contactId !== null)) return null;
  if (row.type === "workspace" || (row.type === "company" && activity.ofPerson)) return null;

  const id = newId();
  const contact = contactId ?? newId();
  const key = activity.externalId === null ? null : `${contact} ${activity.source}\n${activity.externalId}`;
  const earlier = key === null ? undefined : work.first.get(key);
  if (earlier) return { ...earlier, deduplicated: true };

  const activityAt = earliest(activity.occurredAt ?? work.at, work.at);
  const known = work.standings.get(contact) ?? standingOf(row, activityAt);
  const created = contactId === null;
  if (created) {
    const { email, create, source } = activity as Activity & { email: string };
    const newcomer = {
      id: contact,
      email,
      name: create?.name ?? null,
      source,
      causedBy: id,
      stage: "identified" as const,
      activityAt,
    };
    work.newcomers.set(email, contact);
    known.newcomer = newcomer;
    known.stage = "identified";
  }
  const before = known.stage;
  const after = before && stageOf(work, activity, before);
  work.evidence.push({
    id,
    entityId: contact,
    kind: "event",
    property: propertyOfActivity(activity.type),
    value: activity.value,
    source: activity.source,
    method: activity.method,
    observedAt: activity.occurredAt ?? work.at,
    recordedAt: work.at,
    externalId: activity.externalId,
    causedBy: null,
    stageBefore: created ? null : before,
    stageAfter: after,
  });
  work.events.push({ type: `activity.${activity.type}`, entityId: contact, observationId: id });
  if (before && after && before !== after) {
    const move = stageMove(work.at, contact, activity.source, id, after);
    work.evidence.push(move);
    work.events.push(stageAdvanced(contact, move.id, before, after, id));
  }
  work.standings.set(contact, {
    ...known,
    stage: after,
    moved: known.moved || before !== after,
    activityAt: latest(known.activityAt, activityAt),
  });
  const recorded: Recorded = {
    activityId: id,
    contactId: contact,
    stageBefore: before,
    stageAfter: after,
    deduplicated: false,
    createdContact: created,
  };
  if (key !== null) work.first.set(key, recorded);
  return recorded;
}

const earliest = (a: Date, b: Date): Date => (a < b ? a : b);
const latest = (a: Date, b: Date): Date => (a > b ? a : b);

const standingOf = (row: ContactRow, activityAt: Date): Standing => ({
  absorbed: row.absorbed ?? [],
  stage: row.type === "person" ? (row.stage ?? "identified") : null,
  moved: false,
  activityAt,
  newcomer: null,
});

const stageOf = ({ rules, at }: Work, { type, value, occurredAt }: Activity, before: Stage): Stage =>
  stageAfter(rules, before, { type, event: eventIn(value), occurredAt: occurredAt ?? at, recordedAt: at });

/** Writes what was entered; everything leaves with the COMMIT. */
async function finishWork(ctx: Ctx, work: Work): Promise<void> {
  const { at, standings, evidence, events } = work;
  if (evidence.length === 0) return;
  const newcomers = [...standings.values()].flatMap(({ newcomer, stage, activityAt }) =>
    newcomer ? [{ ...newcomer, stage: stage as Stage, activityAt }] : [],
  );
  const introduction = newcomers.length > 0 ? await createContacts(ctx, at, newcomers) : null;
  const movers = [...standings].flatMap(([id, { moved, absorbed, newcomer }]) =>
    moved ? [{ id, absorbed, known: newcomer === null }] : [],
  );
  const { claims, seqOf } = await deriveMoves(ctx, movers, evidence);
  const all = introduction ? [...introduction.evidence, ...evidence] : evidence;
  const written = writeEvidence(ctx.db, at, authorOf(ctx), all, [...(introduction?.claims ?? []), ...claims], seqOf);
  if (introduction) void writePeople(ctx.db, introduction.rows);
  const touches = [...standings].flatMap(([id, { newcomer, activityAt, moved, stage }]) =>
    newcomer ? [] : [{ id, activityAt, stage: moved ? stage : null }],
  );
  if (touches.length > 0) touchRows(ctx.db, touches);
  emit(ctx, at, events);
  ctx.db.afterCommit(() => void written.then((rows) => tell(ctx, all, rows)));
}

/** Tells who is looking, once for each activity. */
function tell(ctx: Ctx, evidence: readonly NewEvidence[], written: readonly { seq: number }[]): void {
  for (const [place, { kind, entityId }] of evidence.entries()) {
    const seq = written[place]?.seq;
    if (kind === "event" && seq !== undefined)
      announce(ctx.workspaceId, { topic: "activity", entity_id: entityId, seq });
  }
}
