import { createHash } from "node:crypto";
import { canonicalJson } from "#lib/core/json.ts";

/** An entry as it is sealed and sent: all of it, as JSON. */
export type SealedEntry = {
  workspace_id: string;
  id: string;
  at: string;
  actor: string;
  client: string | null;
  request_id: string | null;
  ip: string | null;
  action: string;
  subject: string | null;
  detail: Readonly<Record<string, unknown>>;
};

const BYTES = 32;

/** The hash that the first block follows. */
export const BEGINNING = Buffer.alloc(BYTES);

const digestOf = (entry: SealedEntry): Buffer => createHash("sha256").update(canonicalJson(entry)).digest();

/** The SHA-256 of the canonical JSON of each entry, one after the other. */
export const digestsOf = (entries: readonly SealedEntry[]): Buffer => Buffer.concat(entries.map(digestOf));

/** The hash of a block: of the block before it, then of its entries. */
export const hashOf = (previous: Uint8Array, digests: Uint8Array): Buffer =>
  createHash("sha256").update(previous).update(digests).digest();

export type Block = {
  number: number;
  entryIds: readonly string[];
  digests: Uint8Array;
  previous: Uint8Array;
  hash: Uint8Array;
};

/** The first thing that is wrong, in a sentence, and the block and entry it is about. */
export type Problem = { block: number; entry_id: string | null; what: string };

/** What is wrong with the place of a block behind another; null for the first that is kept. `since`: with which block the log begins. */
export function wrongPlace(block: Block, before: Block | null, since: number): Problem | null {
  const problem = (what: string): Problem => ({ block: block.number, entry_id: null, what });
  const expected = before ? before.number + 1 : since;
  if (block.number !== expected) {
    const last = block.number - 1;
    return problem(
      expected < last ? `The blocks ${expected} to ${last} are missing.` : `The block ${expected} is missing.`,
    );
  }
  const previous = before ? before.hash : block.number === 1 ? BEGINNING : block.previous;
  return Buffer.compare(block.previous, previous) === 0
    ? null
    : problem(`Block ${block.number} does not follow the block before it: one of the two was changed.`);
}

/** What is wrong with a block; null when it has the hash of its entries, and they are what it sealed. `entries`: all in its range. */
export function wrongWithin(block: Block, entries: readonly SealedEntry[]): Problem | null {
  const problem = (entry_id: string | null, what: string): Problem => ({ block: block.number, entry_id, what });
  const digests = Buffer.from(block.digests);
  const isWhole = digests.length === block.entryIds.length * BYTES;
  if (!isWhole || Buffer.compare(hashOf(block.previous, digests), block.hash) !== 0)
    return problem(null, `Block ${block.number} was changed: it does not have its own hash.`);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (const [index, id] of block.entryIds.entries()) {
    const entry = byId.get(id);
    byId.delete(id);
    if (!entry) return problem(id, `Entry ${id} of block ${block.number} is missing.`);
    if (!digestOf(entry).equals(digests.subarray(index * BYTES, (index + 1) * BYTES)))
      return problem(id, `Entry ${id} of block ${block.number} was changed.`);
  }
  const [extra] = byId.keys();
  return extra === undefined ? null : addedBehind(block, extra);
}

export const addedBehind = ({ number }: Pick<Block, "number">, id: string): Problem => ({
  block: number,
  entry_id: id,
  what: `Entry ${id} was added behind the time of block ${number}.`,
});
