import type { WorkspaceId } from "#lib/core/ids.ts";
import { planHas } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { findCrmConnection } from "#lib/domain/integrations/connections/service.ts";
import type { JobRun } from "#lib/jobs/handler.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { findConfig, findConfigs } from "../queries/configs.ts";
import { EVER, hasChanged } from "../queries/people.ts";
import { findLastCheck, findOpenRuns, lockRuns, removeOldRun } from "../queries/runs.ts";
import { isCheckDue } from "../rules/contacts.ts";
import { beginRun } from "./begin.ts";

/** Looks whether something is to be pushed, and queues itself again: one small read a minute. */
export const looking = jobKind("crm-sync:look", {
  label: "Look for changes to push to the CRM",
  ids: ["provider"],
  queue: "crm-sync",
  once: true,
  priority: 5,
});

const EVERY_MS = 60_000;
const SOON_MS = 5_000;
const KEPT_RUNS = 50;

export const queueAuto = (db: Db, provider: string): Promise<void> =>
  enqueue(db, looking, { provider }, new Date(Date.now() + SOON_MS));

/** Starts a run when someone changed since the last one, as long as the CRM is connected and `autoSync` is on. */
export async function lookForChanges({ caller }: JobRun, { provider }: { provider: string }): Promise<void> {
  await withWorkspace(caller.workspaceId, async (db) => {
    const ctx: Ctx = { ...caller, db };
    await lockRuns(db, provider);
    const config = await findConfig(db, provider);
    const crm = await findCrmConnection(ctx, provider);
    if (!config?.autoSync || !crm || !planHas(caller.plan, "crm_sync")) return;
    const since = (config.comparedPortal === crm.portal && config.comparedTo) || EVER;
    const isIdle = (await findOpenRuns(db, provider)).length === 0;
    if (isIdle && (await hasChanged(db, since)))
      await beginRun(ctx, crm, { kind: "sync", cause: "auto", everyone: false });
    await enqueue(db, looking, { provider }, new Date(Date.now() + EVERY_MS));
  });
}

/** Once an hour: looks for changes where that has stopped, checks records that are due, forgets old runs. */
export async function maintainCrmSync(workspaceId: WorkspaceId): Promise<boolean> {
  return withWorkspace(workspaceId, async (db) => {
    const configs = await findConfigs(db);
    if (configs.length === 0) return false;
    for (const config of configs) {
      const crm = await findCrmConnection({ db }, config.provider);
      if (!crm) continue;
      if (config.autoSync) await enqueue(db, looking, { provider: config.provider });
      if (isCheckDue(config, await findLastCheck(db, config.provider), new Date()))
        await enqueue(db, checking, { provider: config.provider });
    }
    return removeOldRun(db, KEPT_RUNS);
  });
}

export const checking = jobKind("crm-sync:check", {
  label: "Check the records of a CRM",
  ids: ["provider"],
  queue: "crm-sync",
  once: true,
  priority: 5,
});

/** Starts a check of the linked records that is due; one that is under way, or a sync, goes first. */
export async function beginCheck({ caller }: JobRun, { provider }: { provider: string }): Promise<void> {
  await withWorkspace(caller.workspaceId, async (db) => {
    const ctx: Ctx = { ...caller, db };
    await lockRuns(db, provider);
    const config = await findConfig(db, provider);
    const crm = await findCrmConnection(ctx, provider);
    if (!config || !crm || !planHas(caller.plan, "crm_sync")) return;
    if (!isCheckDue(config, await findLastCheck(db, provider), new Date())) return;
    if ((await findOpenRuns(db, provider)).length > 0) return; // the next hour looks again
    await beginRun(ctx, crm, { kind: "hygiene", cause: "schedule", everyone: true });
  });
}
