import type { Db } from "#lib/db/handle.ts";
import { lock } from "#lib/db/locks.ts";
import { sql } from "#lib/db/statement.ts";
import { formatTime } from "#lib/text/time.ts";
import type { Block, SealedEntry } from "../rules.ts";

/** Where an entry is in the order in which they are sealed. */
type Place = { reachesIn: bigint; reachesId: string };

/** False for a block of a chain that names its entries (`blocks-by-id.ts`). */
export const hasPlace = ({ reachesIn }: Place): boolean => reachesIn >= 0n;

const START: Place = { reachesIn: -1n, reachesId: "00000000-0000-0000-0000-000000000000" };

export type BlockRow = Block & Place & { latestAt: Date; sealedAt: Date };

export const lockChain = (db: Db): Promise<void> => lock(db, "auditChain");

/** The last block; null when nothing was sealed. */
export const findLastBlock = (db: Db): Promise<BlockRow | null> =>
  db.prisma.auditBlock.findFirst({ omit: { workspaceId: true }, orderBy: { number: "desc" } });

/** The blocks behind a number, in order. */
export const findBlocksAfter = (db: Db, number: number, limit: number): Promise<BlockRow[]> =>
  db.prisma.auditBlock.findMany({
    where: { number: { gt: number } },
    omit: { workspaceId: true },
    orderBy: { number: "asc" },
    take: limit,
  });

/** How the entries of blocks are found, and those that are in none yet. */
export type Chain = {
  /** Those that go into the next block, in order, and how far it reaches; null for none. */
  findUnsealed(
    db: Db,
    last: BlockRow | null,
    limit: number,
  ): Promise<{ entries: SealedEntry[]; reaches: Place | null }>;
  /** How many are in no block yet, those too that cannot be sealed yet. */
  countUnsealed(db: Db, last: BlockRow | null): Promise<number>;
  /** What a block should have sealed. */
  findEntriesOf(db: Db, block: BlockRow, before: BlockRow | null): Promise<SealedEntry[]>;
  /** An entry that is in no block and can come into none any more, beside those that `findEntriesOf` gives; null for none. */
  findAdded(db: Db, newest: BlockRow): Promise<string | null>;
  /** Removes the blocks up to one with their entries; returns how many entries. Only where append-only tables let delete. */
  removeBlocks(db: Db, block: BlockRow): Promise<number>;
};

export type EntryOfLog = Omit<SealedEntry, "at"> & { at: Date; writtenIn: string };

export const COLUMNS = `workspace_id, id, at, actor, client, request_id, ip, action, subject, detail, written_in::text AS "writtenIn"`;

export const sealedOf = ({ writtenIn: _, at, ...entry }: EntryOfLog): SealedEntry => ({ ...entry, at: formatTime(at) });

// audit_log_written_idx. Final: no transaction that is as old can still commit (`changes/queries.ts`).
const unsealed = sql(
  "audit_unsealed",
  `SELECT ${COLUMNS} FROM audit_log WHERE workspace_id = $workspace AND (written_in, id) > ($1::bigint, $2::uuid) AND written_in < rapport_settled()
   ORDER BY written_in, id LIMIT $3`,
);

/** The entries behind a place that are final, in order, and the place of the last one. */
async function findUnsealed(db: Db, { reachesIn, reachesId }: Place, limit: number) {
  const rows = await db.query<EntryOfLog>(unsealed, [reachesIn.toString(), reachesId, limit]);
  const last = rows.at(-1);
  const reaches: Place | null = last ? { reachesIn: BigInt(last.writtenIn), reachesId: last.id } : null;
  return { entries: rows.map(sealedOf), reaches };
}

// audit_log_written_idx
const remaining = sql(
  "audit_unsealed_count",
  `SELECT count(*)::int AS count FROM audit_log WHERE workspace_id = $workspace AND (written_in, id) > ($1::bigint, $2::uuid)`,
);

/** How many entries are behind a place, final or not. */
const countUnsealed = async (db: Db, { reachesIn, reachesId }: Place): Promise<number> =>
  (await db.query<{ count: number }>(remaining, [reachesIn.toString(), reachesId]))[0]?.count ?? 0;

// audit_log_written_idx
const within = sql(
  "audit_entries_of_block",
  `SELECT ${COLUMNS} FROM audit_log WHERE workspace_id = $workspace AND (written_in, id) > ($1::bigint, $2::uuid) AND (written_in, id) <= ($3::bigint, $4::uuid)
   ORDER BY written_in, id`,
);

/** Every entry behind a place up to another. */
const findWithin = async (db: Db, from: Place, to: Place): Promise<SealedEntry[]> =>
  (
    await db.query<EntryOfLog>(within, [
      from.reachesIn.toString(),
      from.reachesId,
      to.reachesIn.toString(),
      to.reachesId,
    ])
  ).map(sealedOf);

export const insertBlock = async (
  db: Db,
  { entryIds, digests, previous, hash, ...block }: Omit<BlockRow, "sealedAt">,
) => {
  const bytes = { digests: Buffer.from(digests), previous: Buffer.from(previous), hash: Buffer.from(hash) };
  await db.prisma.auditBlock.create({
    data: { ...block, ...bytes, entryIds: [...entryIds] },
    select: { number: true },
  });
};

// audit_log_written_idx, and audit_blocks_pkey
const removeEntries = sql(
  "audit_entries_remove",
  `DELETE FROM audit_log WHERE workspace_id = $workspace AND (written_in, id) <= ($1::bigint, $2::uuid) RETURNING id`,
);

/**
 * By the order of the transactions that wrote them. A block seals every entry between its place and that of the block before, so one
 * that is added there later shows.
 */
export const byPlace: Chain = {
  findUnsealed: (db, last, limit) => findUnsealed(db, last ?? START, limit),
  countUnsealed: (db, last) => countUnsealed(db, last ?? START),
  findEntriesOf: (db, block, before) => findWithin(db, before ?? START, block),
  findAdded: async () => null,
  async removeBlocks(db, { number, reachesIn, reachesId }) {
    const removed = await db.query(removeEntries, [reachesIn.toString(), reachesId]);
    await removeBlocksTo(db, number);
    return removed.length;
  },
};

export async function removeBlocksTo(db: Db, number: number): Promise<void> {
  await db.prisma.auditBlock.deleteMany({ where: { number: { lte: number } } });
}
