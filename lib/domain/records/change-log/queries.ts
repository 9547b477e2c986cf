import type { Db } from "#lib/db/handle.ts";
import { formFor, sqlOfIds, sqlOfRows } from "#lib/db/statement.ts";

export type NewChange = {
  type: "person.created" | "company.created" | "merge" | "unmerge" | "erased" | "task" | "state" | "stage";
  /** of a merge the record that was kept; of a task without a focus the workspace */
  entityId: string;
  /** the record that was merged into it, or separated from it */
  otherId?: string;
  /** the merge; of `task` the task */
  mergeId?: string;
  /** of evidence that was retired: the property, and what is believed of it since then */
  property?: string;
  value?: unknown;
  source: string;
};

const insert = sqlOfRows(
  "changes_insert",
  (
    limit,
  ) => `INSERT INTO changes (workspace_id, type, entity_id, other_id, merge_id, property, value, source, actor, at)
   SELECT $workspace, n.type, n.entity_id, n.other_id, n.merge_id, n.property, n.value, n.source, $1, coalesce($2, date_trunc('milliseconds', clock_timestamp()))
   FROM unnest($3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::jsonb[], $9::text[])
     WITH ORDINALITY AS n(type, entity_id, other_id, merge_id, property, value, source, place)
   ORDER BY n.place ${limit} RETURNING NULL`,
);

/** Without `at` they happen when they are written, by the database's clock. */
export function deferChanges(db: Db, actor: string, at: Date | null, changes: readonly NewChange[]): void {
  void db.defer(formFor(insert, changes.length), [
    actor,
    at,
    changes.map(({ type }) => type),
    changes.map(({ entityId }) => entityId),
    changes.map(({ otherId }) => otherId ?? null),
    changes.map(({ mergeId }) => mergeId ?? null),
    changes.map(({ property }) => property ?? null),
    changes.map(({ property, value }) => (property === undefined ? null : JSON.stringify(value ?? null))),
    changes.map(({ source }) => source),
  ]);
}

// changes_entity_idx, changes_other_idx
const removeRows = sqlOfIds(
  "changes_remove",
  (these) => `DELETE FROM changes WHERE workspace_id = $workspace AND (entity_id ${these} OR other_id ${these})`,
);

/** Removes every change that names one of these; the transaction must be one of erasure. */
export async function removeChanges(db: Db, ids: readonly string[]): Promise<void> {
  await db.query(formFor(removeRows, ids.length), [ids]);
}
