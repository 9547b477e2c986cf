import { findByIdentifiers, type Named } from "#lib/domain/entities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { findErased } from "#lib/domain/tombstones/service.ts";

const keyOf = ({ kind, value }: Named): string => `${kind} ${value}`;

/**
 * Which of these identifiers belong to people who were erased and were not created again on purpose, as `<kind> <value>`.
 * Their rows are skipped.
 */
export async function erasedAmong(ctx: Ctx, named: readonly Named[]): Promise<ReadonlySet<string>> {
  const erased = await findErased(ctx, named);
  if (erased.length === 0) return new Set();
  const there = new Set((await findByIdentifiers(ctx.db, erased)).map(keyOf));
  return new Set(erased.map(keyOf).filter((key) => !there.has(key)));
}
