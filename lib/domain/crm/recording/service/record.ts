import { type Fault, isFault } from "#lib/core/errors.ts";
import { leavesToPeople } from "#lib/core/plans.ts";
import { heldAs, holdFields, LeftToPerson } from "#lib/domain/holding.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { logChanges } from "#lib/domain/records/change-log/service.ts";
import {
  createEntities,
  insertIdentifiers,
  preferIdentifier,
  retireIdentifiers,
  setStatus,
} from "#lib/domain/records/entities/service.ts";
import { announceLearned, authorOf, factsRecorded, writeEvidence } from "#lib/domain/records/evidence/service.ts";
import { emit } from "#lib/domain/records/outbox/service.ts";
import { holdCompanies, touchRows } from "../queries/employers.ts";
import { lockLeadsOf, updateLeads } from "../queries/leads.ts";
import type { Contact, ReportResult } from "../rules/contact.ts";
import { shownAfter } from "../rules/contact.ts";
import type { Decision } from "../rules/decide.ts";
import { type LeadNews, moveLeads } from "../rules/lead-moves.ts";
import type { Report } from "../rules/world.ts";
import { type DecidedBatch, type ReportLookup, readAndDecide } from "./read.ts";
import { lockRenamed, type Rows, refreshIds, rowsOf, sendRows } from "./refresh.ts";

/** `seen`: what was looked up a moment ago. `dryRun`: decide only. `before`: called when everything is locked and decided, and nothing written. */
export type Manner = {
  seen?: readonly ReportLookup[] | undefined;
  dryRun?: boolean;
  before?: (decision: Decision) => Promise<void>;
};

/** As `record`, and returns all that was decided. */
export async function recordAndTell(
  ctx: Ctx,
  reports: readonly Report[],
  { seen, dryRun = false, before }: Manner,
): Promise<DecidedBatch> {
  const decided = await readAndDecide(ctx, reports, { seen, foreseen: dryRun });
  if (dryRun) return decided;
  if (leavesToPeople(ctx) && [...decided.decision.contacts.values()].some(changesStatus)) throw new LeftToPerson();
  await before?.(decided.decision);
  await write(ctx, decided);
  const results = await holdBack(ctx, decided.results);
  return { ...decided, results };
}

const changesStatus = ({ isNew, entity, wasStatus }: Contact): boolean => !isNew && entity.status !== wasStatus;

/** Keeps what people must approve first, and adds to each value in the results as what it waits, if it does. */
async function holdBack(ctx: Ctx, results: DecidedBatch["results"]): Promise<DecidedBatch["results"]> {
  const fields = results.flatMap((result) =>
    isFault(result) ? [] : result.held.map((draft) => ({ ...draft, entityId: result.entity.id })),
  );
  if (fields.length === 0) return results;
  const ids = await holdFields(
    ctx,
    fields.map(({ entityId, property, value, source, externalId, saidAt }) => ({
      ...{ entityId, property, value, source, externalId, saidAt },
    })),
  );
  return results.map((result) => {
    if (isFault(result) || result.held.length === 0) return result;
    const held = new Set(result.held.map(({ property }) => property));
    const believed = result.believed.map((one) => {
      const id = held.has(one.property)
        ? ids.get(heldAs({ entityId: result.entity.id, property: one.property }))
        : null;
      return id ? { ...one, approval_id: id } : one;
    });
    return { ...result, believed };
  });
}

/**
 * Records reports about people, companies and the workspace in the caller's transaction, each building on those before it:
 * reads what they are about, decides what follows, and writes it, in as few statements for many as for one. Everything that
 * says something about anyone comes here. A fault in the place of a result refuses that report alone. `seen`: what was looked up
 * a moment ago.
 */
export async function record(
  ctx: Ctx,
  reports: readonly Report[],
  seen?: readonly ReportLookup[],
): Promise<(ReportResult | Fault)[]> {
  if (reports.length === 0) return [];
  return (await recordAndTell(ctx, reports, { seen })).results;
}

/** As `record`, one report; throws what refuses it. */
export async function recordOne(ctx: Ctx, report: Report, seen?: ReportLookup): Promise<ReportResult> {
  const [told] = await record(ctx, [report], seen && [seen]);
  if (isFault(told)) throw told;
  return told as ReportResult;
}

/** More than this is waited for, so that others have their turn before the rest is made. */
const MANY = 500;

/** Writes what was decided: one statement a table, sent with the COMMIT. */
async function write(ctx: Ctx, { world, decision }: DecidedBatch): Promise<void> {
  const { at, evidence, events, leadNews } = decision;
  const contacts = [...decision.contacts.values()];
  const shown = contacts.filter((contact) => contact.shown);
  const rows = await rowsOf(
    shown.map((contact) =>
      shownAfter(contact, world.subjects.get(contact.entity.id) ?? null, decision.contacts, world.lookups),
    ),
  );
  const employees = await lockRenamed(ctx, rows);
  const replies = leadNews.length > 0 ? await movedBy(ctx, leadNews) : { moved: [], events: [] };

  writeEntities(ctx, decision, contacts);
  const claims = decision.claims();
  if (evidence.length > 0) {
    const earlier = [...world.evidence.values()].flat();
    const seqOf = new Map(earlier.map(({ id, seq }) => [id, seq]));
    const written = writeEvidence(ctx.db, at, authorOf(ctx), evidence, claims, seqOf);
    announceLearned(ctx, written, evidence, decision.ofEmployers.length);
    if (evidence.length > MANY) await written;
  }
  const touched = contacts.filter((contact) => contact.touched && !contact.shown);
  holdAll(ctx, rows, touched);
  if (shown.length > 0) sendRows(ctx, at, rows);
  if (touched.length > 0)
    touchRows(
      ctx.db,
      at,
      touched.map(({ entity: { id }, activityAt, moved, stage }) => ({ id, activityAt, stage: moved ? stage : null })),
    );
  if (replies.moved.length > 0) updateLeads(ctx.db, at, replies.moved);
  emit(ctx, at, [...factsRecorded(ctx, evidence, claims), ...events, ...replies.events]);
  await refreshIds(ctx, at, employees);
}

/** Locks the companies whose rows are written by more than one statement: those of companies, of people, and of what is touched. */
function holdAll(ctx: Ctx, { companies, people }: Rows, touched: readonly Contact[]): void {
  const old = companies.filter(({ item }) => !item.isNew);
  if ([old, people, touched].filter(({ length }) => length > 0).length < 2) return;
  const ids = [...[...old, ...people].map(({ row }) => row.id), ...touched.map(({ entity }) => entity.id)];
  const employers = people.flatMap(({ row }) => row.companyId ?? []);
  holdCompanies(ctx.db, [...ids, ...employers], ids);
}

/** What activities make of the leads of their people, who are locked. */
async function movedBy(ctx: Ctx, news: readonly LeadNews[]) {
  const people = [...new Set(news.map(({ entityId }) => entityId))];
  return moveLeads(await lockLeadsOf(ctx.db, people), news);
}

/** What changes of entities themselves: those that are new, their identifiers and their status. */
function writeEntities(ctx: Ctx, decision: Decision, contacts: readonly Contact[]): void {
  const { db } = ctx;
  const { at, identifiers, feed } = decision;
  const created = contacts.filter(({ isNew }) => isNew).map(({ entity }) => entity);
  createEntities(db, at, created);
  const changed = contacts.filter(({ entity, wasStatus }) => entity.status !== wasStatus);
  setStatus(
    db,
    changed.map(({ entity: { id, status }, action }) => ({ id, status, action })),
  );
  retireIdentifiers(
    db,
    at,
    contacts.flatMap(({ entity, loses }) => loses.map((named) => ({ ...named, entityId: entity.id }))),
  );
  insertIdentifiers(
    db,
    identifiers.map((one) => ({ ...one, at: decision.namedAt(decision.contacts.get(one.entityId) as Contact) })),
  );
  for (const contact of contacts)
    if (contact.prefers) preferIdentifier(db, contact.entity.id, contact.prefers, decision.namedAt(contact));
  if (feed.length > 0) logChanges(ctx, feed, at);
}
