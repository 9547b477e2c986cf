import { together } from "#lib/core/together.ts";
import { giveTurn } from "#lib/core/turns.ts";
import type { Db } from "#lib/db/handle.ts";
import { addNames } from "../queries/names.ts";
import {
  countPending,
  dropParts,
  findPending,
  insertParts,
  insertRemainder,
  moveRemainder,
  type NewPart,
  numberParts,
  type PartOwner,
  takeRemainder,
  type Waiting,
} from "../queries/parts.ts";
import { findTotals, mergeEntries, setTotals, tryMergeLock, waitMergeLock } from "../queries/terms.ts";
import { dropVectors } from "../queries/vectors.ts";
import { type Entry, packEntries } from "../rules/entries.ts";
import { indexPart, readPart, readTerms, writeTerms } from "../rules/parts.ts";
import { findLexemes } from "./lexemes.ts";

/** Time a save may spend on reading a note's words, in milliseconds; what is left of a very long note is read later. */
const READING_MS = 40;

/** What waits before it is merged into the postings. Search reads what waits part by part. */
const WAITING = { parts: 64, words: 20_000 };

/** What a search may spend on notes that were just saved: in all, on one step of reading, and while no more than this waits. */
const CATCH_UP = { ms: 2000, step: 250, words: 500_000 };

/** Terms a merge may write; bounds the time of the one save that merges. */
const MERGED_TERMS = 12_000;

/** Makes notes findable, in the transaction that saves them. False when one is so long that some of it is read later. */
export async function indexNotes(
  db: Db,
  notes: readonly (PartOwner & { content: string; title: string | null })[],
): Promise<boolean> {
  const [waiting, read] = await together([countPending(db), readNotes(db, notes)]);
  const fresh = read.flatMap(({ parts }) => parts);
  for (const { note, parts, rest } of read) {
    insertParts(db, note, parts);
    if (rest) insertRemainder(db, note.id, rest.part, rest.position);
  }
  for (const entityId of new Set(notes.map(({ entityId }) => entityId))) addNames(db, entityId);
  const isWhole = read.every(({ rest }) => rest === null);
  const parts = waiting.parts + fresh.length;
  const words = fresh.reduce((sum, { length }) => sum + length, waiting.words);
  if (waiting.unread || !isWhole || isDue({ parts, words })) for (const _ of notes) if (!(await tidyIndex(db))) break; // as much as that many saves would do
  return isWhole;
}

async function readNotes<N extends { content: string; title: string | null }>(db: Db, notes: readonly N[]) {
  const read: ({ note: N } & Awaited<ReturnType<typeof readParts>>)[] = [];
  for (const [place, note] of notes.entries()) {
    await giveTurn(place);
    read.push({ note, ...(await readParts(db, note, { part: 0, position: 0 })) });
  }
  return read;
}

/**
 * Takes a note out of the search, in the transaction that corrects it. The postings keep the numbers of its parts, which
 * then lead nowhere, until the index is built again: taking them out would mean to read the whole note.
 */
export async function unindexNote(db: Db, noteId: string): Promise<void> {
  await waitMergeLock(db);
  await dropParts(db, noteId);
  await dropVectors(db, noteId);
}

/**
 * Brings the index up to date by one bounded step: merges parts that wait, or reads on in notes that have not been read
 * to their end. Returns false when nothing was left to do, or another transaction is doing it.
 */
export async function tidyIndex(db: Db): Promise<boolean> {
  const waiting = await countPending(db);
  if (isDue(waiting)) return (await mergePending(db)) > 0;
  return waiting.unread && (await readOn(db));
}

/** Whether there is something to bring up to date. */
export async function isBehind(db: Db): Promise<boolean> {
  const waiting = await countPending(db);
  return waiting.unread || isDue(waiting);
}

/** Before a search: reads very long notes that were just saved to their end, so that their last words are found too. */
export async function catchUp(db: Db): Promise<void> {
  const until = performance.now() + CATCH_UP.ms;
  for (let waiting = await countPending(db); ; waiting = await countPending(db)) {
    const reading = waiting.begun && performance.now() < until;
    if (reading && waiting.words < CATCH_UP.words) {
      if (!(await readOn(db, { ms: CATCH_UP.step, from: 1 }))) return;
    } else if (isDue(waiting)) {
      if ((await mergePending(db)) === 0 || !reading) return;
    } else return;
  }
}

const isDue = ({ parts, words }: Pick<Waiting, "parts" | "words">): boolean =>
  parts >= WAITING.parts || words >= WAITING.words;

/** Reads notes that have not been read to their end, for about this many milliseconds. False when there was none. */
async function readOn(db: Db, { ms, from } = { ms: READING_MS, from: 0 }): Promise<boolean> {
  const until = performance.now() + ms;
  let read = false;
  do {
    const note = await takeRemainder(db, from);
    if (!note) return read;
    const { parts, rest } = await readParts(db, note, note, ms);
    insertParts(db, note, parts);
    await moveRemainder(db, note.id, rest);
    if (note.part === 0) addNames(db, note.entityId);
    read = true;
  } while (performance.now() < until);
  return read;
}

type PartPosition = { part: number; position: number };

/** Reads parts until the end or until the time is spent; at least one. */
async function readParts(
  db: Db,
  { content, title }: { content: string; title: string | null },
  from: PartPosition,
  ms = READING_MS,
): Promise<{ parts: NewPart[]; rest: PartPosition | null }> {
  const started = performance.now();
  const parts: NewPart[] = [];
  let place: PartPosition | null = from;
  let codePoints = countCodePoints(content, from.position);
  while (place && (parts.length === 0 || performance.now() - started < ms)) {
    const { part, position }: PartPosition = place;
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

/** Moves waiting parts into the postings, oldest first, unless another transaction is doing it. */
export async function mergePending(db: Db, most = WAITING.parts): Promise<number> {
  if (!(await tryMergeLock(db))) return 0;
  const [totals, waiting] = await together([findTotals(db), findPending(db, most)]);
  const entries = new Map<string, Entry[]>();
  const numbered: { noteId: string; part: number; number: number }[] = [];
  let { nextNumber: number, length: total } = totals;
  let written = 0;
  for (const { noteId, part, type, date, length, pending } of waiting) {
    const terms = readTerms(pending);
    if (numbered.length > 0 && written + terms.length > MERGED_TERMS) break;
    written += terms.length;
    for (const [term, count] of terms) {
      const list = entries.get(term);
      const entry = { number, date, count, type, length };
      if (list) list.push(entry);
      else entries.set(term, [entry]);
    }
    numbered.push({ noteId, part, number });
    number++;
    total += length;
  }
  if (numbered.length === 0) return 0;
  const added = [...entries].map(([term, list]) => ({ term, parts: list.length, entries: packEntries(list) }));
  await together([
    mergeEntries(db, added),
    numberParts(db, numbered),
    setTotals(db, { nextNumber: number, parts: totals.parts + numbered.length, length: total }),
  ]);
  return numbered.length;
}
