import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { EXTERNAL_ID } from "#lib/domain/crm/timeline/service.ts";
import { notRetired } from "#lib/domain/records/evidence/service.ts";
import { notBookkeeping } from "#lib/domain/records/evidence/words.ts";
import type { Company, Person } from "#prisma/generated/client.ts";
import type { EngagedStage, Value } from "./rules.ts";

// Limits are literals in the statements: the planner uses a LIMIT it can read, and assumes a tenth of the table
// otherwise.

/** More than the longest answer: some of what is found is left out later. */
const MOST = 200;
/** How many people's claims are checked for age: the most recently active of a stage. */
const MOST_PEOPLE = 200;

type NamedPerson = Pick<Person, "firstName" | "lastName" | "email" | "linkedinUrl"> & { entityId: string };
type Party = NamedPerson & Pick<Company, "name" | "domain">;

const PERSON = `p.id AS "entityId", p.first_name AS "firstName", p.last_name AS "lastName", p.email, p.linkedin_url AS "linkedinUrl"`;

/** People of a stage whose last activity lies in a span, most recent first. Read from one range of people_stage_activity_idx. */
export async function findDark(
  db: Db,
  stage: EngagedStage,
  before: Date,
  after: Date,
): Promise<(NamedPerson & { stage: EngagedStage; lastActivityAt: Date })[]> {
  const people = await db.prisma.person.findMany({
    where: { status: "active", pipelineStage: stage, lastActivityAt: { lt: before, gt: after } },
    select: { id: true, firstName: true, lastName: true, email: true, linkedinUrl: true, lastActivityAt: true },
    orderBy: [{ lastActivityAt: { sort: "desc", nulls: "last" } }, { id: "desc" }],
    take: MOST,
  });
  return people.map(({ id: entityId, lastActivityAt, ...person }) => ({
    ...person,
    ...{ entityId, stage, lastActivityAt: lastActivityAt as Date },
  }));
}

// observations_meetings_idx; entities_pkey
const meetings = sql(
  "attention_meetings",
  `SELECT coalesce(e.merged_into, e.id) AS "entityId", booked.observed_at AS at, booked.property, booked.value, booked.source, booked.external_id AS "externalId"
   FROM (
     SELECT o.entity_id, o.observed_at, o.property, o.value, o.source, ${EXTERNAL_ID} AS external_id, o.seq FROM observations o
     WHERE o.workspace_id = $workspace AND o.property = 'interaction.meeting_scheduled' AND o.observed_at >= $1 AND o.observed_at < $2
       AND ${notRetired("o.id")}
     ORDER BY o.observed_at, o.seq LIMIT ${MOST}
   ) AS booked
   JOIN entities e ON e.workspace_id = $workspace AND e.id = booked.entity_id ORDER BY booked.observed_at, booked.seq`,
);

/** Meetings booked for a span of time, the soonest first. */
export const findMeetings = (db: Db, from: Date, to: Date) =>
  db.query<{ entityId: string; at: Date; property: string; value: unknown; source: string; externalId: string | null }>(
    meetings,
    [from, to],
  );

// entities_pkey; observations_workspace_id_entity_id_property_seq_idx
const cancelled = sql(
  "attention_cancelled",
  `SELECT e.id AS "entityId", o.observed_at AS at, o.value, o.source FROM entities e
   CROSS JOIN unnest(array_prepend(e.id, e.absorbed)) AS part(id)
   JOIN observations o ON o.workspace_id = e.workspace_id AND o.entity_id = part.id AND o.property = 'interaction.meeting_cancelled'
   WHERE e.workspace_id = $workspace AND e.id = ANY($1) AND ${notRetired("o.id")}`,
);

/** Meetings of these people, and of those merged into them, that were called off. */
export const findCancelled = (db: Db, entityIds: readonly string[]) =>
  db.query<{ entityId: string; at: Date; value: unknown; source: string }>(cancelled, [entityIds]);

// claims_conflicts_idx; people_pkey, companies_pkey
const disputes = sql(
  "attention_conflicts",
  `SELECT k.entity_id AS "entityId", p.first_name AS "firstName", p.last_name AS "lastName", p.email, c.name, c.domain,
     coalesce(p.linkedin_url, c.linkedin_url) AS "linkedinUrl", k.property, k.value, k.conflicts
   FROM (
     SELECT entity_id, property, value, conflicts, last_observed_at, id FROM claims
     WHERE workspace_id = $workspace AND ended_at IS NULL AND conflicts <> '[]'::jsonb AND ${notBookkeeping("property")} ORDER BY last_observed_at DESC, id DESC LIMIT ${MOST}
   ) AS k
   LEFT JOIN LATERAL (SELECT * FROM people p WHERE p.workspace_id = $workspace AND p.id = k.entity_id OFFSET 0) AS p ON true
   LEFT JOIN LATERAL (SELECT * FROM companies c WHERE c.workspace_id = $workspace AND c.id = k.entity_id OFFSET 0) AS c ON true
   WHERE coalesce(p.status, c.status) = 'active' ORDER BY k.last_observed_at DESC, k.id DESC`,
);

/** Claims whose sources disagree, the latest evidence first. */
export const findDisputes = (db: Db) =>
  db.query<Party & { property: string; value: Value; conflicts: { value: Value; observed_at: string }[] }>(disputes);

/** So many claims about people of a stage are read at most. */
export const MOST_CLAIMS = 2 * MOST;

// people_stage_activity_idx for the people most recently active, claims_workspace_id_entity_id_property_key for theirs
const claimsOfActive = (name: string, condition: string) =>
  sql(
    name,
    `SELECT ${PERSON}, p.pipeline_stage::text AS stage, k.property, k.value, k.last_observed_at AS "lastObservedAt"
   FROM (
     SELECT * FROM people WHERE workspace_id = $workspace AND status = 'active' AND pipeline_stage = $1::pipeline_stage
     ORDER BY last_activity_at DESC NULLS LAST, id DESC LIMIT ${MOST_PEOPLE}
   ) AS p
   JOIN claims k ON k.workspace_id = $workspace AND k.entity_id = p.id AND k.ended_at IS NULL AND ${condition} AND k.property <> ALL($2) AND ${notBookkeeping("k.property")}
   ORDER BY k.last_observed_at LIMIT ${MOST_CLAIMS}`,
  );
const decayed = claimsOfActive("attention_decayed", "k.last_observed_at < $3");
const ofOneSource = claimsOfActive("attention_of_one_source", "k.source_count = 1 AND k.method <> 'asserted'");

type ActiveClaim = NamedPerson & { stage: EngagedStage; property: string; value: unknown; lastObservedAt: Date };

/** Claims about the most recently active people of a stage that no one confirmed since `before`, the oldest first. */
export const findDecayed = (db: Db, stage: EngagedStage, before: Date, leftOut: readonly string[]) =>
  db.query<ActiveClaim>(decayed, [stage, leftOut, before]);

/** Claims about them that one source alone says, and no person, the oldest first. */
export const findOfOneSource = (db: Db, stage: EngagedStage, leftOut: readonly string[]) =>
  db.query<ActiveClaim>(ofOneSource, [stage, leftOut]);

/** Where these people work, by id. */
export async function findCompanies(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const where = { id: { in: [...ids] } };
  const people = await db.prisma.person.findMany({ where, select: { id: true, company: true } });
  return new Map(people.flatMap(({ id, company }) => (company === null ? [] : [[id, company]])));
}

/** Ids of the items that a user does not want to see now. */
export async function findHidden(db: Db, userId: string, now: Date): Promise<ReadonlySet<string>> {
  const where = { userId, OR: [{ until: null }, { until: { gt: now } }] };
  return new Set((await db.prisma.hiddenItem.findMany({ where, select: { itemId: true } })).map((item) => item.itemId));
}

// entities_pkey; hidden_items_pkey. In one order, so that two requests do not wait for each other in a circle
const hide = sql(
  "attention_hide",
  `INSERT INTO hidden_items (workspace_id, user_id, item_id, entity_id, until, hidden_at)
   SELECT $workspace, $1, given.item_id, given.entity_id, $4, $5 FROM unnest($2::text[], $3::uuid[]) AS given(item_id, entity_id)
   ORDER BY 3
   ON CONFLICT (workspace_id, user_id, item_id) DO UPDATE SET until = excluded.until, hidden_at = excluded.hidden_at`,
);

export type Hidden = {
  userId: string;
  items: readonly { id: string; entity_id: string }[];
  until: Date | null;
  at: Date;
};

export async function hideItems(db: Db, { userId, items, until, at }: Hidden): Promise<void> {
  await db.query(hide, [userId, items.map(({ id }) => id), items.map(({ entity_id }) => entity_id), until, at]);
}

/** Shows items again, and returns how many were hidden. */
export const showItems = async (db: Db, userId: string, ids: readonly string[]): Promise<number> =>
  (await db.prisma.hiddenItem.deleteMany({ where: { userId, itemId: { in: [...ids] } } })).count;

export async function removeHiddenBefore(db: Db, before: Date, now: Date): Promise<void> {
  await db.prisma.hiddenItem.deleteMany({ where: { OR: [{ hiddenAt: { lt: before } }, { until: { lt: now } }] } });
}
