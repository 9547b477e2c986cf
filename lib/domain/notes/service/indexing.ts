import type { Db } from "#lib/db/transaction.ts";
import { addNames } from "../queries/names.ts";
import {
  countPending,
  findPending,
  insertParts,
  insertRemainder,
  moveRemainder,
  type NewPart,
  numberParts,
  type PartOwner,
  takeRemainder,
} from "../queries/parts.ts";
import { findTotals, mergeEntries, setTotals, tryMergeLock } from "../queries/terms.ts";
import { type Entry, packEntries } from "../rules/entries.ts";
import { indexPart, readPart, readTerms, writeTerms } from "../rules/parts.ts";
import { findLexemes } from "./lexemes.ts";

/** Time a save may spend on reading a note's words, in milliseconds; what is left of a very long note is read later. */
const READING_MS = 40;

/** Parts that wait before they are merged into the postings. Search reads those that wait one by one. */
const WAITING = 64;

/** Terms a merge may write; bounds the time of the one save that merges. */
const MERGED_TERMS = 12_000;

/** Makes a note findable, in the transaction that saves it. */
export async function indexNote(db: Db, note: PartOwner & { content: string; title: string | null }): Promise<void> {
  const { parts, rest } = await readParts(db, note.content, { part: 0, position: 0 }, note.title);
  await insertParts(db, note, parts);
  if (rest) await insertRemainder(db, note.id, rest.part, rest.position);
  await addNames(db, note.entityId);
  const waiting = await countPending(db, WAITING);
  if (waiting.parts >= WAITING) await mergePending(db);
}

/**
 * Brings the index up to date, a bounded step at a time: reads on in a very long note, and merges parts that wait.
 * Returns false when nothing was left to do.
 */
export async function tidyIndex(db: Db): Promise<boolean> {
  const waiting = await countPending(db, WAITING);
  if (waiting.unread) await readOn(db);
  if (waiting.parts >= WAITING) await mergePending(db);
  return waiting.unread || waiting.parts >= WAITING;
}

async function readOn(db: Db): Promise<void> {
  const note = await takeRemainder(db);
  if (!note) return;
  const { parts, rest } = await readParts(db, note.content, note, null);
  await insertParts(db, note, parts);
  await moveRemainder(db, note.id, rest);
}

type Place = { part: number; position: number };

/** Reads parts until the end or until the time is spent; at least one. */
async function readParts(
  db: Db,
  content: string,
  from: Place,
  title: string | null,
): Promise<{ parts: NewPart[]; rest: Place | null }> {
  const started = performance.now();
  const parts: NewPart[] = [];
  let place: Place | null = from;
  let codePoints = countCodePoints(content, from.position);
  while (place && (parts.length === 0 || performance.now() - started < READING_MS)) {
    const { part, position }: Place = place;
    const read = readPart(content, { position, codePoints }, part === 0 ? title : null);
    const lexemes = await findLexemes(db, new Set(read.sentences.flatMap(({ forms }) => forms)));
    const { words, length, terms } = indexPart(read, lexemes);
    parts.push({ part, words, length, pending: writeTerms(terms) });
    if (read.next !== null) codePoints += countCodePoints(content.slice(position, read.next));
    place = read.next === null ? null : { part: part + 1, position: read.next };
  }
  return { parts, rest: place };
}

function countCodePoints(text: string, end = text.length): number {
  let count = end;
  for (let at = 0; at < end; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count--;
  return count;
}

/** Moves waiting parts into the postings, oldest first, unless another transaction is at it. */
export async function mergePending(db: Db, most = WAITING): Promise<number> {
  if (!(await tryMergeLock(db))) return 0;
  const [totals, waiting] = await Promise.all([findTotals(db), findPending(db, most)]);
  const entries = new Map<string, Entry[]>();
  const numbered: { noteId: string; part: number; number: number }[] = [];
  let { nextNumber: number, length: total } = totals;
  let written = 0;
  for (const { noteId, part, type, length, pending } of waiting) {
    const terms = readTerms(pending);
    if (numbered.length > 0 && written + terms.length > MERGED_TERMS) break;
    written += terms.length;
    for (const [term, count] of terms) {
      const list = entries.get(term);
      if (list) list.push({ number, count, type, length });
      else entries.set(term, [{ number, count, type, length }]);
    }
    numbered.push({ noteId, part, number });
    number++;
    total += length;
  }
  if (numbered.length === 0) return 0;
  const added = [...entries].map(([term, list]) => ({ term, parts: list.length, entries: packEntries(list) }));
  await Promise.all([
    mergeEntries(db, added),
    numberParts(db, numbered),
    setTotals(db, { nextNumber: number, parts: totals.parts + numbered.length, length: total }),
  ]);
  return numbered.length;
}
