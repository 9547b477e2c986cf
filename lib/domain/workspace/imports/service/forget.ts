import type { Ctx } from "#lib/domain/implement.ts";
import { blankRows, dropFiles, findBatchesNaming, forgetRetired, rowsNaming } from "../queries/forget.ts";

/**
 * Takes erased people out of the imports: their rows of the kept files, the results of those rows, and evidence of imports
 * that were undone. `ids` includes what was merged into them, `names` their identifiers. The transaction must be one of
 * erasure.
 */
export async function forgetInImports(ctx: Ctx, ids: readonly string[], names: readonly string[]): Promise<void> {
  const texts = [...new Set(names.flatMap(searched))];
  const entities = new Set(ids);
  for (const batch of await findBatchesNaming(ctx.db, ids, texts)) {
    const places = rowsNaming(batch, ids, texts);
    for (const place of places.entityIds) entities.add(place);
    await blankRows(ctx.db, batch, places.rows);
  }
  await dropFiles(ctx.db);
  await forgetRetired(ctx.db, [...entities]);
}

/** What a file says for an identifier: an address as it is, of a profile only its last part. */
function searched(name: string): string[] {
  const [, slug] = /linkedin\.com\/(?:in|company)\/(.+)$/.exec(name) ?? [];
  if (slug === undefined) return name.includes("@") ? [name.toLowerCase()] : [];
  const plain = decodeURIComponent(slug).toLowerCase();
  return [...new Set([`/in/${slug.toLowerCase()}`, `/in/${plain}`])];
}
