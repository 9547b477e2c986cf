import type { WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { implement } from "#lib/domain/implement.ts";
import { tellChanged } from "#lib/domain/integrations/connections/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { getBoot } from "#lib/settings/boot.ts";
import * as contract from "../contract.ts";
import { removeExpired, setRetentionDays } from "../queries.ts";

const defaultDays = (): number => getBoot().env.INBOUND_RETENTION_DAYS;

/** How long the log is kept; `days` is what the workspace set, null when it follows the server. */
export const retentionOf = (days: number | null): contract.Retention => ({
  days: days ?? defaultDays(),
  default_days: defaultDays(),
  is_default: days === null,
});

export const setInboundRetention = implement(contract.setInboundRetention, async (ctx, { days }) => {
  const from = await setRetentionDays(ctx.db, days);
  if (from !== days) await recordAudit(ctx, "inbound_retention.changed", ctx.workspaceId, { from, to: days });
  return { retention: retentionOf(days) };
});

/** Deliveries removed in one transaction. */
const BATCH = 500;

/** Removes some of what is older than its days from the log; true while there is more. What still waits stays. */
export const endRetention = (workspaceId: WorkspaceId): Promise<boolean> =>
  withWorkspace(workspaceId, async (db) => {
    const removed = await removeExpired(db, defaultDays(), BATCH);
    if (removed > 0) tellChanged({ db, workspaceId });
    return removed === BATCH;
  });
