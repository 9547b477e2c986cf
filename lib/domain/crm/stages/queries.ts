import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Stage, StageRule } from "#lib/domain/crm/recording/service.ts";
import { notRetired } from "#lib/domain/records/evidence/service.ts";

const save = sql(
  "stage_rules_save",
  `INSERT INTO stage_rules (workspace_id, rules, max_age_days, updated_by) VALUES ($workspace, $1, $2, $3)
   ON CONFLICT (workspace_id) DO UPDATE SET rules = excluded.rules, max_age_days = excluded.max_age_days, updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
);

export async function saveOwnRules(db: Db, rules: readonly StageRule[], maxAgeDays: number, by: string): Promise<void> {
  await db.query(save, [JSON.stringify(rules), maxAgeDays, by]);
}

export async function removeOwnRules(db: Db): Promise<void> {
  await db.prisma.stageRuleSet.deleteMany();
}

export type ActivityHistory = {
  entityId: string;
  absorbed: string[];
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  linkedinUrl: string | null;
  stage: Stage;
  activityId: string;
  property: string;
  value: unknown;
  observedAt: Date;
  recordedAt: Date;
};

// people_activity_idx for the latest active; entities_pkey; observations_workspace_id_entity_id_property_seq_idx for
// the
// stages set by hand, observations_timeline_idx for the events. One event of each kind: the one recorded soonest.
const happened = sql(
  "stage_rules_happened",
  `SELECT p.id AS "entityId", p.absorbed, p.first_name AS "firstName", p.last_name AS "lastName", p.email, p.linkedin_url AS "linkedinUrl", p.stage,
     o.id AS "activityId", o.property, o.value, o.observed_at AS "observedAt", o.recorded_at AS "recordedAt"
   FROM (
     SELECT p.id, e.absorbed, p.first_name, p.last_name, p.email, p.linkedin_url, p.pipeline_stage::text AS stage FROM (
       SELECT * FROM people WHERE workspace_id = $workspace AND status = 'active' AND last_activity_at >= $1
       ORDER BY last_activity_at DESC NULLS LAST, id DESC LIMIT $2
     ) AS p CROSS JOIN LATERAL (SELECT * FROM entities e WHERE e.workspace_id = $workspace AND e.id = p.id OFFSET 0) AS e
   ) AS p CROSS JOIN LATERAL (
     SELECT coalesce(max(s.seq), 0) AS seq FROM unnest(array_prepend(p.id, p.absorbed)) AS part(id)
     JOIN observations s ON s.workspace_id = $workspace AND s.entity_id = part.id WHERE s.property = 'pipeline_stage' AND s.caused_by IS NULL
   ) AS set_by_hand CROSS JOIN LATERAL (
     SELECT DISTINCT ON (o.property, coalesce(o.value #>> '{metadata,event}', o.value ->> 'event'))
       o.id, o.property, o.value, o.observed_at, o.recorded_at FROM unnest(array_prepend(p.id, p.absorbed)) AS part(id)
     JOIN observations o ON o.workspace_id = $workspace AND o.entity_id = part.id WHERE o.kind = 'event' AND o.observed_at >= $1
       AND o.property = ANY($3) AND o.seq > set_by_hand.seq AND ${notRetired("o.id")}
     ORDER BY o.property, coalesce(o.value #>> '{metadata,event}', o.value ->> 'event'), o.recorded_at - o.observed_at, o.seq DESC
   ) AS o`,
);

/**
 * What happened since `since` with the most recently active people: one event of each of these properties, and of each
 * `event` it names.
 */
export const findHappened = (
  db: Db,
  since: Date,
  people: number,
  properties: readonly string[],
): Promise<ActivityHistory[]> => db.query<ActivityHistory>(happened, [since, people, properties]);

/** How many people were active since then; counted up to `limit`. */
export const countActive = (db: Db, since: Date, limit: number): Promise<number> =>
  db.prisma.person.count({ where: { status: "active", lastActivityAt: { gte: since } }, take: limit });
