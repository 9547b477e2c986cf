import type { Ctx } from "#lib/domain/implement.ts";
import { followIcpScores, giveLeads, markLike } from "../queries/changes.ts";

/** The leads of a person follow into the record they were merged into. The caller holds both. */
export async function followMerge(ctx: Ctx, keepId: string, dropId: string): Promise<void> {
  await giveLeads(ctx.db, dropId, keepId, null);
  await markLike(ctx.db, keepId, dropId);
  await followIcpScores(ctx.db, [keepId]);
}

/** The leads of a person whose merge is undone return to them. The caller holds both. */
export async function followUnmerge(
  ctx: Ctx,
  keepId: string,
  dropId: string,
  followers: readonly string[],
): Promise<void> {
  await giveLeads(ctx.db, keepId, dropId, [dropId, ...followers]);
  await followIcpScores(ctx.db, [keepId, dropId]);
}
