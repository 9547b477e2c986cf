import type { Db } from "#lib/db/handle.ts";
import {
  deleteNotes,
  discountTerms,
  findBlocks,
  findContents,
  findPartsOf,
  type NotesToErase,
  rewriteBlocks,
} from "../queries/erase.ts";
import { findTotals, setTotals, waitMergeLock } from "../queries/terms.ts";
import { ENTRY, withoutNumbers } from "../rules/entries.ts";
import { readPart } from "../rules/parts.ts";
import { findLexemes } from "./lexemes.ts";

/**
 * The privacy operation on notes, within `withErasure`: removes all notes of some entities (a person with what was
 * merged into it), and every trace of them in the search index, including words that only they had.
 */
export const eraseNotes = (db: Db, entityIds: readonly string[]): Promise<void> => erase(db, { entityIds });

/** As `eraseNotes`, for single notes: those of an import that is undone. */
export async function eraseNoteIds(db: Db, noteIds: readonly string[]): Promise<void> {
  if (noteIds.length > 0) await erase(db, { noteIds });
}

async function erase(db: Db, erased: NotesToErase): Promise<void> {
  await waitMergeLock(db);
  await unindex(db, erased);
  await deleteNotes(db, erased);
}

/** Takes notes out of the search index. The caller holds the merge lock. */
async function unindex(db: Db, erased: NotesToErase): Promise<void> {
  const merged = (await findPartsOf(db, erased)).filter(({ number }) => number !== null);
  const numbers = new Set(merged.map(({ number }) => number as number));
  if (numbers.size > 0) {
    const fewer = new Map<string, number>();
    const blocks = (await findBlocks(db, await termsOf(db, await findContents(db, erased)))).flatMap((block) => {
      const entries = withoutNumbers(block.entries, numbers);
      const removed = (block.entries.length - entries.length) / ENTRY;
      fewer.set(block.term, (fewer.get(block.term) ?? 0) + removed);
      return removed === 0 ? [] : [{ ...block, entries }];
    });
    await rewriteBlocks(db, blocks);
    await discountTerms(db, fewer);
    const totals = await findTotals(db);
    const length = merged.reduce((sum, part) => sum - part.length, totals.length);
    await setTotals(db, { ...totals, parts: totals.parts - numbers.size, length });
  }
}

/** Every term of the notes, read again from their contents: the index itself keeps only hashes. */
async function termsOf(db: Db, contents: readonly { title: string | null; content: string }[]): Promise<string[]> {
  const forms = new Set<string>();
  for (const { title, content } of contents) {
    for (let position: number | null = 0; position !== null; ) {
      const read = readPart(content, { position, codePoints: 0 }, position === 0 ? title : null);
      for (const sentence of read.sentences) for (const form of sentence.forms) forms.add(form);
      position = read.next;
    }
  }
  const lexemes = await findLexemes(db, forms);
  return [...new Set([...forms].flatMap((form) => lexemes.get(form)?.term ?? []))];
}
