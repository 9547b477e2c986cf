/**
 * The database rows of one invented person or company: evidence, and the projections that the real rules derive from
 * it.
 */
import { newId } from "#lib/core/ids.ts";
import {
  companyRow,
  type PropertyValue,
  personRow,
  valuesOfCompany,
  valuesOfPerson,
} from "#lib/domain/crm/recording/rules/rows.ts";
import { claimsOf, type Evidence } from "#lib/domain/records/evidence/service.ts";
import { DAY_MS } from "#lib/text/time.ts";
import {
  activities,
  countries,
  industries,
  inventCompany,
  inventPerson,
  pick,
  type Random,
  regions,
  sources,
  stageOf,
} from "./invent.ts";

type Row = Record<string, unknown>;

/** Rows by table, in the order they must be inserted in. */
export type Rows = Record<
  "entities" | "identifiers" | "observations" | "claims" | "people" | "companies" | "property_values",
  Row[]
>;

export const noRows = (): Rows => ({
  entities: [],
  identifiers: [],
  observations: [],
  claims: [],
  people: [],
  companies: [],
  property_values: [],
});

/** Seqs and times of learning: both only rise, as in a database that people write to. */
export type Clock = { nextSeq(): number; now(): Date; start: Date; end: Date };

export type Company = {
  id: string;
  domain: string;
  row: Row & { people_count: number; last_activity_at: Date | null; updated_at: Date };
};

type ContactStatement = {
  property: string;
  value: unknown;
  kind?: "event";
  at?: Date;
  method?: Evidence["method"];
  source?: string;
};

/** Writes an entity's evidence and claims, and returns the current values. */
function record(rows: Rows, clock: Clock, id: string, source: string, statements: readonly ContactStatement[]) {
  const evidence = statements.map(({ property, value, kind, at, method = "observed", source: by = source }) => {
    const recordedAt = clock.now();
    const seq = clock.nextSeq();
    const item: Evidence = {
      id: newId(),
      kind: kind ?? "state",
      property,
      value,
      source: by,
      method,
      observedAt: at ?? recordedAt,
      recordedAt,
      causedBy: null,
    };
    rows.observations.push({
      id: item.id,
      seq,
      entity_id: id,
      kind: item.kind,
      property,
      value,
      source: by,
      method,
      observed_at: item.observedAt,
      recorded_at: recordedAt,
      actor: "bench:generator",
    });
    return { ...item, seq };
  });
  const seqOf = new Map(evidence.map((item) => [item.id, item.seq]));
  const claims = new Map<string, unknown>();
  const states = Map.groupBy(
    evidence.filter((item) => item.kind === "state"),
    (item) => item.property,
  );
  for (const [property, items] of states) {
    for (const { claimId, belief } of claimsOf(id, property, items)) {
      claims.set(property, belief.value);
      rows.claims.push({
        id: claimId,
        entity_id: id,
        property,
        value: belief.value,
        method: belief.method,
        source: belief.source,
        observation_id: belief.observationId,
        observation_count: belief.support.length,
        source_count: belief.sourceCount,
        recorded_at: belief.recordedAt,
        last_observed_at: belief.lastObservedAt,
        seq: seqOf.get(belief.observationId),
        conflicts: belief.conflicts,
      });
    }
  }
  const updatedAt = evidence.reduce(
    (latest, { recordedAt }) => (recordedAt > latest ? recordedAt : latest),
    clock.start,
  );
  const times = evidence
    .filter((item) => item.kind === "event")
    .map((item) => Math.min(item.observedAt.getTime(), item.recordedAt.getTime()));
  return { claims, updatedAt, lastActivityAt: times.length === 0 ? null : new Date(Math.max(...times)) };
}

function begin(
  rows: Rows,
  clock: Clock,
  type: "person" | "company",
  identifiers: readonly { kind: string; value: string }[],
) {
  const id = newId();
  const createdAt = clock.now();
  rows.entities.push({ id, type, created_at: createdAt });
  for (const identifier of identifiers)
    rows.identifiers.push({ id: newId(), entity_id: id, ...identifier, created_at: createdAt });
  return { id, status: "active" as const, createdAt, identifiers };
}

export function addCompany(rows: Rows, clock: Clock, random: Random, index: number): Company {
  const { name, domain } = inventCompany(random, index);
  const entity = begin(rows, clock, "company", [{ kind: "domain", value: domain }]);
  const source = pick(random, sources);
  const { claims, updatedAt } = record(rows, clock, entity.id, source, [
    { property: "source", value: source },
    { property: "name", value: name },
    { property: "industry", value: pick(random, industries) },
    { property: "country", value: pick(random, countries) },
  ]);
  const row = companyRow({ ...entity, claims });
  const stored = {
    id: row.id,
    domain: row.domain,
    name: row.name,
    industry: row.industry,
    country: row.country,
    source: row.source,
    created_at: row.createdAt,
    updated_at: updatedAt,
    search: row.search,
    people_count: 0,
    last_activity_at: null as Date | null,
  };
  rows.companies.push(stored);
  rows.property_values.push(...valuesOfCompany(row).map(valueRow));
  return { id: row.id, domain, row: stored };
}

/** A person with `observations` pieces of evidence: four that say who it is, then stage, activity and role in turn. */
export function addPerson(
  rows: Rows,
  clock: Clock,
  random: Random,
  index: number,
  company: Company,
  observations: number,
): string {
  const { first, last, title } = inventPerson(random);
  const local = `${first}.${last}.${index}`
    .normalize("NFKD")
    .replaceAll(/[^\w.]/g, "")
    .toLowerCase();
  const entity = begin(rows, clock, "person", [
    { kind: "email", value: `${local}@${company.domain}` },
    ...(index % 2 === 0
      ? [{ kind: "linkedin_url", value: `https://www.linkedin.com/in/${local.replaceAll(".", "-")}` }]
      : []),
  ]);
  const source = pick(random, sources);
  const stage = stageOf(random);
  const happened = (): ContactStatement => {
    const type = pick(random, activities);
    const at = new Date(clock.end.getTime() - random() ** 2 * 365 * DAY_MS);
    return {
      kind: "event",
      property: `interaction.${type}`,
      value: { description: `${type.replaceAll("_", " ")} with ${first}` },
      at,
    };
  };
  const role: ContactStatement = { property: "job_title", value: title };
  const [first2, second] =
    stage === "identified" ? [happened(), role] : [{ property: "pipeline_stage", value: stage }, happened()];
  const statements: ContactStatement[] = [
    { property: "source", value: source },
    { property: "works_at", value: company.id, method: "inferred" },
    { property: "first_name", value: first },
    { property: "last_name", value: last },
    first2,
    second,
    ...(stage === "identified" ? [] : [role]),
  ];
  while (statements.length < observations) statements.push(happened());
  statements.length = Math.max(4, observations);
  if (index % 2 === 0) statements.push({ property: "region", value: pick(random, regions) });
  if (index % 3 === 0) statements.push({ property: "employees", value: Math.floor(random() ** 4 * 100_000) });
  if (index % 5 === 0) statements.push({ property: "renewal", value: dayOf(clock, random) });
  if (index % 1000 === 1) statements.push(booked(clock, random));
  if (index % 500 === 2)
    statements.push(
      { ...role, method: "asserted", source: "crm" },
      { property: "job_title", value: "Board member", source: "linkedin" },
    );
  const { claims, updatedAt, lastActivityAt } = record(rows, clock, entity.id, source, statements);
  const row = personRow(
    { ...entity, claims },
    { id: company.id, name: company.row.name as string, domain: company.domain },
  );
  rows.people.push({
    id: row.id,
    email: row.email,
    first_name: row.firstName,
    last_name: row.lastName,
    job_title: row.jobTitle,
    company: row.company,
    company_id: row.companyId,
    linkedin_url: row.linkedinUrl,
    pipeline_stage: row.pipelineStage,
    last_activity_at: lastActivityAt,
    source: row.source,
    created_at: row.createdAt,
    updated_at: updatedAt,
    custom: row.custom,
    search: row.search,
    wire: row.wire,
  });
  rows.property_values.push(...valuesOfPerson(row).map(valueRow));
  company.row.people_count += 1;
  if (lastActivityAt && !(company.row.last_activity_at && company.row.last_activity_at >= lastActivityAt)) {
    company.row.last_activity_at = lastActivityAt;
    if (updatedAt > company.row.updated_at) company.row.updated_at = updatedAt;
  }
  return row.id;
}

const dayOf = (clock: Clock, random: Random): string =>
  new Date(clock.end.getTime() + Math.floor(random() * 730) * DAY_MS).toISOString().slice(0, 10);

const valueRow = ({ entityId, ...value }: PropertyValue): Row => ({ entity_id: entityId, ...value });

const booked = (clock: Clock, random: Random): ContactStatement => ({
  kind: "event",
  property: "interaction.meeting_scheduled",
  value: { description: "Booked: Pilot review" },
  at: new Date(clock.end.getTime() + random() * 10 * DAY_MS),
});
