import type { Ctx } from "#lib/domain/implement.ts";
import { findByIdentifiers, identifierKey, type Named } from "#lib/domain/records/entities/service.ts";
import { findErased } from "#lib/domain/records/tombstones/service.ts";

/**
 * Which of these identifiers belong to people who were erased and were not created again on purpose, by `identifierKey`.
 * Their rows are skipped.
 */
export async function erasedAmong(ctx: Ctx, named: readonly Named[]): Promise<ReadonlySet<string>> {
  const erased = await findErased(ctx, named);
  if (erased.length === 0) return new Set();
  const there = new Set((await findByIdentifiers(ctx.db, erased)).map(identifierKey));
  return new Set(erased.map(identifierKey).filter((key) => !there.has(key)));
}
