import type { Db } from "#lib/db/handle.ts";
import { formFor, sql, sqlOfIds } from "#lib/db/statement.ts";
import {
  COMPANY_SEEN,
  type CompanyToFit,
  JOIN_MODEL,
  PERSON_SEEN,
  type PersonToFit,
} from "#lib/domain/crm/scores/service.ts";
import { type Conflict, type Evidence, notRetired } from "#lib/domain/records/evidence/service.ts";
import { bookkeeping } from "#lib/domain/records/evidence/words.ts";
import type { Person } from "#prisma/generated/client.ts";
import type { Claim, Moment } from "../rules/claims.ts";

// claims_workspace_id_entity_id_property_key
const claimsOf = sql(
  "account_claims",
  `SELECT property, value, method::text, source, observation_id AS "observationId", observation_count AS "observationCount",
     source_count AS "sourceCount", last_observed_at AS "lastObservedAt", conflicts
   FROM claims WHERE workspace_id = $workspace AND entity_id = $1 AND ended_at IS NULL ORDER BY property`,
);

/** Current claims by property. */
export const findClaims = (db: Db, entityId: string): Promise<Claim[]> => db.query<Claim>(claimsOf, [entityId]);

/** One claim as stored, ended or not. */
export async function findClaim(
  db: Db,
  entityId: string,
  property: string,
): Promise<(Claim & { ended: boolean }) | null> {
  const claim = await db.prisma.claim.findFirst({ where: { entityId, property } });
  return claim && { ...claim, conflicts: claim.conflicts as object[] as Conflict[], ended: claim.endedAt !== null };
}

// observations_workspace_id_entity_id_property_seq_idx
const statesOf = sql(
  "account_states",
  `SELECT id, kind::text, property, value, source, method::text, observed_at AS "observedAt", recorded_at AS "recordedAt", caused_by AS "causedBy"
   FROM observations WHERE workspace_id = $workspace AND entity_id = ANY($1) AND kind = 'state'
     AND observed_at <= coalesce($2::timestamptz, 'infinity') AND recorded_at <= coalesce($3::timestamptz, 'infinity') ORDER BY seq`,
);

/** All states of an entity that were true and known at a moment, in the order they were learned. */
export const findStates = (db: Db, entityIds: readonly string[], { asOf, knownAt }: Moment): Promise<Evidence[]> =>
  db.query<Evidence>(statesOf, [entityIds, asOf, knownAt]);

/** A state on an entity, whoever said it. */
export const findState = (
  db: Db,
  entityId: string,
  id: string,
): Promise<{ id: string; property: string; observedAt: Date } | null> =>
  db.prisma.observation.findFirst({
    where: { id, entityId, kind: "state" },
    select: { id: true, property: true, observedAt: true },
  });

export type ObservationRow = {
  id: string;
  kind: "event" | "state";
  property: string;
  value: unknown;
  source: string;
  observedAt: Date;
  recordedAt: Date;
};

// observations_recent_idx
const recentOf = sqlOfIds(
  "account_recent",
  (
    these,
  ) => `SELECT o.id, o.kind::text, o.property, o.value, o.source, o.observed_at AS "observedAt", o.recorded_at AS "recordedAt"
   FROM observations o WHERE o.workspace_id = $workspace AND o.entity_id ${these}
     AND o.observed_at <= coalesce($2::timestamptz, 'infinity') AND o.recorded_at <= coalesce($3::timestamptz, 'infinity')
     AND o.property NOT LIKE '${bookkeeping.retired}%' AND (o.kind = 'state' OR ${notRetired("o.id", "$3::timestamptz")}) ORDER BY o.seq DESC LIMIT $4`,
);

/** What was learned last. */
export const findRecent = (
  db: Db,
  entityIds: readonly string[],
  { asOf, knownAt }: Moment,
  limit: number,
): Promise<ObservationRow[]> =>
  db.query<ObservationRow>(formFor(recentOf, entityIds.length), [entityIds, asOf, knownAt, limit]);

/** An entity's row in the lists; always today's, even when the read is about the past. */
export type Card = {
  firstName: string | null;
  lastName: string | null;
  name: string | null;
  email: string | null;
  domain: string | null;
  linkedinUrl: string | null;
  employerId: string | null;
  employer: string | null;
  employerDomain: string | null;
  peopleCount: number;
  lastActivityAt: Date | null;
} & (({ type: "person" } & PersonToFit) | ({ type: "company" } & CompanyToFit) | { type: "workspace" });

// people_pkey, companies_pkey, scoring_models_workspace_id_version_key
const personCard = sql(
  "person_card",
  `SELECT 'person' AS type, p.first_name AS "firstName", p.last_name AS "lastName", NULL AS name, p.email, NULL AS domain,
     p.linkedin_url AS "linkedinUrl", c.id AS "employerId", coalesce(c.name, c.domain) AS employer, c.domain AS "employerDomain",
     0 AS "peopleCount", p.last_activity_at AS "lastActivityAt", ${PERSON_SEEN}
   FROM people p LEFT JOIN companies c ON c.workspace_id = p.workspace_id AND c.id = p.company_id ${JOIN_MODEL}
   WHERE p.workspace_id = $workspace AND p.id = $1`,
);
const companyCard = sql(
  "company_card",
  `SELECT 'company' AS type, NULL AS "firstName", NULL AS "lastName", c.name, NULL AS email, c.domain, c.linkedin_url AS "linkedinUrl",
     NULL AS "employerId", NULL AS employer, NULL AS "employerDomain", c.people_count AS "peopleCount",
     c.last_activity_at AS "lastActivityAt", ${COMPANY_SEEN}
   FROM companies c ${JOIN_MODEL} WHERE c.workspace_id = $workspace AND c.id = $1`,
);
const workspaceCard = sql(
  "workspace_card",
  `SELECT 'workspace' AS type, NULL AS "firstName", NULL AS "lastName", name, NULL AS email, NULL AS domain, NULL AS "linkedinUrl",
     NULL AS "employerId", NULL AS employer, NULL AS "employerDomain", 0 AS "peopleCount", NULL::timestamptz AS "lastActivityAt"
   FROM workspaces WHERE id = $workspace AND id = $1`,
);

const cards = { person: personCard, company: companyCard, workspace: workspaceCard };

/** Null for an entity that has evidence but no row in the lists. */
export const findCard = async (db: Db, type: keyof typeof cards, id: string): Promise<Card | null> =>
  (await db.query<Card>(cards[type], [id]))[0] ?? null;

export type Member = Pick<
  Person,
  "id" | "firstName" | "lastName" | "email" | "linkedinUrl" | "jobTitle" | "lastActivityAt"
>;

const MEMBER = `p.id, p.first_name AS "firstName", p.last_name AS "lastName", p.email, p.linkedin_url AS "linkedinUrl", p.job_title AS "jobTitle", p.last_activity_at AS "lastActivityAt"`;

// people_company_idx
const peopleOf = sql(
  "people_of_company",
  `SELECT ${MEMBER} FROM people p WHERE p.workspace_id = $workspace AND p.company_id = $1 AND p.status = 'active'
   ORDER BY p.last_activity_at DESC NULLS LAST, p.id DESC LIMIT $2`,
);

/** A company's active people, the most recently active first. */
export const findPeopleOf = (db: Db, companyId: string, limit: number): Promise<Member[]> =>
  db.query<Member>(peopleOf, [companyId, limit]);

// people_pkey, then people_company_idx in its order: a join would read and sort everyone of the company
const colleaguesOf = sql(
  "colleagues_of_person",
  `SELECT ${MEMBER} FROM people p
   WHERE p.workspace_id = $workspace AND p.company_id = (SELECT me.company_id FROM people me WHERE me.workspace_id = $workspace AND me.id = $1)
     AND p.id <> $1 AND p.status = 'active'
   ORDER BY p.last_activity_at DESC NULLS LAST, p.id DESC LIMIT $2`,
);

/** The other active people of a person's company, the most recently active first. */
export const findColleagues = (db: Db, personId: string, limit: number): Promise<Member[]> =>
  db.query<Member>(colleaguesOf, [personId, limit]);
