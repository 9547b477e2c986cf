import type { WorkspaceId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import { wasCancelled } from "#lib/core/unavailable.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { countLikely } from "#lib/domain/knowledge/merges/service.ts";
import { silentSources } from "#lib/domain/knowledge/overview/service.ts";
import type { Maintenance } from "#lib/jobs/handler.ts";
import { formatTime } from "#lib/text/time.ts";
import { findCounts, type StoredCounts, saveCounts } from "./queries.ts";

/** What took long is counted less often: at most a thousandth of the time is spent on it. */
const TIMES_TOOK = 1_000;

const NOTHING: Pick<StoredCounts, "silentSources" | "duplicates" | "countedAt"> = {
  silentSources: [],
  duplicates: { count: 0, capped: false, first: [] },
  countedAt: null,
};

/**
 * Counts what no request should wait for: in a workspace of 250,000 people it takes seconds. Where it takes longer than a statement
 * may, what was counted before stays.
 */
export async function countForChecks(workspaceId: WorkspaceId, now = new Date()): Promise<boolean> {
  const last = await withWorkspace(workspaceId, findCounts, { readOnly: true });
  if (last && last.triedAt.getTime() + TIMES_TOOK * last.tookMs > now.getTime()) return false;
  const began = performance.now();
  const counted = await count(workspaceId, now);
  const tookMs = Math.ceil(performance.now() - began);
  await withWorkspace(workspaceId, (db) =>
    saveCounts(db, workspaceId, { ...(counted ?? last ?? NOTHING), tookMs, triedAt: now }),
  );
  return false;
}

/** Null when a statement was cancelled. */
async function count(workspaceId: WorkspaceId, now: Date): Promise<Omit<StoredCounts, "tookMs" | "triedAt"> | null> {
  try {
    // One after the other: how long comparing takes is kept.
    const { silent, duplicates } = await withWorkspace(
      workspaceId,
      async (db) => ({ silent: await silentSources({ db }, now), duplicates: await countLikely({ db }) }),
      { readOnly: true },
    );
    const sources = silent.map(({ source, lastAt }) => ({ source, lastAt: formatTime(lastAt) }));
    return { silentSources: sources, duplicates, countedAt: now };
  } catch (error) {
    if (!wasCancelled(error)) throw error;
    log.warn({ workspace_id: workspaceId }, "what the checks count takes longer than a statement may");
    return null;
  }
}

export const maintenance: readonly Maintenance[] = [{ name: "checks", step: (id) => countForChecks(id) }];
