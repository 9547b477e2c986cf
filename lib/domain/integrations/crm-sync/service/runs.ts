import { z } from "zod";
import { nameOfActor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { cursorsOf, pageOf } from "#lib/core/paging.ts";
import { Id } from "#lib/core/schema.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { findCrmConnection, tellChanged } from "#lib/domain/integrations/connections/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import type { JobRun } from "#lib/jobs/handler.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { crmNames } from "#lib/providers/registry.ts";
import * as contract from "../contract.ts";
import { findConfig, saveConfig } from "../queries/configs.ts";
import { findRows } from "../queries/rows.ts";
import { findOpenRuns, findRun, findRuns, findRunToChange, lockRuns, setRunState } from "../queries/runs.ts";
import { standardRules } from "../rules/contacts.ts";
import { rowOf, runOf } from "../serialize.ts";
import { queueAuto } from "./auto.ts";
import { beginRun, syncing } from "./begin.ts";
import { requireCrm } from "./configure.ts";

export const syncCrmNow = implement(contract.syncCrmNow, async (ctx, { provider: name, full, dry_run }) => {
  const crm = await requireCrm(ctx, name);
  const { provider } = crm;
  await lockRuns(ctx.db, provider);
  const [running] = await findOpenRuns(ctx.db, provider);
  if (running) throw new Fault("crm_sync_running", { run_id: running.id });
  if (!dry_run && !(await findConfig(ctx.db, provider)))
    await saveConfig(ctx.db, provider, { ...standardRules, autoSync: false }, nameOfActor(ctx));
  const how = { kind: dry_run ? "dry_run" : "sync", cause: "manual", everyone: full } as const;
  const run = await beginRun(ctx, crm, how);
  await recordAudit(ctx, "crm_sync.started", run.id, { provider, dry_run, full: run.everyone });
  return { ok: true as const, run: runOf(run) };
});

const runs = cursorsOf(contract.listCrmRuns.name, z.tuple([Id]));

export const listCrmRuns = implement(contract.listCrmRuns, async (ctx, { provider = null, limit, cursor }) => {
  const before = cursor === undefined ? null : runs.decode(ctx, cursor)[0];
  const rows = await findRuns(ctx.db, provider, before, limit + 1);
  const { shown, next } = pageOf(ctx, runs, { rows, limit }, ({ id }) => [id]);
  return { runs: shown.map(runOf), limit, ...next };
});

const places = cursorsOf(contract.getCrmRun.name, z.tuple([z.int()]));

export const getCrmRun = implement(contract.getCrmRun, async (ctx, { id, outcome = null, limit, cursor }) => {
  const run = await findRun(ctx.db, id);
  if (!run) throw new Fault("crm_run_not_found");
  const after = cursor === undefined ? -1 : places.decode(ctx, cursor)[0];
  const rows = await findRows(ctx.db, id, after, outcome, limit + 1);
  const { shown, next } = pageOf(ctx, places, { rows, limit }, ({ place }) => [place]);
  return { run: runOf(run), rows: shown.map(rowOf), limit, ...next };
});

export const cancelCrmRun = implement(contract.cancelCrmRun, async (ctx, { id }) => {
  const row = await findRunToChange(ctx.db, id);
  if (!row) throw new Fault("crm_run_not_found");
  if (row.state !== "done" && row.state !== "failed" && row.state !== "cancelled") {
    await setRunState(ctx.db, id, "cancelled", null);
    await recordAudit(ctx, "crm_sync.cancelled", id, { provider: row.provider });
    tellChanged(ctx);
  }
  return { run: runOf((await findRun(ctx.db, id)) ?? row) };
});

/** After a CRM was connected, or got a new token: blocked runs of this portal go on, those of another are over. */
export async function resumeRuns({ caller }: JobRun, { connection_id }: { connection_id: string }): Promise<void> {
  await withWorkspace(caller.workspaceId, async (db) => {
    const ctx: Ctx = { ...caller, db };
    for (const provider of crmNames) {
      const crm = await findCrmConnection(ctx, provider);
      if (crm?.connectionId !== connection_id) continue;
      await lockRuns(db, provider);
      for (const { id, state, portal } of await findOpenRuns(db, provider)) {
        if (portal !== crm.portal) await setRunState(db, id, "cancelled", "Another account was connected since.");
        else if (state === "blocked") {
          await setRunState(db, id, "queued", null);
          await enqueue(db, syncing, { run_id: id });
        }
      }
      if ((await findConfig(db, provider))?.autoSync) await queueAuto(db, provider);
    }
    tellChanged(ctx);
  });
}
