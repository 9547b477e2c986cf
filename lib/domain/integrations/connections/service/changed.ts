import type { WorkspaceId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { announce } from "#lib/live/announce.ts";

/** A connection, its deliveries or its backfills change: open pages read them again once the transaction has committed. */
export const tellChanged = ({ db, workspaceId }: { db: Db; workspaceId: WorkspaceId }): void =>
  db.afterCommit(() => announce(workspaceId, { topic: "integrations" }));

/** Something came to a member's own mailbox, calendar or log address: only their pages are told, as others may not know when it came. */
export const tellMember = ({ workspaceId }: { workspaceId: WorkspaceId }, userId: string): void =>
  announce(workspaceId, { topic: "integrations", user_id: userId });
