import { roleIncludes } from "#lib/core/plans.ts";
import { DAY_MS } from "#lib/core/time.ts";
import { together } from "#lib/core/together.ts";
import { captureSignals, type Signal } from "#lib/domain/activities/service.ts";
import { recordAudit } from "#lib/domain/audit/service.ts";
import { resolveByIdentifiers } from "#lib/domain/entities/service.ts";
import type { Draft } from "#lib/domain/evidence/service.ts";
import { factsOfSource, fillSections, retireFactsOfSource } from "#lib/domain/facts/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { addPeople, makeList, removeListsOfSource } from "#lib/domain/leads/service.ts";
import { saveNoteAbout } from "#lib/domain/notes/service.ts";
import { recordEach, type Said } from "#lib/domain/people/service.ts";
import { eraseEntities, holdForErasure } from "#lib/domain/privacy/service.ts";
import { buildFirstModel, removeModelBy } from "#lib/domain/scoring/service.ts";
import * as contract from "./contract.ts";
import { countOfSource, findIdsOfSource } from "./queries.ts";
import { type SampleCompany, type SamplePerson, sampleCompanies, samplePeople } from "./rules/people.ts";
import { sampleProfile } from "./rules/profile.ts";

const SOURCE = "sample";

export const getSampleData = implement(contract.getSampleData, async (ctx) => {
  const [{ lists, ...counts }, facts] = await together([countOfSource(ctx.db, SOURCE), factsOfSource(ctx, SOURCE)]);
  return {
    ...counts,
    lead_lists: lists,
    facts: facts.length,
    loaded: counts.people + counts.companies + facts.length > 0,
    may_change: ctx.role !== null && roleIncludes(ctx.role, "admin"),
  };
});

export const loadSampleData = implement(contract.loadSampleData, async (ctx) => {
  const loaded = { people: 0, companies: 0, notes: 0, observations: 0 };
  const there = await countOfSource(ctx.db, SOURCE);
  if (there.people > 0) return { ...loaded, people: there.people, companies: there.companies };
  const facts = await fillSections(ctx, SOURCE, sampleProfile);
  if (facts > 0) await buildFirstModel(ctx, SOURCE);
  const now = new Date();
  const [companies, people] = [sampleCompanies(), samplePeople(now)];
  const ofCompanies: Said[] = [];
  for (const company of companies) ofCompanies.push(await companyOf(ctx, now, company));
  const known = await recordEach(ctx, ofCompanies);
  const ofPeople: Said[] = [];
  for (const person of people) ofPeople.push(await personOf(ctx, person));
  known.push(...(await recordEach(ctx, ofPeople)));
  await loadLeads(
    ctx,
    people,
    ofPeople.map(({ entity }) => entity.id),
  );
  const signals = people.flatMap((person, index) => signalsOf(person, ofPeople[index]?.entity.id as string));
  signals.sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime()); // the feed is in the order of learning
  await captureSignals(ctx, signals);
  for (const [index, { notes }] of people.entries()) {
    const about = { ...(ofPeople[index] as Said).entity, created: false, attached: [] };
    for (const { at, ...note } of notes)
      await saveNoteAbout(ctx, about, { ...note, date: { time: at, dateOnly: false }, source: SOURCE });
    loaded.notes += notes.length;
  }
  loaded.companies = companies.length;
  loaded.people = people.length;
  loaded.observations = known.reduce((sum, { recorded }) => sum + recorded, signals.length + loaded.notes + facts);
  await recordAudit(ctx, "sample_data.loaded", null, loaded);
  return loaded;
});

/** A list of some of the people: the signals that are recorded after it say how far each is. */
async function loadLeads(ctx: Ctx, people: readonly SamplePerson[], ids: readonly string[]): Promise<void> {
  const list = await makeList(ctx, { name: "Spring outreach (sample)", source: SOURCE });
  const rows = people.flatMap(({ title }, index) =>
    index % EACH_LEAD === 0 ? [{ entity_id: ids[index], fields: { title, batch: `Week ${1 + (index % 4)}` } }] : [],
  );
  await addPeople(ctx, list, rows);
}

/** Every fourth person is a lead. */
const EACH_LEAD = 4;

const state = (
  property: string,
  value: unknown,
  observedAt: Date,
  method: "asserted" | "observed" = "observed",
): Draft => ({ kind: "state", property, value, source: SOURCE, method, observedAt });

async function companyOf(
  ctx: Ctx,
  now: Date,
  { name, domain, industry, employees, country }: SampleCompany,
): Promise<Said> {
  const entity = await resolveByIdentifiers(ctx, [{ kind: "domain", value: domain }], "company");
  const facts = Object.entries({ name, industry, employee_count: employees, country });
  const longAgo = new Date(now.getTime() - 400 * DAY_MS);
  const drafts = [longAgo, now].flatMap((at) => facts.map(([property, value]) => state(property, value, at)));
  return { entity, drafts };
}

async function personOf(ctx: Ctx, person: SamplePerson): Promise<Said> {
  const { email, firstName, lastName, title, stage, learned, disputed } = person;
  const entity = await resolveByIdentifiers(ctx, [{ kind: "email", value: email }], "person");
  const drafts = [
    ...[learned.name, learned.title].flatMap((at) => [
      state("first_name", firstName, at),
      state("last_name", lastName, at),
    ]),
    state("job_title", title, learned.title, disputed ? "asserted" : "observed"),
    ...(disputed ? [state("job_title", disputed.title, disputed.at)] : []),
    ...(stage === "identified" ? [] : [state("pipeline_stage", stage, learned.stage)]),
  ];
  return { entity, drafts };
}

const signalsOf = ({ activities, meeting }: SamplePerson, contactId: string): (Signal & { occurredAt: Date })[] =>
  [
    ...activities,
    ...(meeting ? [{ type: "meeting_scheduled" as const, description: "Booked: Pilot review", at: meeting }] : []),
  ].map(({ type, description, at }) => ({
    contactId,
    type,
    description,
    source: SOURCE,
    occurredAt: at,
    createContact: false,
  }));

export const removeSampleData = implement(
  contract.removeSampleData,
  async (ctx) => {
    const { people, companies } = await countOfSource(ctx.db, SOURCE);
    const ids = await findIdsOfSource(ctx.db, SOURCE);
    await holdForErasure(ctx, ids);
    await eraseEntities(ctx, ids);
    await removeListsOfSource(ctx, SOURCE);
    const facts = await retireFactsOfSource(ctx, SOURCE);
    const model = await removeModelBy(ctx, SOURCE);
    await recordAudit(ctx, "sample_data.removed", null, { people, companies, facts, model });
    return { removed: people + companies };
  },
  { erases: true },
);
