import { withWorkspace } from "#lib/db/transaction.ts";
import { removeExpiredIdempotent } from "#lib/domain/queries/kept-answers.ts";
import type { Maintenance } from "#lib/jobs/handler.ts";

const BATCH = 1_000;

/** Deletes answers stored for an Idempotency-Key after the day that they are kept. */
export const keptAnswers: Maintenance = {
  name: "kept answers",
  step: async (workspaceId) => (await withWorkspace(workspaceId, (db) => removeExpiredIdempotent(db, BATCH))) === BATCH,
};
