import { listWorkspaces } from "#lib/auth/operator.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { KEYS_END_WITHIN_MS, type Stopped } from "../rules.ts";

/** For each workspace: triggers that were stopped, integrations with a problem, and keys that end soon and have no successor. */
export async function stoppedInWorkspaces(): Promise<Stopped[]> {
  const now = new Date();
  const soon = new Date(now.getTime() + KEYS_END_WITHIN_MS);
  const stopped: Stopped[] = [];
  for (const { id, name } of await listWorkspaces())
    stopped.push(
      await withWorkspace(id as WorkspaceId, async ({ prisma }) => ({
        workspace: name,
        triggers: await prisma.trigger.count({ where: { status: "disabled" } }),
        connections: await prisma.connection.count({ where: { removedAt: null, message: { not: null } } }),
        keys: await prisma.apiKey.count({
          where: { revokedAt: null, replacedBy: null, expiresAt: { gt: now, lt: soon } },
        }),
      })),
    );
  return stopped;
}
