import { DAY_MS } from "#lib/core/time.ts";
import { recordAudit } from "#lib/domain/audit/service.ts";
import { resolveByIdentifiers } from "#lib/domain/entities/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { saveNoteAbout } from "#lib/domain/notes/service.ts";
import type { Draft } from "#lib/domain/observations/service.ts";
import { recordAbout } from "#lib/domain/people/service.ts";
import { eraseEntities } from "#lib/domain/privacy/service.ts";
import * as contract from "./contract.ts";
import { countOfSource, findIdsOfSource } from "./queries.ts";
import { type SampleCompany, type SamplePerson, sampleCompanies, samplePeople } from "./rules/people.ts";

const SOURCE = "sample";

export const getSampleData = implement(contract.getSampleData, async (ctx) => {
  const { people, companies } = await countOfSource(ctx.db, SOURCE);
  return { loaded: people + companies > 0, people, companies };
});

export const loadSampleData = implement(contract.loadSampleData, async (ctx) => {
  const loaded = { people: 0, companies: 0, notes: 0, observations: 0 };
  const there = await countOfSource(ctx.db, SOURCE);
  if (there.people > 0) return { ...loaded, ...there };
  const now = new Date();
  const before = new Date(now.getTime() - 400 * DAY_MS);
  for (const company of sampleCompanies()) {
    loaded.observations += await saveCompany(ctx, before, company);
    loaded.companies += 1;
  }
  for (const person of samplePeople(now)) {
    loaded.observations += await savePerson(ctx, person);
    loaded.people += 1;
    loaded.notes += person.notes.length;
  }
  await recordAudit(ctx, "sample_data.loaded", null, loaded);
  return loaded;
});

const state = (property: string, value: unknown, observedAt: Date): Draft => ({
  kind: "state",
  property,
  value,
  source: SOURCE,
  method: "observed",
  observedAt,
});

async function saveCompany(
  ctx: Ctx,
  at: Date,
  { name, domain, industry, employees, country }: SampleCompany,
): Promise<number> {
  const entity = await resolveByIdentifiers(ctx, [{ kind: "domain", value: domain }], "company");
  const facts = { name, industry, employee_count: employees, country };
  return (
    await recordAbout(
      ctx,
      entity,
      Object.entries(facts).map(([property, value]) => state(property, value, at)),
    )
  ).recorded;
}

async function savePerson(ctx: Ctx, person: SamplePerson): Promise<number> {
  const entity = await resolveByIdentifiers(ctx, [{ kind: "email", value: person.email }], "person");
  const { firstName, lastName, title, stage, learned } = person;
  const states = [
    state("first_name", firstName, learned.name),
    state("last_name", lastName, learned.name),
    state("job_title", title, learned.title),
    ...(stage === "identified" ? [] : [state("pipeline_stage", stage, learned.stage)]),
  ];
  const events = person.activities.map(
    ({ type, description, at }): Draft => ({
      kind: "event",
      property: `interaction.${type}`,
      value: { description },
      source: SOURCE,
      method: "observed",
      observedAt: at,
    }),
  );
  const { recorded } = await recordAbout(ctx, entity, [...states, ...events]);
  for (const { at, ...note } of person.notes) {
    const about = { ...entity, created: false, attached: [] };
    await saveNoteAbout(ctx, about, { ...note, date: { time: at, dateOnly: false }, source: SOURCE });
  }
  return recorded + person.notes.length;
}

export const removeSampleData = implement(
  contract.removeSampleData,
  async (ctx) => {
    const { people, companies } = await countOfSource(ctx.db, SOURCE);
    const ids = await findIdsOfSource(ctx.db, SOURCE);
    await eraseEntities(ctx, ids);
    await recordAudit(ctx, "sample_data.removed", null, { people, companies });
    return { removed: people + companies };
  },
  { erases: true },
);
