import { isFault } from "#lib/core/errors.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { together } from "#lib/core/together.ts";
import { captureSignals, type Signal } from "#lib/domain/crm/activities/service.ts";
import { addPeople, deleteListsOfSource, makeList } from "#lib/domain/crm/leads/service.ts";
import { countNew, type Report, record } from "#lib/domain/crm/recording/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { saveNoteAbout } from "#lib/domain/knowledge/notes/service.ts";
import { buildFirstModel, removeModelBy } from "#lib/domain/knowledge/scoring/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import type { Draft } from "#lib/domain/records/evidence/service.ts";
import { factsOfSource, fillSections, retireFactsOfSource } from "#lib/domain/records/facts/service.ts";
import { eraseEntities, holdForErasure } from "#lib/domain/workspace/privacy/service.ts";
import { DAY_MS } from "#lib/text/time.ts";
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
  const results = (
    await record(ctx, [...companies.map((company) => companyReport(now, company)), ...people.map(personReport)])
  ).map((one) => {
    if (isFault(one)) throw one;
    return one;
  });
  const ids = results.slice(companies.length).map(({ entity }) => entity.id);
  await loadLeads(ctx, people, ids);
  const signals = people.flatMap((person, index) => signalsOf(person, ids[index] as string));
  signals.sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime()); // the feed is in the order of learning
  await captureSignals(ctx, signals);
  for (const [index, { notes }] of people.entries()) {
    const about = { id: ids[index] as string };
    for (const { at, ...note } of notes)
      await saveNoteAbout(ctx, about, { ...note, date: { time: at, dateOnly: false }, source: SOURCE });
    loaded.notes += notes.length;
  }
  loaded.companies = companies.length;
  loaded.people = people.length;
  loaded.observations = results.reduce((sum, one) => sum + countNew(one), signals.length + loaded.notes + facts);
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

function companyReport(now: Date, { name, domain, industry, employees, country }: SampleCompany): Report {
  const facts = Object.entries({ name, industry, employee_count: employees, country });
  const longAgo = new Date(now.getTime() - 400 * DAY_MS);
  const drafts = [longAgo, now].flatMap((at) => facts.map(([property, value]) => state(property, value, at)));
  return { about: { named: [{ kind: "domain", value: domain }], type: "company", create: true }, drafts };
}

function personReport(person: SamplePerson): Report {
  const { email, firstName, lastName, title, stage, learned, disputed } = person;
  const drafts = [
    ...[learned.name, learned.title].flatMap((at) => [
      state("first_name", firstName, at),
      state("last_name", lastName, at),
    ]),
    state("job_title", title, learned.title, disputed ? "asserted" : "observed"),
    ...(disputed ? [state("job_title", disputed.title, disputed.at)] : []),
    ...(stage === "identified" ? [] : [state("pipeline_stage", stage, learned.stage)]),
  ];
  return { about: { named: [{ kind: "email", value: email }], type: "person", create: true }, drafts };
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
    await deleteListsOfSource(ctx.db, SOURCE);
    const facts = await retireFactsOfSource(ctx, SOURCE);
    const model = await removeModelBy(ctx, SOURCE);
    await recordAudit(ctx, "sample_data.removed", null, { people, companies, facts, model });
    return { removed: people + companies };
  },
  { transaction: "erasing" },
);
