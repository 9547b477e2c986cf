import type { Change } from "#lib/domain/changes/contract.ts";
import { inspect } from "./database.ts";

/** What a change is known by in the database. */
export function nameOfChange({ type, id, entity_id }: Change): string {
  if (id === undefined) return `${type} ${entity_id}`;
  return `${type === "merge" || type === "unmerge" ? type : "observation"} ${id}`;
}

/** The names of all changes that are committed in a workspace, in the order of the feed. */
export async function committedChanges(workspaceId: string): Promise<string[]> {
  const rows = await inspect<{ name: string }>(
    `SELECT name FROM (
       SELECT written_in, seq, 'observation ' || id AS name FROM observations WHERE workspace_id = $1
       UNION ALL
       SELECT written_in, seq, type || ' ' || coalesce(merge_id, entity_id) FROM changes WHERE workspace_id = $1
     ) AS committed ORDER BY written_in, seq`,
    [workspaceId],
  );
  return rows.map(({ name }) => name);
}

/**
 * Waits until everything that a workspace has is in its feed of changes: what runs beside a test in the same Postgres holds
 * it back for as long as its transactions take.
 */
export async function settled(workspaceId: string): Promise<void> {
  for (;;) {
    const [row] = await inspect<{ pending: boolean }>(
      `SELECT EXISTS (SELECT FROM observations WHERE workspace_id = $1 AND written_in >= rapport_settled())
         OR EXISTS (SELECT FROM changes WHERE workspace_id = $1 AND written_in >= rapport_settled()) AS pending`,
      [workspaceId],
    );
    if (!row?.pending) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
