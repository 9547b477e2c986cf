import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

/** Some notes, or all of some entities. */
export type NotesToErase = { noteIds: readonly string[] } | { entityIds: readonly string[] };

const meant = (erased: NotesToErase) =>
  "noteIds" in erased ? { id: { in: [...erased.noteIds] } } : { entityId: { in: [...erased.entityIds] } };

export const findContents = (db: Db, erased: NotesToErase): Promise<{ title: string | null; content: string }[]> =>
  db.prisma.note.findMany({ where: meant(erased), select: { title: true, content: true } });

export const findPartsOf = (db: Db, erased: NotesToErase): Promise<{ number: number | null; length: number }[]> =>
  db.prisma.notePart.findMany({ where: { note: meant(erased) }, select: { number: true, length: true } });

/** The index rows go with their notes. Only within `withErasure`: the database refuses it elsewhere. */
export async function deleteNotes(db: Db, erased: NotesToErase): Promise<void> {
  await db.prisma.note.deleteMany({ where: meant(erased) });
}

// note_terms_pkey, note_postings_pkey
const entriesOf = sql(
  "note_entries_of_terms",
  `SELECT term, NULL::int AS block, entries FROM note_terms WHERE workspace_id = $workspace AND term = ANY($1::text[])
   UNION ALL SELECT term, block, entries FROM note_postings WHERE workspace_id = $workspace AND term = ANY($1::text[])`,
);

/** Entries of a term: a closed block, or the latest ones when `block` is null. */
export type Block = { term: string; block: number | null; entries: Buffer };

export const findBlocks = (db: Db, terms: readonly string[]): Promise<Block[]> => db.query<Block>(entriesOf, [terms]);

const rewriteLatest = sql(
  "note_terms_rewrite",
  `UPDATE note_terms t SET entries = r.entries FROM unnest($1::text[], $2::bytea[]) AS r(term, entries)
   WHERE t.workspace_id = $workspace AND t.term = r.term`,
);
const rewriteClosed = sql(
  "note_postings_rewrite",
  `UPDATE note_postings p SET entries = r.entries FROM unnest($1::text[], $2::int[], $3::bytea[]) AS r(term, block, entries)
   WHERE p.workspace_id = $workspace AND p.term = r.term AND p.block = r.block`,
);

/** Writes blocks back. The caller holds the merge lock. */
export async function rewriteBlocks(db: Db, blocks: readonly Block[]): Promise<void> {
  const latest = blocks.filter(({ block }) => block === null);
  const closed = blocks.filter(({ block }) => block !== null);
  const terms = (some: readonly Block[]) => some.map(({ term }) => term);
  const entries = (some: readonly Block[]) => some.map((block) => block.entries);
  await db.query(rewriteLatest, [terms(latest), entries(latest)]);
  await db.query(rewriteClosed, [terms(closed), closed.map(({ block }) => block), entries(closed)]);
}

const discount = sql(
  "note_terms_discount",
  `UPDATE note_terms t SET parts = t.parts - d.parts FROM unnest($1::text[], $2::int[]) AS d(term, parts)
   WHERE t.workspace_id = $workspace AND t.term = d.term`,
);
const forget = sql(
  "note_terms_forget",
  "DELETE FROM note_terms WHERE workspace_id = $workspace AND term = ANY($1::text[]) AND parts <= 0",
);

/** Lowers the part counts of terms, and deletes terms that no part contains any more. */
export async function discountTerms(db: Db, fewer: ReadonlyMap<string, number>): Promise<void> {
  await db.query(discount, [[...fewer.keys()], [...fewer.values()]]);
  await db.query(forget, [[...fewer.keys()]]);
}
