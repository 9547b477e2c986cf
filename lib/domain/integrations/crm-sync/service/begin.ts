import { nameOfActor } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { type CrmConnection, tellChanged } from "#lib/domain/integrations/connections/service.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { findConfig } from "../queries/configs.ts";
import { findRun, insertRun, type RunRow } from "../queries/runs.ts";

/** The runs of a workspace come one after the other: two that compare the same people would push twice. */
export const syncing = jobKind("crm-sync:run", {
  label: "Sync with a CRM",
  ids: ["run_id"],
  queue: "crm-sync",
  once: true,
});

/** Queues a run. The caller holds the lock of the CRM's runs. */
export async function beginRun(
  ctx: Ctx,
  { provider, portal }: CrmConnection,
  how: Pick<RunRow, "kind" | "cause" | "everyone">,
): Promise<RunRow> {
  const config = await findConfig(ctx.db, provider);
  const isFirst = config?.comparedTo == null || config.comparedPortal !== portal;
  const isUnmatched = how.kind === "sync" && config?.matchedPortal !== portal;
  const id = newId();
  await insertRun(ctx.db, {
    ...how,
    id,
    provider,
    portal,
    everyone: how.everyone || isFirst,
    matching: isUnmatched ? "" : null,
    createdBy: nameOfActor(ctx),
  });
  await enqueue(ctx.db, syncing, { run_id: id });
  tellChanged(ctx);
  const row = await findRun(ctx.db, id);
  if (!row) throw new Error("a run that was just queued is not there");
  return row;
}
