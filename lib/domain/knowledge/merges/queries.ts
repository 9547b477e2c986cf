import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { notRetired } from "#lib/domain/records/evidence/service.ts";

export type MergeRow = {
  id: string;
  keepId: string;
  dropId: string;
  identifierIds: string[];
  followers: string[];
  undoneAt: Date | null;
};

const moveAll = sql(
  "merge_move_identifiers",
  "UPDATE identifiers SET entity_id = $2 WHERE workspace_id = $workspace AND entity_id = $1 RETURNING id",
);

/** Gives every identifier of one entity to another; returns which. */
export const moveAllIdentifiers = async (db: Db, from: string, to: string): Promise<string[]> =>
  (await db.query<{ id: string }>(moveAll, [from, to])).map((row) => row.id);

const returnIdentifiers = sql(
  "merge_return_identifiers",
  "UPDATE identifiers SET entity_id = $3 WHERE workspace_id = $workspace AND entity_id = $2 AND id = ANY($1)",
);

export async function moveIdentifiers(db: Db, ids: readonly string[], from: string, to: string): Promise<void> {
  await db.query(returnIdentifiers, [ids, from, to]);
}

// entities_merged_into_idx
const absorb = sql(
  "merge_absorb",
  `WITH gone AS (
     UPDATE entities SET merged_into = $1 WHERE workspace_id = $workspace AND (id = $2 OR merged_into = $2) RETURNING id
   )
   UPDATE entities SET absorbed = absorbed || (SELECT array_agg(id) FROM gone) WHERE workspace_id = $workspace AND id = $1
   RETURNING (SELECT array_agg(id) FROM gone WHERE id <> $2) AS followers`,
);

/**
 * Makes `drop`, and what was merged into it before, part of `keep`; returns the ids of what was merged into it before.
 */
export async function absorbEntity(db: Db, keep: string, drop: string): Promise<string[]> {
  const [row] = await db.query<{ followers: string[] | null }>(absorb, [keep, drop]);
  return row?.followers ?? [];
}

const release = sql(
  "merge_release",
  `WITH freed AS (
     UPDATE entities SET merged_into = CASE WHEN id = $2 THEN NULL ELSE $2 END WHERE workspace_id = $workspace AND id = ANY($3::uuid[] || $2::uuid)
   )
   UPDATE entities SET absorbed = ARRAY(SELECT a FROM unnest(absorbed) AS a WHERE a <> ALL($3::uuid[] || $2::uuid))
   WHERE workspace_id = $workspace AND id = $1`,
);

export async function releaseEntity(db: Db, keep: string, drop: string, followers: readonly string[]): Promise<void> {
  await db.query(release, [keep, drop, followers]);
}

const insert = sql(
  "merge_insert",
  `INSERT INTO merges (workspace_id, id, keep_id, drop_id, identifier_ids, followers, actor) VALUES ($workspace, $1, $2, $3, $4, $5, $6)`,
);

export async function insertMerge(db: Db, merge: Omit<MergeRow, "undoneAt">, actor: string): Promise<void> {
  await db.query(insert, [merge.id, merge.keepId, merge.dropId, merge.identifierIds, merge.followers, actor]);
}

const BY_ID = `SELECT id, keep_id AS "keepId", drop_id AS "dropId", identifier_ids AS "identifierIds", followers, undone_at AS "undoneAt"
   FROM merges WHERE workspace_id = $workspace AND id = $1`;
const byId = sql("merge_by_id", BY_ID);
const byIdLocked = sql("merge_by_id_locked", `${BY_ID} FOR UPDATE`);

export const findMerge = async (db: Db, id: string): Promise<MergeRow | null> =>
  (await db.query<MergeRow>(byId, [id]))[0] ?? null;

/** A merge, locked against being undone twice. The caller holds the two it joined. */
export const lockMerge = async (db: Db, id: string): Promise<MergeRow | null> =>
  (await db.query<MergeRow>(byIdLocked, [id]))[0] ?? null;

const undo = sql("merge_undo", "UPDATE merges SET undone_at = $2 WHERE workspace_id = $workspace AND id = $1");

export async function markUndone(db: Db, id: string, at: Date): Promise<void> {
  await db.query(undo, [id, at]);
}

const mergedInto = sql(
  "entity_merged_into",
  "SELECT merged_into AS id FROM entities WHERE workspace_id = $workspace AND id = $1",
);

/** The entity that another was merged into; null when it was not merged. */
export const findMergedInto = async (db: Db, id: string): Promise<string | null> =>
  (await db.query<{ id: string | null }>(mergedInto, [id]))[0]?.id ?? null;

// observations_recent_idx; identifiers_workspace_id_entity_id_idx
const countOf = sql(
  "merge_count",
  `SELECT (SELECT count(*)::int FROM identifiers WHERE workspace_id = $workspace AND entity_id = $1) AS identifiers,
     (SELECT count(*)::int FROM observations WHERE workspace_id = $workspace AND entity_id = ANY($2)) AS observations`,
);

/** What would move with an entity. */
export async function countMoves(
  db: Db,
  id: string,
  ids: readonly string[],
): Promise<{ identifiers: number; observations: number }> {
  const [row] = await db.query<{ identifiers: number; observations: number }>(countOf, [id, ids]);
  return row ?? { identifiers: 0, observations: 0 };
}

const nameOf = sql(
  "record_name",
  `SELECT coalesce((SELECT coalesce(nullif(concat_ws(' ', first_name, last_name), ''), email, linkedin_url) FROM people WHERE workspace_id = $workspace AND id = $1),
     (SELECT coalesce(name, domain, linkedin_url) FROM companies WHERE workspace_id = $workspace AND id = $1)) AS name`,
);

/** What a person or company is called on the page. */
export const findRecordName = async (db: Db, id: string): Promise<string | null> =>
  (await db.query<{ name: string | null }>(nameOf, [id]))[0]?.name ?? null;

/** A company's name as it is compared: without case, punctuation and legal form. */
const plain = (text: string) =>
  `regexp_replace(regexp_replace(lower(${text}), '[[:punct:]]', '', 'g'), ' (inc|llc|ltd|limited|gmbh|ag|se|sa|sas|srl|bv|ab|oy|plc|corp|co)$', '')`;

// people_activity_idx: names that occur twice, by the folded name that search keeps; companies_pkey for those alone
const likely = sql(
  "merge_suggestions",
  `WITH named AS MATERIALIZED (
     SELECT id, created_at, company_id, company, first_name || ' ' || last_name AS name, split_part(search, E'\n', 2) AS folded FROM people
     WHERE workspace_id = $workspace AND status = 'active' AND first_name IS NOT NULL AND last_name IS NOT NULL AND company IS NOT NULL
   ), alike AS (
     SELECT named.* FROM named JOIN (SELECT folded FROM named GROUP BY folded HAVING count(*) > 1) AS twice USING (folded)
   ), written AS (
     SELECT id, created_at, company_id, name, folded, company, ${plain("company")} AS said FROM alike
     UNION ALL
     SELECT a.id, a.created_at, a.company_id, a.name, a.folded, a.company, ${plain("word")}
     FROM alike a JOIN companies c ON c.workspace_id = $workspace AND c.id = a.company_id,
       unnest(ARRAY[c.name, c.domain, split_part(c.domain, '.', 1)]) AS word WHERE word IS NOT NULL
   ), pairs AS (
     SELECT DISTINCT id, created_at, company_id, name, folded, company, said FROM written WHERE said <> ''
   )
   SELECT reason, min(detail) AS detail, ids FROM (
     SELECT 'same_phone' AS reason, phone AS detail, array_agg(id ORDER BY created_at, id) AS ids FROM people
       WHERE workspace_id = $workspace AND status = 'active' AND phone IS NOT NULL GROUP BY phone HAVING count(*) > 1
     UNION ALL
     SELECT 'same_name_and_company', max(name) || ' at ' || max(company), array_agg(id ORDER BY created_at, id) FROM alike
       WHERE company_id IS NOT NULL GROUP BY folded, company_id HAVING count(*) > 1
     UNION ALL
     SELECT 'same_name_and_written_company', max(name) || ' at ' || max(company) || ', which is not linked', array_agg(id ORDER BY created_at, id)
       FROM pairs GROUP BY folded, said HAVING count(*) > 1 AND bool_or(company_id IS NULL)
     UNION ALL
     SELECT 'same_company_name', name, array_agg(id ORDER BY created_at, id) FROM companies
       WHERE workspace_id = $workspace AND status = 'active' AND name IS NOT NULL
       GROUP BY name, coalesce(country, '') HAVING count(*) > 1
   ) AS found GROUP BY reason, ids
   ORDER BY array_position(ARRAY['same_phone', 'same_name_and_company', 'same_name_and_written_company', 'same_company_name'], reason), detail, ids LIMIT $1`,
);

export type Suggestion = {
  reason: "same_phone" | "same_name_and_company" | "same_name_and_written_company" | "same_company_name";
  detail: string;
  ids: string[];
};

export const findSuggestions = (db: Db, limit: number): Promise<Suggestion[]> => db.query<Suggestion>(likely, [limit]);

// identifiers_active_key; people_pkey; claims_workspace_id_entity_id_property_key; observations_timeline_idx
const known = sql(
  "dedup_known",
  `SELECT i.value, i.entity_id AS "entityId",
     CASE WHEN gone.value = 'true'::jsonb THEN 'unsubscribed'
          WHEN mail.property = 'interaction.email_bounced' THEN 'bounced'
          WHEN p.pipeline_stage >= 'interested' THEN 'engaged'
          WHEN coalesce(p.last_activity_at, c.last_activity_at) > now() - interval '30 days' THEN 'recent' ELSE 'known' END AS status
   FROM unnest($2::text[]) AS wanted(value)
   JOIN identifiers i ON i.workspace_id = $workspace AND i.kind = $1 AND i.value = wanted.value AND i.retired_at IS NULL
   LEFT JOIN people p ON p.workspace_id = $workspace AND p.id = i.entity_id
   LEFT JOIN companies c ON c.workspace_id = $workspace AND c.id = i.entity_id
   LEFT JOIN claims gone ON gone.workspace_id = $workspace AND gone.entity_id = i.entity_id AND gone.property = 'unsubscribed' AND gone.ended_at IS NULL
   LEFT JOIN LATERAL (
     SELECT o.property FROM observations o WHERE o.workspace_id = $workspace AND o.entity_id = i.entity_id AND o.kind = 'event'
       AND o.property LIKE 'interaction.email%' AND ${notRetired("o.id")} ORDER BY o.observed_at DESC, o.seq DESC LIMIT 1
   ) AS mail ON true`,
);

export type Known = { value: string; entityId: string; status: string };

/** What is known about identifiers of one kind; those that are not in use are left out. */
export const findKnown = (db: Db, kind: string, values: readonly string[]): Promise<Known[]> =>
  db.query<Known>(known, [kind, values]);
