import type { z } from "zod";
import type { Db } from "#lib/db/handle.ts";
import { lockRow } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import { notRetired } from "#lib/domain/records/evidence/service.ts";
import type { Merge } from "#prisma/generated/client.ts";
import type { suggestMerges } from "./contract.ts";

const columns = {
  id: true,
  keepId: true,
  dropId: true,
  identifierIds: true,
  followers: true,
  preferred: true,
  undoneAt: true,
} as const;

/** When an identifier was last made the primary one of its kind, before a merge and by it. */
export type PreferenceChange = { id: string; was: string | null; now: string };

export type MergeRow = Omit<Pick<Merge, keyof typeof columns>, "preferred"> & { preferred: PreferenceChange[] };

/** Gives every identifier of one entity to another; returns which. */
export const moveAllIdentifiers = async (db: Db, from: string, to: string): Promise<string[]> =>
  (
    await db.prisma.identifier.updateManyAndReturn({
      where: { entityId: from },
      data: { entityId: to },
      select: { id: true },
    })
  ).map(({ id }) => id);

export async function moveIdentifiers(db: Db, ids: readonly string[], from: string, to: string): Promise<void> {
  await db.prisma.identifier.updateMany({ where: { id: { in: [...ids] }, entityId: from }, data: { entityId: to } });
}

/**
 * Makes `drop`, and what was merged into it before, part of `keep`; returns the ids of what was merged into it before.
 */
export async function absorbEntity(db: Db, keep: string, drop: string): Promise<string[]> {
  const gone = await db.prisma.entity.updateManyAndReturn({
    where: { OR: [{ id: drop }, { mergedInto: drop }] },
    data: { mergedInto: keep },
    select: { id: true },
  });
  const ids = gone.map(({ id }) => id);
  await db.prisma.entity.updateMany({ where: { id: keep }, data: { absorbed: { push: ids } } });
  return ids.filter((id) => id !== drop);
}

/** As it was before `absorbEntity`. The caller holds `keep`. */
export async function releaseEntity(db: Db, keep: string, drop: string, followers: readonly string[]): Promise<void> {
  await db.prisma.entity.updateMany({ where: { id: drop }, data: { mergedInto: null } });
  await db.prisma.entity.updateMany({ where: { id: { in: [...followers] } }, data: { mergedInto: drop } });
  const { absorbed } = await db.prisma.entity.findFirstOrThrow({ where: { id: keep }, select: { absorbed: true } });
  const freed = new Set([drop, ...followers]);
  await db.prisma.entity.updateMany({
    where: { id: keep },
    data: { absorbed: absorbed.filter((id) => !freed.has(id)) },
  });
}

export async function insertMerge(db: Db, merge: Omit<MergeRow, "undoneAt">, actor: string): Promise<void> {
  await db.prisma.merge.create({ data: { ...merge, actor }, select: { id: true } });
}

export const findMerge = (db: Db, id: string): Promise<MergeRow | null> =>
  db.prisma.merge.findFirst({ where: { id }, select: columns }) as Promise<object | null> as Promise<MergeRow | null>;

export type StandingMerge = { id: string; dropId: string; identifierIds: string[]; actor: string; mergedAt: Date };

/** The merges into a record that can be undone, the latest first. Uses merges_keep_idx. */
export const findMergesInto = (db: Db, keepId: string, limit: number): Promise<StandingMerge[]> =>
  db.prisma.merge.findMany({
    where: { keepId, undoneAt: null },
    orderBy: [{ mergedAt: "desc" }, { id: "desc" }],
    take: limit,
    select: { id: true, dropId: true, identifierIds: true, actor: true, mergedAt: true },
  });

/** What records that are part of others were called, by what was said of themselves: the latest of each property last. */
export const findNamesSaid = (
  db: Db,
  ids: readonly string[],
): Promise<{ entityId: string; property: string; value: unknown }[]> =>
  db.prisma.observation.findMany({
    where: { entityId: { in: [...ids] }, kind: "state", property: { in: ["first_name", "last_name", "name"] } },
    orderBy: { seq: "asc" },
    select: { entityId: true, property: true, value: true },
  });

/** Identifiers by id, with whose they are now. */
export const findIdentifiersById = (
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; entityId: string; kind: string; value: string }[]> =>
  db.prisma.identifier.findMany({
    where: { id: { in: [...ids] }, retiredAt: null },
    select: { id: true, entityId: true, kind: true, value: true },
  });

export type IdentifierRank = {
  id: string;
  entityId: string;
  kind: string;
  value: string;
  createdAt: Date;
  preferredAt: Date | null;
};

/** The identifiers of these kinds that records have now. */
export const findRanked = (db: Db, entityIds: readonly string[], kinds: readonly string[]): Promise<IdentifierRank[]> =>
  db.prisma.identifier.findMany({
    where: { entityId: { in: [...entityIds] }, kind: { in: [...kinds] }, retiredAt: null },
    select: { id: true, entityId: true, kind: true, value: true, createdAt: true, preferredAt: true },
  });

/** Makes identifiers the primary ones of their kinds. */
export async function preferIdentifiers(db: Db, preferred: readonly PreferenceChange[]): Promise<void> {
  for (const { id, now } of preferred)
    await db.prisma.identifier.updateMany({ where: { id }, data: { preferredAt: new Date(now) } });
}

/** As it was before `preferIdentifiers`, unless they were made primary again since. */
export async function unpreferIdentifiers(db: Db, preferred: readonly PreferenceChange[]): Promise<void> {
  for (const { id, was, now } of preferred)
    await db.prisma.identifier.updateMany({
      where: { id, preferredAt: new Date(now) },
      data: { preferredAt: was === null ? null : new Date(was) },
    });
}

/** A merge, locked against being undone twice. The caller holds the two it joined. */
export async function lockMerge(db: Db, id: string): Promise<MergeRow | null> {
  await lockRow(db, "merges", id);
  return findMerge(db, id);
}

export async function markUndone(db: Db, id: string, at: Date): Promise<void> {
  await db.prisma.merge.updateMany({ where: { id }, data: { undoneAt: at } });
}

/** The entity that another was merged into; null when it was not merged. */
export const findMergedInto = async (db: Db, id: string): Promise<string | null> =>
  (await db.prisma.entity.findFirst({ where: { id }, select: { mergedInto: true } }))?.mergedInto ?? null;

/** What callers see of what would move with an entity. `ids`: it, and what was merged into it. */
export const countMoves = async (
  db: Db,
  id: string,
  ids: readonly string[],
): Promise<{ identifiers: number; observations: number }> => ({
  identifiers: await db.prisma.identifier.count({ where: { entityId: id, kind: { not: "name" } } }),
  observations: await db.prisma.observation.count({ where: { entityId: { in: [...ids] } } }),
});

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
   SELECT reason, ids FROM (
     SELECT 'same_phone' AS reason, phone AS detail, array_agg(id ORDER BY created_at, id) AS ids FROM people
       WHERE workspace_id = $workspace AND status = 'active' AND phone IS NOT NULL GROUP BY phone HAVING count(*) > 1
     UNION ALL
     SELECT 'same_name_and_company', max(name) || ' at ' || max(company), array_agg(id ORDER BY created_at, id) FROM alike
       WHERE company_id IS NOT NULL GROUP BY folded, company_id HAVING count(*) > 1
     UNION ALL
     SELECT 'same_name_and_written_company', max(name) || ' at ' || max(company), array_agg(id ORDER BY created_at, id)
       FROM pairs GROUP BY folded, said HAVING count(*) > 1 AND bool_or(company_id IS NULL)
     UNION ALL
     SELECT 'same_company_name', name, array_agg(id ORDER BY created_at, id) FROM companies
       WHERE workspace_id = $workspace AND status = 'active' AND name IS NOT NULL
       GROUP BY name, coalesce(country, '') HAVING count(*) > 1
     UNION ALL
     SELECT 'same_company_name', min(name), array_agg(id ORDER BY created_at, id) FROM companies
       WHERE workspace_id = $workspace AND status = 'active' AND name IS NOT NULL
       GROUP BY split_part(search, E'\n', 1) HAVING count(*) > 1 AND bool_or(domain IS NULL)
   ) AS found GROUP BY reason, ids
   ORDER BY array_position(ARRAY['same_phone', 'same_name_and_company', 'same_name_and_written_company', 'same_company_name'], reason), min(detail), ids LIMIT $1`,
);

export type Suggestion = {
  reason: z.output<typeof suggestMerges.output>["suggestions"][number]["reason"];
  ids: string[];
};

/** Likely duplicates, counted up to what a caller gets at most, the first of them, and how long it took to find them. */
export type Likely = { count: number; capped: boolean; first: readonly Suggestion[]; ms?: number };

/** What the maintenance found last, when, and how long all that it counts took; null when nothing was tried yet. */
export async function findLikely({
  prisma,
}: Db): Promise<{ likely: Likely; tookMs: number; countedAt: Date | null } | null> {
  const row = await prisma.checkCounts.findFirst({ select: { duplicates: true, tookMs: true, countedAt: true } });
  return row && { likely: row.duplicates as unknown as Likely, tookMs: row.tookMs, countedAt: row.countedAt };
}

/** The phone numbers of people, by id. Uses people_pkey. */
export const findPhones = async (db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> =>
  new Map(
    (await db.prisma.person.findMany({ where: { id: { in: [...ids] } }, select: { id: true, phone: true } })).map(
      ({ id, phone }) => [id, phone],
    ),
  );

export const findSuggestions = (db: Db, limit: number): Promise<Suggestion[]> => db.query<Suggestion>(likely, [limit]);

// identifiers_active_key; people_pkey; claims_workspace_id_entity_id_property_key; observations_timeline_idx
const existing = sql(
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

export type IdentifierOwner = { value: string; entityId: string; status: string };

/** What is known about identifiers of one kind; those that are not in use are left out. */
export const findIdentifierOwners = (db: Db, kind: string, values: readonly string[]): Promise<IdentifierOwner[]> =>
  db.query<IdentifierOwner>(existing, [kind, values]);
