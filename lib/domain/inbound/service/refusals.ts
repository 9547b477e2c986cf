import { singleton } from "#lib/core/singleton.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { addRefusals } from "../queries.ts";
import type { Inbox } from "./take-in.ts";

type Counting = { waiting: number; writing: Promise<void> | null };

const counts = singleton("inbound-refusals", () => new Map<string, Counting>());

/**
 * Counts a request that was turned away. While one write is under way the others add up to the next, so however many
 * forged requests come, one connection at most is busy with them.
 */
export async function countRefusal({ provider, workspaceId }: Inbox, code: string): Promise<void> {
  const name = `${workspaceId} ${provider} ${code}`;
  const counting = counts.get(name) ?? { waiting: 0, writing: null };
  counts.set(name, counting);
  counting.waiting++;
  counting.writing ??= write().finally(() => {
    counts.delete(name);
  });
  await counting.writing;

  async function write(): Promise<void> {
    while (counting.waiting > 0) {
      const count = counting.waiting;
      counting.waiting = 0;
      await withWorkspace(workspaceId, (db) => addRefusals(db, provider, code, count));
    }
  }
}
