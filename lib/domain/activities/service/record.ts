import { type Fault, isFault } from "#lib/core/errors.ts";
import { together } from "#lib/core/together.ts";
import { attachIdentifiers, findEntity } from "#lib/domain/entities/service.ts";
import {
  authorOf,
  lockEntities,
  lockEntitiesLate,
  type NewEvidence,
  writeEvidence,
} from "#lib/domain/evidence/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { moveLeads } from "#lib/domain/leads/service.ts";
import { emit } from "#lib/domain/outbox/service.ts";
import {
  createContacts,
  deriveMoves,
  lockAddresses,
  lockAddressesLate,
  recordAbout,
  touchRows,
  writePeople,
} from "#lib/domain/people/service.ts";
import { readStageRules, type StageRules } from "#lib/domain/stages/service.ts";
import { findErased } from "#lib/domain/tombstones/service.ts";
import { announce } from "#lib/live/announce.ts";
import { type ContactRow, readContacts } from "../queries.ts";
import { type Captured, Ledger, repeatOf, type Signal } from "./ledger.ts";

/** The result of a signal; null: there is no such contact, and none was to be created. */
export type Outcome = Captured | Fault | null;

/** A signal with what is known about its contact. */
type Report = { signal: Signal; row: ContactRow };

/**
 * Records signals in the caller's transaction, all with the same few statements: the evidence, the stages they move,
 * the rows of the lists, new contacts, leads, events in the outbox. Outcomes are in the order given. Repeats are answered from
 * what was stored. `seen`: what was read about each a moment ago.
 */
export async function recordSignals(
  ctx: Ctx,
  signals: readonly Signal[],
  seen: readonly ContactRow[] | null = null,
): Promise<Outcome[]> {
  if (signals.length === 0) return []; // a booking with no one but our own side
  // This read waits for no lock. It answers repeats, and shows what must be locked before anything is.
  const rows = seen ?? (await readContacts(ctx.db, signals));
  const repeated = rows.map(repeatOf);
  const news = reportsOf(signals, rows).filter((_, place) => !repeated[place]);
  const outcomes = news.length > 0 ? await recordNew(ctx, news) : [];
  let next = 0;
  return repeated.map((captured) => captured ?? outcomes[next++] ?? null);
}

async function recordNew(ctx: Ctx, news: readonly Report[]): Promise<Outcome[]> {
  const { reports: found, rules, at, refused } = await lockAndRead(ctx, news);
  const reports = await withoutErased(ctx, found);
  const ledger = new Ledger(rules, at);
  const outcomes = reports.map(({ signal, row }, place) => refused.get(place) ?? ledger.enter(signal, row));
  await write(ctx, ledger);
  return outcomes;
}

/** Who was erased is not created again by what no one decided: a webhook or a job. */
async function withoutErased(ctx: Ctx, reports: readonly Report[]): Promise<readonly Report[]> {
  if (ctx.actor.type !== "webhook" && ctx.actor.type !== "job") return reports;
  const unknown = reports.flatMap(({ signal: { email, createContact }, row }) =>
    createContact && email && row.id === null ? [{ kind: "email", value: email }] : [],
  );
  const erased = new Set((await findErased(ctx, unknown)).map(({ value }) => value));
  if (erased.size === 0) return reports;
  return reports.map(({ signal, row }) =>
    erased.has(signal.email ?? "") ? { signal: { ...signal, createContact: false }, row } : { signal, row },
  );
}

const reportsOf = (signals: readonly Signal[], rows: readonly ContactRow[]): Report[] =>
  rows.map((row, place) => ({ row, signal: signals[place] as Signal }));

/** True when the address will be given to a contact, new or existing. */
function takesAddress({ signal: { email, contactId, createContact }, row }: Report): boolean {
  if (!email || row.known) return false;
  return contactId === undefined ? row.id === null && createContact : row.emailOf !== row.id;
}

/** What must be locked before these are entered: addresses that will be given to a contact, and contacts. */
const needsOf = (reports: readonly Report[]) => ({
  addresses: reports.flatMap((report) => (takesAddress(report) ? [report.signal.email as string] : [])),
  contacts: reports.flatMap(({ row }) => (row.id === null ? [] : [row.id])),
});

type Locked = { reports: readonly Report[]; rules: StageRules; at: Date; refused: ReadonlyMap<number, Fault> };

/**
 * Takes the locks (first addresses that will be given to a contact, then contacts, always in the same order) and reads
 * what is known now. A lock that turns out to be needed while others are held, because a contact was merged, found or
 * erased meanwhile, is not waited for.
 */
async function lockAndRead(ctx: Ctx, news: readonly Report[]): Promise<Locked> {
  const addresses = new Set<string>();
  const contacts = new Set<string>();
  const signals = news.map(({ signal }) => signal);
  for (let reports = news; ; ) {
    const needed = needsOf(reports);
    const named = needed.addresses.filter((address) => !addresses.has(address));
    const people = needed.contacts.filter((id) => !contacts.has(id));
    const lockNamed = addresses.size + contacts.size > 0 ? lockAddressesLate : lockAddresses;
    const lockPeople = contacts.size > 0 ? lockEntitiesLate : lockEntities;
    for (const address of named) addresses.add(address);
    for (const id of people) contacts.add(id);
    const addressed = named.length > 0 ? lockNamed(ctx, named) : null;
    const locked = lockPeople(ctx.db, people);
    const [, rules, rows] = await together([locked, readStageRules(ctx), readContacts(ctx.db, signals), addressed]);
    reports = reportsOf(signals, rows);
    const now = needsOf(reports);
    if (now.contacts.some((id) => !contacts.has(id)) || now.addresses.some((item) => !addresses.has(item))) continue;
    const refused = await attachAddresses(ctx, reports);
    if (refused) reports = reportsOf(signals, await readContacts(ctx.db, signals));
    return { reports, rules, at: (reports[0] as Report).row.now, refused: refused ?? new Map() };
  }
}

/** Attaches addresses that were given together with a contact's id. Null: there was nothing to attach. */
async function attachAddresses(ctx: Ctx, reports: readonly Report[]): Promise<Map<number, Fault> | null> {
  const refused = new Map<number, Fault>();
  let any = false;
  for (const [place, { signal, row }] of reports.entries()) {
    const { contactId, email, source } = signal;
    if (contactId === undefined || !email || row.id === null || row.type !== "person") continue;
    if (row.known || row.emailOf === row.id) continue;
    any = true;
    try {
      const attached = await attachIdentifiers(ctx, row.id, [{ kind: "email", value: email }]);
      const entity = await findEntity(ctx.db, row.id);
      if (entity) await recordAbout(ctx, { ...entity, created: false, attached }, [], source);
    } catch (error) {
      if (!isFault(error)) throw error;
      refused.set(place, error);
    }
  }
  return any ? refused : null;
}

/** Writes what was entered; everything is sent with the COMMIT. */
async function write(ctx: Ctx, { at, states, evidence: entered, events, leadNews }: Ledger): Promise<void> {
  if (entered.length === 0) return;
  const replied = leadNews.length > 0 ? await moveLeads(ctx, at, leadNews) : [];
  const newcomers = states.flatMap(({ newcomer, stage, activityAt }) =>
    newcomer ? [{ ...newcomer, stage: stage ?? newcomer.stage, activityAt }] : [],
  );
  const introduction = newcomers.length > 0 ? await createContacts(ctx, at, newcomers) : null;
  const movers = states.flatMap(({ id, moved, absorbed, newcomer }) =>
    moved ? [{ id, absorbed, known: newcomer === null }] : [],
  );
  const { evidence, claims, seqOf } = await deriveMoves(ctx, movers, entered);
  const all = introduction ? [...introduction.evidence, ...evidence] : evidence;
  const written = writeEvidence(ctx.db, at, authorOf(ctx), all, [...(introduction?.claims ?? []), ...claims], seqOf);
  if (introduction) writePeople(ctx, introduction.rows);
  const touches = states.flatMap(({ id, newcomer, activityAt, moved, stage }) =>
    newcomer ? [] : [{ id, activityAt, stage: moved ? stage : null }],
  );
  if (touches.length > 0) touchRows(ctx.db, at, touches);
  emit(ctx, at, [...events, ...replied]);
  ctx.db.afterCommit(() => void written.then((rows) => tell(ctx, all, rows)));
}

/** Notifies open pages, once for each activity. */
function tell(ctx: Ctx, evidence: readonly NewEvidence[], written: readonly { seq: number }[]): void {
  for (const [place, { kind, entityId }] of evidence.entries()) {
    const seq = written[place]?.seq;
    if (kind === "event" && seq !== undefined)
      announce(ctx.workspaceId, { topic: "activity", entity_id: entityId, seq });
  }
}
