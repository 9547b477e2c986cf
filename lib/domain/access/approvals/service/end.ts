import { findLine } from "#lib/auth/queries/api-keys.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { lock } from "#lib/db/locks.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { announce } from "#lib/live/announce.ts";
import { cancelPending, expireOverdue, forgetMentions, removeDecided, removeRulesOf } from "../queries.ts";

/** After the commit open pages read again what waits for approval. */
export const tellApprovals = ({ db, workspaceId }: { db: Db; workspaceId: WorkspaceId }): void =>
  db.afterCommit(() => announce(workspaceId, { topic: "approvals" }));

/**
 * Cancels what a key, and the keys it was rotated from, have waiting, and ends their rules. For the transaction that revokes the key, once it
 * is marked as revoked: a request of the key that is being kept now is either cancelled or refused.
 */
export async function cancelApprovals(ctx: Pick<Ctx, "db" | "workspaceId">, keyId: string): Promise<void> {
  await cancel(ctx, await findLine(ctx.db, keyId), "The API key was revoked.");
}

/** As `cancelApprovals`, for connected clients. For the transaction that ends their grants, once they are marked. */
export async function cancelApprovalsOfClients(
  ctx: Pick<Ctx, "db" | "workspaceId">,
  grantIds: readonly string[],
): Promise<void> {
  if (grantIds.length > 0) await cancel(ctx, grantIds, "The client was disconnected.");
}

async function cancel(ctx: Pick<Ctx, "db" | "workspaceId">, askers: readonly string[], reason: string): Promise<void> {
  await lock(ctx.db, "approvals", askers);
  await removeRulesOf(ctx.db, askers);
  if ((await cancelPending(ctx.db, askers, reason)) > 0) tellApprovals(ctx);
}

/** Empties every change that mentions one of these identifiers, and cancels those that wait. */
export async function forgetInApprovals(
  ctx: Pick<Ctx, "db" | "workspaceId">,
  identifiers: readonly string[],
): Promise<void> {
  if ((await forgetMentions(ctx.db, identifiers, "The person it was about was erased.")) > 0) tellApprovals(ctx);
}

/** Decided changes are kept so long. */
const KEEP_DAYS = 90;
const BATCH = 500;

/** Ends some of what no one decided in time, and removes some of what was decided long ago; true while there is more. */
export const sweepApprovals = (workspaceId: WorkspaceId): Promise<boolean> =>
  withWorkspace(workspaceId, async (db) => {
    const expired = await expireOverdue(db, BATCH);
    const removed = await removeDecided(db, KEEP_DAYS, BATCH);
    if (expired > 0) tellApprovals({ db, workspaceId });
    return expired === BATCH || removed === BATCH;
  });
