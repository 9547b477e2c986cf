import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { withErasure } from "#lib/db/transaction.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { DAY_MS, formatTime } from "#lib/text/time.ts";
import { findBlocksAfter, findLastBlock, lockChain } from "../queries/blocks.ts";
import { chainBehind } from "../queries/chain.ts";
import { TRIMMED } from "../queries/entries.ts";
import { findPush } from "../queries/pushes.ts";
import { recordAudit } from "./entries.ts";

/** Blocks that are removed at once. */
const MOST = 20;

/**
 * Removes the oldest blocks whose entries are all older than AUDIT_RETENTION_DAYS, with these entries, and notes from which block on
 * the log is kept. True while there is more. The last block stays, so that the chain goes on; so does what is still to be sent.
 */
export async function trimLog(workspaceId: WorkspaceId, now = new Date()): Promise<boolean> {
  const { AUDIT_RETENTION_DAYS: days, AUDIT_PUSH_URL: pushUrl } = getBoot().env;
  if (days === undefined) return false;
  const before = new Date(now.getTime() - days * DAY_MS);
  return withErasure(
    workspaceId,
    async (db) => {
      await lockChain(db);
      const sent = pushUrl === undefined ? null : ((await findPush(db))?.number ?? 0);
      const blocks = await findBlocksAfter(db, 0, MOST + 1);
      const isKept = blocks.map(({ number, latestAt }) => latestAt >= before || (sent !== null && number > sent));
      const count = Math.min(isKept.includes(true) ? isKept.indexOf(true) : MOST, blocks.length - 1);
      const last = blocks[count - 1];
      if (!last) return false;
      const entries = await chainBehind(await findLastBlock(db)).removeBlocks(db, last);
      const by = {
        db,
        workspaceId,
        actor: { type: "job", id: "retention" } as const,
        client: null,
        requestId: newId(),
      };
      await recordAudit(by, TRIMMED, null, { entries, before: formatTime(before), kept_from: last.number + 1 });
      return count === MOST;
    },
    { operation: "removing old entries of the audit log" },
  );
}
