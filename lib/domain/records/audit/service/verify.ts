import type { WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type BlockRow, findBlocksAfter, findLastBlock } from "../queries/blocks.ts";
import { chainBehind } from "../queries/chain.ts";
import { findTrim } from "../queries/entries.ts";
import { addedBehind, type Problem, wrongPlace, wrongWithin } from "../rules.ts";

const AT_ONCE = 20;

export type Finding = {
  blocks: number;
  entries: number;
  /** entries of the last moments, which are in no block yet */
  unsealed: number;
  /** the last block and its hash, to be kept elsewhere and compared */
  head: { number: number; hash: string } | null;
  /** whether one of the blocks has the hash that was asked for */
  holds: boolean;
  problem: Problem | null;
};

/** Walks the chain of a workspace from its first block, up to the first thing that is wrong. `hash`: of a block, to look for. */
export async function verifyChain(workspaceId: WorkspaceId, hash: string | null = null): Promise<Finding> {
  const finding: Finding = { blocks: 0, entries: 0, unsealed: 0, head: null, holds: false, problem: null };
  let before: BlockRow | null = null;
  for (;;) {
    const after: BlockRow | null = before;
    const checked: { last: BlockRow | null; more: boolean } = await withWorkspace(
      workspaceId,
      async (db) => {
        const { findEntriesOf, findAdded, countUnsealed } = chainBehind(await findLastBlock(db));
        const blocks = await findBlocksAfter(db, after?.number ?? 0, AT_ONCE);
        const since = after || !blocks[0] ? 1 : await findTrim(db, blocks[0].number);
        let last = after;
        for (const block of blocks) {
          const entries = await findEntriesOf(db, block, last);
          finding.problem = wrongPlace(block, last, since) ?? wrongWithin(block, entries);
          if (finding.problem) return { last, more: false };
          finding.blocks += 1;
          finding.entries += block.entryIds.length;
          finding.head = { number: block.number, hash: Buffer.from(block.hash).toString("hex") };
          finding.holds ||= finding.head.hash === hash;
          last = block;
        }
        if (blocks.length < AT_ONCE) {
          finding.unsealed = await countUnsealed(db, last);
          const added = last && (await findAdded(db, last));
          if (last && added) finding.problem = addedBehind(last, added);
        }
        return { last, more: blocks.length === AT_ONCE };
      },
      { readOnly: true, operation: "verifying the audit log" },
    );
    before = checked.last;
    if (!checked.more) return finding;
  }
}
