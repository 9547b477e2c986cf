import { Fault } from "#lib/core/errors.ts";
import { type EntityRow, findEntities } from "#lib/domain/entities/service.ts";
import { lockEntities, lockEntitiesLate } from "#lib/domain/evidence/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";

/**
 * Locks entities and returns, by the given ids, what they are now: one that was merged while this waited becomes what
 * it was merged into. Throws 404 `entity_not_found` when one is gone.
 */
export async function holdEntities(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, EntityRow>> {
  const standing = await holdStanding(ctx, ids);
  if (ids.some((id) => !standing.has(id))) throw new Fault("entity_not_found");
  return standing;
}

/** As `holdEntities`; those that are gone are left out. */
export async function holdStanding(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, EntityRow>> {
  await lockEntities(ctx.db, ids);
  const standing = await findEntities(ctx.db, ids);
  const kept = [...standing.values()].map(({ id }) => id).filter((id) => !ids.includes(id));
  await lockEntitiesLate(ctx.db, kept);
  return standing;
}
