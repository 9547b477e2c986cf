import { setTimeout as sleep } from "node:timers/promises";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { sql } from "#lib/db/statement.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Change } from "#lib/domain/knowledge/changes/contract.ts";
import { findUnsettled } from "#lib/domain/knowledge/changes/queries.ts";

/** What a change is known by in the database. */
export function nameOfChange({ type, id, entity_id }: Change): string {
  if (id === undefined) return `${type} ${entity_id}`;
  return `${type === "merge" || type === "unmerge" ? type : "observation"} ${id}`;
}

const committed = sql(
  "",
  `SELECT name FROM (
     SELECT written_in, seq, 'observation ' || id AS name FROM observations WHERE workspace_id = $workspace
     UNION ALL
     SELECT written_in, seq, type || ' ' || coalesce(merge_id, entity_id) FROM changes WHERE workspace_id = $workspace
   ) AS committed ORDER BY written_in, seq`,
);

/** The names of all changes that are committed in a workspace, in the order of the feed. */
export const committedChanges = (workspaceId: WorkspaceId): Promise<string[]> =>
  withWorkspace(workspaceId, async (db) => (await db.query<{ name: string }>(committed)).map(({ name }) => name), {
    readOnly: true,
  });

/**
 * Waits until everything that a workspace has is in its feed of changes: what runs beside a test in the same Postgres holds
 * it back for as long as its transactions take.
 */
export async function settled(workspaceId: WorkspaceId): Promise<void> {
  while (await withWorkspace(workspaceId, findUnsettled, { readOnly: true })) await sleep(5);
}
