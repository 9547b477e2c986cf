import { Fault } from "#lib/core/errors.ts";
import { together } from "#lib/core/together.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import {
  type EntityRow,
  findEntities,
  findIdentifiersEver,
  holdsIdentifiers,
  type Identifier,
  lockIdentifiers,
  withEmployers,
} from "#lib/domain/records/entities/service.ts";
import { holdsEntities, lockEntities } from "#lib/domain/records/evidence/service.ts";
import { findEmployeeIds } from "../queries/employers.ts";

type Standing = ReadonlyMap<string, EntityRow>;

/**
 * Locks entities and returns, by the given ids, what they are now: one that was merged while this waited becomes what
 * it was merged into. Throws 404 `entity_not_found` when one is gone.
 */
export async function holdEntities(ctx: Ctx, ids: readonly string[]): Promise<Standing> {
  const standing = await holdStanding(ctx, ids);
  if (ids.some((id) => !standing.has(id))) throw new Fault("entity_not_found");
  return standing;
}

/** As `holdEntities`; those that are gone are left out. */
export async function holdStanding(ctx: Ctx, ids: readonly string[]): Promise<Standing> {
  for (let wanted = ids; ; ) {
    const [, standing] = await together([lockEntities(ctx.db, wanted), findEntities(ctx.db, ids)]);
    wanted = [...standing.values()].map(({ id }) => id);
    if (holdsEntities(ctx.db, wanted)) return standing;
  }
}

/**
 * Locks identifiers, with the domains of the companies that they name: what is read about them afterwards stays so until this
 * transaction ends.
 */
export const holdIdentifiers = (ctx: Ctx, named: readonly Identifier[]): Promise<void> =>
  lockIdentifiers(ctx.db, withEmployers(named));

/**
 * As `holdStanding`, for what moves or removes entities: makes this transaction the only writer about who has their
 * identifiers too, also those of the past, and about the people of companies among them, who are shown with these. Callers that
 * create or complete one of the entities wait, and then read it as it is now.
 */
export async function holdWhole(ctx: Ctx, ids: readonly string[]): Promise<Standing> {
  for (let whole = ids; ; ) {
    const [standing, names, employees] = await together([
      findEntities(ctx.db, ids),
      findIdentifiersEver(ctx.db, whole),
      findEmployeeIds(ctx.db, whole),
    ]);
    const others = [...standing.values()].map(({ id }) => id).filter((id) => !whole.includes(id));
    const entities = [...whole, ...others, ...employees];
    if (others.length === 0 && holdsIdentifiers(ctx.db, names) && holdsEntities(ctx.db, entities)) return standing;
    await together([lockIdentifiers(ctx.db, names), lockEntities(ctx.db, entities)]);
    whole = [...whole, ...others];
  }
}
