import { findActorNames } from "#lib/auth/queries/names.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

export type ClaimRow = {
  property: string;
  content: string;
  category: string;
  method: "asserted" | "observed" | "inferred";
  source: string;
  sourceCount: number;
  conflictCount: number;
  recordedAt: Date;
  lastObservedAt: Date;
  supersedes: string | null;
};

const COLUMNS = `property, value ->> 'content' AS content, category, method::text, source, source_count AS "sourceCount", jsonb_array_length(conflicts) AS "conflictCount", recorded_at AS "recordedAt",
  last_observed_at AS "lastObservedAt", supersedes`;

// claims_current_facts_idx
const current = sql(
  "facts_current",
  `SELECT ${COLUMNS} FROM claims WHERE workspace_id = $workspace AND category IS NOT NULL AND ended_at IS NULL ORDER BY seq DESC LIMIT $1`,
);

// claims_current_facts_idx, filtered: a profile has tens of facts. One statement for both would be planned at each call, because
// the planner finds a plan without the filter cheaper.
const currentOf = sql(
  "facts_current_of_categories",
  `SELECT ${COLUMNS} FROM claims WHERE workspace_id = $workspace AND category = ANY($2) AND category IS NOT NULL AND ended_at IS NULL ORDER BY seq DESC LIMIT $1`,
);

/** Current facts, newest first. */
export const findCurrentFacts = (db: Db, limit: number, categories?: readonly string[]): Promise<ClaimRow[]> =>
  categories ? db.query<ClaimRow>(currentOf, [limit, categories]) : db.query<ClaimRow>(current, [limit]);

// claims_current_facts_idx for the category of each current fact: a profile has tens
const categories = sql(
  "facts_categories",
  `SELECT DISTINCT category FROM claims WHERE workspace_id = $workspace AND category IS NOT NULL AND ended_at IS NULL ORDER BY category`,
);

/** The categories that have something current. */
export const findCategories = async (db: Db): Promise<string[]> =>
  (await db.query<{ category: string }>(categories, [])).map(({ category }) => category);

/** An observation, and who recorded it by what program. */
type RecordedBy = { observationId: string; actor: string; client: string | null };

export type EntryRow = ClaimRow & RecordedBy & { begun: string };

/** Replacements that are followed back to where an entry began. */
const MOST_STEPS = 200;

// claims_current_facts_idx; claims_workspace_id_entity_id_property_key once for each replacement; observations_pkey
const entries = sql(
  "facts_entries",
  `WITH RECURSIVE chain AS (
     (SELECT property AS entry, id, supersedes, 0 AS step FROM claims
      WHERE workspace_id = $workspace AND category IS NOT NULL AND ended_at IS NULL ORDER BY seq DESC LIMIT $1)
     UNION ALL
     SELECT chain.entry, p.id, p.supersedes, chain.step + 1 FROM chain
     JOIN claims p ON p.workspace_id = $workspace AND p.entity_id = $workspace AND p.property = 'note.' || chain.supersedes::text
     WHERE chain.step < ${MOST_STEPS}
   ), first AS (SELECT DISTINCT ON (entry) entry, id AS begun FROM chain ORDER BY entry, step DESC)
   SELECT ${COLUMNS}, c.observation_id AS "observationId", said.actor, said.client, first.begun FROM first
   JOIN claims c ON c.workspace_id = $workspace AND c.entity_id = $workspace AND c.property = first.entry
   CROSS JOIN LATERAL (SELECT o.actor, o.client FROM observations o WHERE o.workspace_id = $workspace AND o.id = c.observation_id) AS said
   ORDER BY first.begun DESC`,
);

/** Current facts, each with the first observation of the entry that it continues; those begun last come first. */
export const findEntries = (db: Db, limit: number): Promise<EntryRow[]> => db.query<EntryRow>(entries, [limit]);

const propertiesOf = sql(
  "facts_properties_of_category",
  `SELECT property FROM claims WHERE workspace_id = $workspace AND category = $1 AND category IS NOT NULL AND ended_at IS NULL`,
);

/** Properties of the current facts of one category. */
export const findPropertiesOfCategory = async (db: Db, category: string): Promise<string[]> =>
  (await db.query<{ property: string }>(propertiesOf, [category])).map((row) => row.property);

export type FactState = {
  id: string;
  category: string;
  content: string;
  ended: boolean;
  supersededBy: string | null;
  lastObservedAt: Date;
};

// claims_workspace_id_entity_id_property_key
const byId = sql(
  "fact_by_id",
  `SELECT category, value->>'content' AS content, ended_at IS NOT NULL AS ended, superseded_by AS "supersededBy", last_observed_at AS "lastObservedAt"
   FROM claims WHERE workspace_id = $workspace AND entity_id = $workspace AND property = 'note.' || $1::text AND category IS NOT NULL`,
);

export async function findFact(db: Db, id: string): Promise<FactState | null> {
  const [row] = await db.query<Omit<FactState, "id">>(byId, [id]);
  return row ? { id, ...row } : null;
}

export type Author = { author: string | null; client: string | null };

/** Who recorded each of these observations: what a member, key or connected client is called, and the program. */
export async function findAuthors(db: Db, observationIds: readonly string[]): Promise<Map<string, Author>> {
  const rows = await db.prisma.observation.findMany({
    where: { id: { in: [...observationIds] } },
    select: { id: true, actor: true, client: true },
  });
  return nameAuthors(
    db,
    rows.map(({ id, ...by }) => ({ observationId: id, ...by })),
  );
}

/** The same of observations whose actor and program are known. */
export async function nameAuthors(db: Db, recorded: readonly RecordedBy[]): Promise<Map<string, Author>> {
  const names = await findActorNames(
    db,
    recorded.map(({ actor }) => actor),
  );
  return new Map(
    recorded.map(({ observationId, actor, client }) => [observationId, { author: names.get(actor) ?? null, client }]),
  );
}
