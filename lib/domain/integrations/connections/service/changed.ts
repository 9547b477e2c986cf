import type { WorkspaceId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { announce } from "#lib/live/announce.ts";

/** A connection, its deliveries or its backfills change: open pages read them again once the transaction has committed. */
export const tellChanged = ({ db, workspaceId }: { db: Db; workspaceId: WorkspaceId }): void =>
  db.afterCommit(() => announce(workspaceId, { topic: "integrations" }));
