import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

// import_batches_pkey; people_pkey
const imported = sql(
  "import_people",
  `SELECT DISTINCT p.id FROM import_batches b CROSS JOIN LATERAL unnest(b.touched) AS t(id)
   JOIN people p ON p.workspace_id = $workspace AND p.id = t.id
   WHERE b.workspace_id = $workspace AND b.import_id = $1`,
);

/** The people a run wrote to. */
export const findImportedPeople = async (db: Db, importId: string): Promise<string[]> =>
  (await db.query<{ id: string }>(imported, [importId])).map(({ id }) => id);

// observations_recent_idx; entities_pkey; identifiers_workspace_id_entity_id_idx; leads_entity_idx; people_company_idx
const used = sql(
  "import_created_used",
  `SELECT e.id FROM entities e WHERE e.workspace_id = $workspace AND e.id = ANY($1) AND (
     e.merged_into IS NOT NULL OR e.absorbed <> '{}' OR e.status <> 'active'
     OR EXISTS (SELECT FROM observations o WHERE o.workspace_id = $workspace AND o.entity_id = e.id AND o.client IS DISTINCT FROM $2)
     OR EXISTS (SELECT FROM identifiers i WHERE i.workspace_id = $workspace AND i.entity_id = e.id AND (i.created_at > $3 OR i.retired_at IS NOT NULL))
     OR EXISTS (SELECT FROM leads l WHERE l.workspace_id = $workspace AND l.entity_id = e.id)
     OR EXISTS (SELECT FROM people p WHERE p.workspace_id = $workspace AND p.company_id = e.id AND p.id <> ALL($1)))`,
);

/** Which of the records that a batch created someone has worked with since: anything about them that the import did not do. */
export const findUsed = async (db: Db, created: readonly string[], label: string, at: string): Promise<string[]> =>
  (await db.query<{ id: string }>(used, [created, label, at])).map(({ id }) => id);

const CARRIED = `id, seq, entity_id, kind, property, value, source, method, observed_at, recorded_at, external_id, caused_by, actor, client`;

// observations_recent_idx, notes_pkey; the transaction must be one of erasure. The text of a note is kept with its evidence.
const retire = sql(
  "observations_retire",
  `WITH gone AS (
     DELETE FROM observations WHERE workspace_id = $workspace AND entity_id = ANY($2) AND client = $3 RETURNING ${CARRIED}
   ), kept AS (
     INSERT INTO retired_observations (workspace_id, import_id, ${CARRIED})
     SELECT $workspace, $1, ${CARRIED.replace("value", "CASE WHEN property = 'note.saved' THEN value || coalesce((SELECT jsonb_build_object('content', n.content) FROM notes n WHERE n.workspace_id = $workspace AND n.id = (gone.value ->> 'note_id')::uuid), '{}') ELSE value END")} FROM gone RETURNING NULL
   )
   SELECT DISTINCT entity_id AS "entityId", property, CASE WHEN property = 'note.saved' THEN value ->> 'note_id' END AS "noteId" FROM gone`,
);

export type RetiredEvidence = { properties: { entityId: string; property: string }[]; noteIds: string[] };

/** Takes the evidence of an import about some records out of belief, and keeps it beside. Returns which properties it was on. */
export async function retireEvidence(
  db: Db,
  importId: string,
  entityIds: readonly string[],
  label: string,
): Promise<RetiredEvidence> {
  const values = [importId, entityIds, label];
  const rows = await db.query<{ entityId: string; property: string; noteId: string | null }>(retire, values);
  return {
    properties: rows.filter(({ noteId }) => noteId === null),
    noteIds: rows.flatMap(({ noteId }) => noteId ?? []),
  };
}

// identifiers_workspace_id_entity_id_idx
const takeBack = sql(
  "identifiers_take_back",
  `DELETE FROM identifiers i USING unnest($1::uuid[], $2::text[], $3::text[]) AS g(entity_id, kind, value)
   WHERE i.workspace_id = $workspace AND i.entity_id = ANY($1::uuid[]) AND i.entity_id = g.entity_id AND i.kind = g.kind AND i.value = g.value AND i.created_at <= $4`,
);

/** Takes identifiers back that an import gave to records that were there before. */
export const takeBackIdentifiers = (
  db: Db,
  identifiers: readonly { entityId: string; kind: string; value: string }[],
  at: string,
): Promise<unknown> =>
  db.query(takeBack, [
    identifiers.map((one) => one.entityId),
    identifiers.map(({ kind }) => kind),
    identifiers.map(({ value }) => value),
    at,
  ]);
