import type { Named } from "#lib/domain/entities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";

/**
 * Which of these identifiers belong to people who were erased and are not to be created again, as `<kind> <value>`. Their
 * rows are skipped. None yet: erasure leaves nothing by which an identifier could be known again.
 */
export const erasedAmong = async (_ctx: Ctx, _named: readonly Named[]): Promise<ReadonlySet<string>> => new Set();

/**
 * Called with the people of each batch, in the transaction that imports them, so that a lead list can take them in.
 * Nothing yet: an import has no list.
 */
export const afterBatch = async (_ctx: Ctx, _importId: string, _peopleIds: readonly string[]): Promise<void> =>
  undefined;
