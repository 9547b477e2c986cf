import type { WorkspaceId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { announce } from "#lib/live/announce.ts";

/** After the commit open pages read again what waits for approval. */
export const tellApprovals = ({ db, workspaceId }: { db: Db; workspaceId: WorkspaceId }): void =>
  db.afterCommit(() => announce(workspaceId, { topic: "approvals" }));
