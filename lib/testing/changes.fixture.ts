import { inspect } from "./database.ts";

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
