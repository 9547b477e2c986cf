import type { WorkspaceId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { followIcpScores } from "#lib/domain/crm/leads/service.ts";
import { tierOf } from "#lib/domain/crm/scores/service.ts";
import { emit } from "#lib/domain/records/outbox/service.ts";
import { announce } from "#lib/live/announce.ts";

/** A score that changed, in the transaction that wrote it. */
export type ChangedScore = {
  entityId: string;
  type: "person" | "company";
  /** where the record came from: of sample data nothing is told outside */
  source: string;
  previous: number | null;
  score: number | null;
  reason: string | null;
  cause: { type: "model"; version: number } | { type: "evidence"; observationId: string | null };
};

/**
 * Everything that follows from changed scores, for all callers: leads without a score of their own follow, triggers get
 * events, and open pages are told. The caller holds the rows and has written them, so that the events of one record are in
 * order.
 */
export async function scoresChanged(
  { db, workspaceId }: { db: Db; workspaceId: WorkspaceId },
  at: Date,
  changes: readonly ChangedScore[],
): Promise<void> {
  const people = changes.flatMap(({ type, entityId }) => (type === "person" ? [entityId] : []));
  if (people.length > 0) await followIcpScores(db, people);
  emit(
    { db, workspaceId },
    at,
    changes
      .filter(({ source }) => source !== "sample")
      .map(({ entityId, previous, score, reason, cause }) => ({
        type: "icp.changed",
        entityId,
        observationId: cause.type === "evidence" ? cause.observationId : null,
        data: {
          previous: previous === null ? null : { score: previous, tier: tierOf(previous) },
          value: score === null ? null : { score, tier: tierOf(score), reason },
          caused_by: cause.type === "evidence" ? cause.observationId : null,
        },
      })),
  );
  if (changes.length > 0) db.afterCommit(() => announce(workspaceId, { topic: "scores" }));
}
