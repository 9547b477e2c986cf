import type { WorkspaceId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { jobKind } from "#lib/jobs/queue.ts";
import type { StepResult } from "#lib/jobs/resumable.ts";
import { type BlockRow, findLastBlock, insertBlock, lockChain } from "../queries/blocks.ts";
import { chainBehind } from "../queries/chain.ts";
import { BEGINNING, digestsOf, hashOf } from "../rules.ts";

/** Seals what was written a moment ago, and sends it where the operator wants it. */
export const sealing = jobKind("audit:seal", {
  label: "Sealing the audit log",
  ids: [],
  queue: "audit",
  once: true,
  gatherMs: 5_000,
  priority: 5,
});

/** The entries of a block at most. */
const MOST = 200;
/** After so long an older transaction may have ended that entries wait for. */
const AGAIN_MS = 5_000;

const operation = "sealing the audit log";

/**
 * Seals the next entries into a block. Those whose transaction began after one that is still running are left for the next time, so
 * that none can come before what is sealed. Where tenants are spread over several machines there is no such order: those that are seen
 * are sealed, and what comes late with the next block.
 */
export async function sealNext(workspaceId: WorkspaceId): Promise<StepResult> {
  const count = async (db: Db, last: BlockRow | null) => chainBehind(last).countUnsealed(db, last);
  const unsealed = await withWorkspace(workspaceId, async (db) => count(db, await findLastBlock(db)), {
    ...{ readOnly: true, operation },
  });
  if (unsealed === 0) return "done";
  return withWorkspace(
    workspaceId,
    async (db) => {
      await lockChain(db);
      const last = await findLastBlock(db);
      const { entries, reaches } = await chainBehind(last).findUnsealed(db, last, MOST);
      if (reaches) {
        const previous = last?.hash ?? BEGINNING;
        const digests = digestsOf(entries);
        await insertBlock(db, {
          ...reaches,
          number: (last?.number ?? 0) + 1,
          entryIds: entries.map(({ id }) => id),
          digests,
          previous,
          hash: hashOf(previous, digests),
          latestAt: new Date(Math.max(...entries.map(({ at }) => Date.parse(at)))),
        });
      }
      if (entries.length === MOST) return "more";
      return (await count(db, await findLastBlock(db))) > 0 ? { waitMs: AGAIN_MS } : "done";
    },
    { operation },
  );
}
