import type { WorkspaceId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { countLikely } from "#lib/domain/knowledge/merges/service.ts";
import { silentSources } from "#lib/domain/knowledge/overview/service.ts";
import type { Maintenance } from "#lib/jobs/handler.ts";
import { formatTime } from "#lib/text/time.ts";
import { findCounts, saveCounts } from "./queries.ts";

/** What took long is counted less often: at most a thousandth of the time is spent on it. */
const TIMES_TOOK = 1_000;

/** Counts what no request should wait for: in a workspace of 250,000 people it takes seconds. */
export async function countForChecks(workspaceId: WorkspaceId, now = new Date()): Promise<boolean> {
  const began = performance.now();
  const found = await withWorkspace(
    workspaceId,
    async (db) => {
      const last = await findCounts(db);
      if (last && last.countedAt.getTime() + TIMES_TOOK * last.tookMs > now.getTime()) return null;
      const [silent, duplicates] = await together([silentSources({ db }, now), countLikely({ db })]);
      return {
        silentSources: silent.map(({ source, lastAt }) => ({ source, lastAt: formatTime(lastAt) })),
        duplicates,
      };
    },
    { readOnly: true },
  );
  if (!found) return false;
  const tookMs = Math.ceil(performance.now() - began);
  await withWorkspace(workspaceId, (db) => saveCounts(db, workspaceId, { ...found, tookMs, countedAt: now }));
  return false;
}

export const maintenance: readonly Maintenance[] = [{ name: "checks", step: (id) => countForChecks(id) }];
