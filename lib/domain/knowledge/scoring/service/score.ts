import { Fault, isFault } from "#lib/core/errors.ts";
import { together } from "#lib/core/together.ts";
import {
  companiesToScore,
  companyFactsOf,
  FIT,
  featuresOfCompany,
  featuresOfPerson,
  findModel,
  peopleToScore,
  personFactsOf,
  reasonOf,
  scorerFor,
  tierOf,
} from "#lib/domain/crm/scores/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import {
  companyDomainOf,
  findByIdentifiers,
  findEntities,
  type Identifier,
  identifierKey,
  meantBy,
  notFound,
  typeNamedBy,
} from "#lib/domain/records/entities/service.ts";
import * as contract from "../contract.ts";

/** What a row is about: an entity, or an identifier that names none. */
type ScoredSubject = { id: string | null; type: "person" | "company"; employerId: string | null };

export const scoreRows = implement(contract.scoreRows, async (ctx, { rows }) => {
  const meant = await recordsMeant(ctx, rows);
  const idsOf = (type: ScoredSubject["type"]) =>
    meant.flatMap((one) => (one.id !== null && one.type === type ? [one.id] : []));
  const [model, people, companies] = await together([
    findModel(ctx.db),
    peopleToScore.given(ctx.db, idsOf("person")),
    companiesToScore.given(ctx.db, [...idsOf("company"), ...meant.flatMap(({ employerId }) => employerId ?? [])]),
  ]);
  const scorer = model ? scorerFor(ctx.workspaceId, model.version, () => model.signals) : null;
  const personOf = new Map(people.map((row) => [row.id, personFactsOf(row)]));
  const companyOf = new Map(companies.map((row) => [row.companyId, companyFactsOf(row)]));
  const results = rows.map((row, index) => {
    const { id, type, employerId } = meant[index] as ScoredSubject;
    const firm = companyOf.get(employerId ?? id ?? "") ?? null;
    const features =
      type === "person"
        ? featuresOfPerson(personWith(row, personOf.get(id ?? "") ?? { ...UNKNOWN_PERSON, employer: firm }))
        : featuresOfCompany(companyWith(row, firm, true));
    const scored = scorer?.score(features) ?? null;
    return {
      focus: row.focus,
      entity_id: id,
      type,
      score: scored?.score ?? null,
      tier: scored ? tierOf(scored.score) : null,
      fit: scored ? scored.score >= FIT : null,
      reason: scorer && scored ? reasonOf(scorer.signals, scored) : null,
    };
  });
  return { model_version: model?.version ?? null, results };
});

const UNKNOWN_PERSON = { jobTitle: null, company: null, custom: {} };

type PersonFactsOf = ReturnType<typeof personFactsOf>;
type CompanyFactsOf = ReturnType<typeof companyFactsOf>;

/** What is recorded of a person with what the row says, which counts before it. */
function personWith(row: contract.Scorable, facts: PersonFactsOf): PersonFactsOf {
  const says = [row.company, row.industry, row.employee_count, row.country].some((value) => value !== undefined);
  return {
    jobTitle: row.job_title ?? facts.jobTitle,
    company: row.company ?? facts.company,
    custom: { ...facts.custom, ...row.properties },
    employer: says ? companyWith(row, facts.employer, false) : facts.employer,
  };
}

const companyWith = (row: contract.Scorable, facts: CompanyFactsOf | null, isItself: boolean): CompanyFactsOf => ({
  name: row.company ?? facts?.name ?? null,
  industry: row.industry ?? facts?.industry ?? null,
  employeeCount: row.employee_count ?? facts?.employeeCount ?? null,
  country: row.country ?? facts?.country ?? null,
  custom: { ...facts?.custom, ...(isItself ? row.properties : {}) },
});

/** The records that the rows are about, in two look-ups. Throws `invalid_focus` and `entity_not_found` with the row's index. */
async function recordsMeant(ctx: Ctx, rows: readonly contract.Scorable[]): Promise<ScoredSubject[]> {
  const focuses = rows.map(({ focus }, index) => readFocus(ctx, focus, index));
  const ids = focuses.flatMap((one) => ("id" in one ? [one.id] : []));
  const named = focuses.flatMap((one) => ("id" in one ? [] : [one, ...employerNamed(one)]));
  const [entities, identified] = await together([
    ids.length > 0 ? findEntities(ctx.db, [...new Set(ids)]) : new Map<string, never>(),
    findByIdentifiers(ctx.db, named),
  ]);
  const byName = new Map(identified.map((row) => [identifierKey(row), row]));
  return focuses.map((one, index) => {
    const entity = "id" in one ? entities.get(one.id) : byName.get(identifierKey(one));
    if (entity?.type === "workspace" || ("id" in one && !entity)) {
      const { code, message } = notFound({ kind: "id", value: "" });
      throw new Fault(code, { parameter: `rows.${index}.focus` }, `rows[${index}].focus: ${message}`);
    }
    if (entity) return { id: entity.id, type: entity.type as ScoredSubject["type"], employerId: null };
    const { kind, value } = one as Identifier;
    const [employer] = employerNamed(one as Identifier);
    const employerId = employer ? (byName.get(identifierKey(employer))?.id ?? null) : null;
    return { id: null, type: typeNamedBy(kind, value), employerId };
  });
}

function readFocus(ctx: Ctx, focus: string, index: number): ReturnType<typeof meantBy> {
  try {
    return meantBy(ctx, focus);
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new Fault(error.code, { parameter: `rows.${index}.focus` }, `rows[${index}].focus: ${error.message}`);
  }
}

/** The company that an address belongs to. */
function employerNamed({ kind, value }: Identifier): Identifier[] {
  const domain = kind === "email" ? companyDomainOf(value) : null;
  return domain === null ? [] : [{ kind: "domain", value: domain }];
}
