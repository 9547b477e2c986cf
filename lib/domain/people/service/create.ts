import { newId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import { logChanges, type NewChange } from "#lib/domain/change-log/service.ts";
import {
  companyDomainOf,
  createEntities,
  findByIdentifiers,
  lockIdentifiers,
  lockIdentifiersLate,
} from "#lib/domain/entities/service.ts";
import { claimsOf, type NewClaim, type NewEvidence } from "#lib/domain/evidence/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { emit, type NewEvent } from "#lib/domain/outbox/service.ts";
import { type Employer, findCompanyLabels, type PersonWrite, upsertCompanies } from "../queries/projection.ts";
import type { Stage } from "../rules/fields.ts";
import { namesIn } from "../rules/names.ts";
import { companyRow, personRow } from "../rules/rows.ts";

/** A new person, with the reason they became known. */
export type Newcomer = {
  id: string;
  /** normalised */
  email: string;
  /** the whole name, when it is known */
  name: string | null;
  source: string;
  /** the activity they became known by */
  causedBy: string;
  stage: Stage;
  /** null: what made them known is no activity of theirs */
  activityAt: Date | null;
};

type Introduction = { evidence: NewEvidence[]; claims: NewClaim[]; rows: PersonWrite[] };

/**
 * Creates the entities of new people, and of their companies where those are new. The caller holds the locks of the
 * addresses (`lockAddresses`), then writes this evidence followed by its own, and finally the rows.
 */
export async function createContacts(ctx: Ctx, at: Date, newcomers: readonly Newcomer[]): Promise<Introduction> {
  const { employers, created: employed, ...companies } = await findOrCreateEmployers(ctx, at, newcomers);
  createEntities(
    ctx.db,
    at,
    newcomers.map(({ id, email }) => ({ id, type: "person", named: { kind: "email", value: email } })),
  );
  logChanges(
    ctx,
    [...employed, ...newcomers.map(({ id, source }) => ({ type: "person.created" as const, entityId: id, source }))],
    at,
  );
  const introduction: Introduction = { ...companies, rows: [] };
  const created: NewEvent[] = [];
  for (const newcomer of newcomers) {
    const { id, email, source, stage, activityAt } = newcomer;
    const domain = companyDomainOf(email);
    const employer = domain === null ? null : (employers.get(domain) ?? null);
    const said = { source, ...namesIn(newcomer.name), ...(employer ? { works_at: employer.id } : {}) };
    const evidence = introduce(id, said, newcomer, at);
    created.push({ type: "contact.created", entityId: id, observationId: evidence[0]?.id ?? null });
    introduction.evidence.push(...evidence);
    introduction.claims.push(...evidence.flatMap((item) => claimsOf(id, item.property, [item])));
    const claims = new Map<string, unknown>([...Object.entries(said), ["pipeline_stage", stage]]);
    const identifiers = [{ kind: "email", value: email }];
    const row = personRow({ id, status: "active", createdAt: at, identifiers, claims }, employer);
    introduction.rows.push({ row, activityAt, updatedAt: at, created: true });
  }
  emit(ctx, at, created);
  return introduction;
}

/**
 * Locks these addresses against concurrent creation, then their companies; always in this order. Held until the
 * transaction ends.
 */
export function lockAddresses(ctx: Ctx, emails: readonly string[]): Promise<unknown> {
  const domains = domainsOf(emails);
  return together([
    lockIdentifiers(ctx.db, named("email", emails)),
    ...(domains.length > 0 ? [lockIdentifiers(ctx.db, named("domain", domains))] : []),
  ]);
}

/** Like `lockAddresses`, for a caller that already holds contacts: throws `Overtaken` instead of waiting. */
export const lockAddressesLate = (ctx: Ctx, emails: readonly string[]): Promise<void> =>
  lockIdentifiersLate(ctx.db, [...named("email", emails), ...named("domain", domainsOf(emails))]);

const named = <K extends "email" | "domain">(kind: K, values: readonly string[]) =>
  values.map((value) => ({ kind, value }));

const domainsOf = (emails: readonly string[]): string[] => [
  ...new Set(emails.map(companyDomainOf).filter((domain) => domain !== null)),
];

async function findOrCreateEmployers(ctx: Ctx, at: Date, newcomers: readonly Newcomer[]) {
  const firstOf = new Map<string, Newcomer>();
  for (const newcomer of newcomers) {
    const domain = companyDomainOf(newcomer.email);
    if (domain !== null && !firstOf.has(domain)) firstOf.set(domain, newcomer);
  }
  const employers = new Map<string, Employer>();
  const created: NewChange[] = [];
  const introduction = { employers, created, evidence: [] as NewEvidence[], claims: [] as NewClaim[] };
  if (firstOf.size === 0) return introduction;
  const known = await findByIdentifiers(ctx.db, named("domain", [...firstOf.keys()]));
  const labels = new Map(
    (
      await findCompanyLabels(
        ctx.db,
        known.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  );
  for (const { id, value } of known) employers.set(value, labels.get(id) ?? { id, name: null, domain: value });
  const missing = [...firstOf]
    .filter(([domain]) => !employers.has(domain))
    .map(([domain, by]) => ({ id: newId(), domain, by }));
  if (missing.length === 0) return introduction;
  createEntities(
    ctx.db,
    at,
    missing.map(({ id, domain }) => ({ id, type: "company", named: { kind: "domain", value: domain } })),
  );
  const rows = missing.map(({ id, domain, by }) => {
    const [evidence] = introduce(id, { source: by.source }, by, at);
    introduction.evidence.push(evidence as NewEvidence);
    introduction.claims.push(...claimsOf(id, "source", [evidence as NewEvidence]));
    employers.set(domain, { id, name: null, domain });
    created.push({ type: "company.created", entityId: id, source: by.source });
    const identifiers = [{ kind: "domain", value: domain }];
    const claims = new Map<string, unknown>([["source", by.source]]);
    return {
      row: companyRow({ id, status: "active", createdAt: at, identifiers, claims }),
      activityAt: null,
      updatedAt: at,
      created: true,
    };
  });
  upsertCompanies(ctx, rows);
  return introduction;
}

/** The first evidence about an entity: its source and its cause. */
const introduce = (
  entityId: string,
  said: Readonly<Record<string, string>>,
  { source, causedBy }: Newcomer,
  at: Date,
): NewEvidence[] =>
  Object.entries(said).map(([property, value]) => ({
    id: newId(),
    entityId,
    kind: "state",
    property,
    value,
    source,
    method: property === "works_at" ? "inferred" : "observed",
    observedAt: at,
    recordedAt: at,
    causedBy,
    externalId: null,
  }));
