import { sql } from "#lib/db/statement.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { type BlockRow, type Chain, COLUMNS, type EntryOfLog, removeBlocksTo, sealedOf } from "./blocks.ts";

/**
 * Where tenants are spread over several machines: each counts its own transactions, and what two of them wrote together is seen a moment
 * after its number has passed. So an entry may come late, and no place in an order says which entries a block has: it has those
 * that it names. Whether an entry is in one is looked for in the blocks of this time before the last: an entry that comes later than that
 * shows as one that was added.
 */
const LATE_MS = DAY_MS;

const since = (last: BlockRow | null): Date => (last ? new Date(last.latestAt.getTime() - LATE_MS) : new Date(0));

const SEALED = `EXISTS (SELECT FROM audit_blocks b WHERE b.workspace_id = $workspace AND b.latest_at >= $1::timestamptz AND e.id = ANY (b.entry_ids))`;
const UNSEALED = `FROM audit_log e WHERE e.workspace_id = $workspace AND e.at >= $1::timestamptz AND NOT ${SEALED}`;

// audit_log_workspace_id_at_id_idx, audit_blocks_pkey
const unsealed = sql("audit_unsealed_by_id", `SELECT ${COLUMNS} ${UNSEALED} ORDER BY e.at, e.id LIMIT $2`);
// audit_log_workspace_id_at_id_idx, audit_blocks_pkey
const remaining = sql("audit_unsealed_by_id_count", `SELECT count(*)::int AS count ${UNSEALED}`);

// audit_log_workspace_id_at_id_idx, audit_blocks_pkey: the command that verifies the chain reads all of it in any case
const added = sql(
  "audit_added_by_id",
  `SELECT e.id FROM audit_log e WHERE e.workspace_id = $workspace AND e.at < $1::timestamptz AND e.id NOT IN (
     SELECT unnest(b.entry_ids) FROM audit_blocks b WHERE b.workspace_id = $workspace)
   ORDER BY e.at, e.id LIMIT 1`,
);

const NOWHERE = { reachesIn: -1n, reachesId: "00000000-0000-0000-0000-000000000000" };

export const byId: Chain = {
  async findUnsealed(db, newest, limit) {
    const rows = await db.query<EntryOfLog>(unsealed, [since(newest), limit]);
    return { entries: rows.map(sealedOf), reaches: rows.length > 0 ? NOWHERE : null };
  },
  countUnsealed: async (db, newest) => (await db.query<{ count: number }>(remaining, [since(newest)]))[0]?.count ?? 0,
  async findEntriesOf(db, { entryIds }) {
    const rows = await db.prisma.auditEntry.findMany({ where: { id: { in: [...entryIds] } } });
    const entries = rows.map(({ workspaceId: workspace_id, requestId: request_id, detail, ...entry }) =>
      sealedOf({
        ...{ ...entry, workspace_id, request_id },
        ...{ detail: detail as EntryOfLog["detail"], writtenIn: String(entry.writtenIn) },
      }),
    );
    const byEntryId = new Map(entries.map((entry) => [entry.id, entry]));
    return entryIds.flatMap((id) => byEntryId.get(id) ?? []); // in the order of their hashes
  },
  findAdded: async (db, newest) => (await db.query<{ id: string }>(added, [since(newest)]))[0]?.id ?? null,
  async removeBlocks(db, { number }) {
    const blocks = await db.prisma.auditBlock.findMany({
      where: { number: { lte: number } },
      select: { entryIds: true },
    });
    const ids = blocks.flatMap(({ entryIds }) => entryIds);
    const { count } = await db.prisma.auditEntry.deleteMany({ where: { id: { in: ids } } });
    await removeBlocksTo(db, number);
    return count;
  },
};
