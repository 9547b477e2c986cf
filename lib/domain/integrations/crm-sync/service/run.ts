import { planHas } from "#lib/core/plans.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { Provider } from "#lib/domain/integrations/connections/contract.ts";
import { findCrmConnection, noteTrouble, noteWell, tellChanged } from "#lib/domain/integrations/connections/service.ts";
import { type Inside, insideOf } from "#lib/jobs/inside.ts";
import { resumable, type StepResult } from "#lib/jobs/resumable.ts";
import { ProviderFault } from "#lib/providers/request.ts";
import { findConfig, findHorizon, markCompared } from "../queries/configs.ts";
import { EVER, findCases } from "../queries/people.ts";
import { noteRow } from "../queries/rows.ts";
import {
  advanceRun,
  deleteRun,
  findRun,
  findRunToChange,
  listPeople,
  listRecords,
  type RunRow,
  setRunState,
} from "../queries/runs.ts";
import { standardRules } from "../rules/contacts.ts";
import { syncing } from "./begin.ts";
import { checkRecords } from "./check.ts";
import { compare } from "./compare.ts";
import { nextEntry, pushEntry } from "./entries.ts";
import { matchContacts } from "./match.ts";
import { openCrm, prepare, providerNameOf, type Work } from "./work.ts";

/**
 * Goes on with a run, step by step: each step calls the CRM outside of a transaction, and stores the result in the
 * transaction that moves on. A step that is done twice changes nothing more.
 */
export const runSync = resumable(syncing, {
  turnMs: 20_000,
  begin({ caller, last }, { run_id: id }) {
    const inside = insideOf(caller);
    let isReady = false;
    return async () => {
      const step = await inside((ctx) => nextStep(ctx, id));
      if (!step) return "done";
      try {
        if (step.work && !isReady) await prepare(step.work);
        isReady ||= step.work !== null;
        await step.take(inside);
        return "more";
      } catch (error) {
        if (!(error instanceof ProviderFault)) throw error;
        const left = await inside((ctx) => afterTrouble(ctx, id, error, last));
        if (left instanceof Error) throw left;
        return left;
      }
    };
  },
});

/** `work`: null for a step that does not call the CRM. */
type Step = { work: Work | null; take(inside: Inside): Promise<void> };

/** The next step of a run; null when it is over, or waits for someone. */
async function nextStep(ctx: Ctx, id: string): Promise<Step | null> {
  const run = await findRunToChange(ctx.db, id);
  if (!run || !["queued", "running", "waiting"].includes(run.state)) return null;
  const work = await workOf(ctx, run);
  if (!work) return null;
  if (run.total === null) {
    await list(ctx, run);
    return { work: null, take: async () => undefined };
  }
  const { matching } = run;
  if (matching !== null) return { work, take: (inside) => matchContacts(inside, work, matching) };
  for (let position = run.position; ; position++) {
    const [first] = await findCases(ctx.db, { ...run, position }, 1);
    if (!first) return finish(ctx, run);
    if (first.outcome === null) {
      const cases = await findCases(ctx.db, { ...run, position }, work.connection.crm.batch);
      const open = cases.filter(({ outcome }) => outcome === null);
      const take = run.kind === "hygiene" ? checkRecords : compare;
      return { work, take: (inside) => take(inside, work, open) };
    }
    const entry = await nextEntry(ctx, work, first);
    if (entry) return { work, take: (inside) => pushEntry(inside, work, first, entry) };
    await noteRow(ctx.db, id, first.place, { isDone: true });
    await advanceRun(ctx.db, id);
    position = first.place;
  }
}

/** What the run needs; null when it cannot go on, which is then written on it. */
async function workOf(ctx: Ctx, run: RunRow): Promise<Work | null> {
  const stop = async (state: RunRow["state"], message: string) => {
    await setRunState(ctx.db, run.id, state, message);
    tellChanged(ctx);
    return null;
  };
  const name = providerNameOf(run.provider);
  const connection = await findCrmConnection(ctx, run.provider);
  if (!connection) return stop("blocked", `${name} was disconnected. Connect it again; the run then continues.`);
  if (connection.portal !== run.portal) return stop("cancelled", "Another account was connected since.");
  if (!planHas(ctx.plan, "crm_sync"))
    return stop("failed", "The workspace's plan has no CRM sync any more. Change the plan, then sync again.");
  const rules = (await findConfig(ctx.db, run.provider)) ?? standardRules;
  return { run, connection, rules, crm: openCrm(connection) };
}

/** Lists a portion of the people that the run compares. What changes after the first is compared by the next run. */
async function list(ctx: Ctx, run: RunRow): Promise<void> {
  const { id, provider, kind, everyone } = run;
  const at = run.listedAt ?? (await findHorizon(ctx.db));
  if (kind === "hygiene") await listRecords(ctx.db, run, at);
  else await listPeople(ctx.db, id, at, everyone ? EVER : await comparedTo(ctx, provider));
  tellChanged(ctx);
}

const comparedTo = async (ctx: Ctx, provider: string): Promise<Date> =>
  (await findConfig(ctx.db, provider))?.comparedTo ?? EVER;

async function finish(ctx: Ctx, { id, kind, cause, provider, portal, listedAt }: RunRow): Promise<null> {
  await advanceRun(ctx.db, id);
  await setRunState(ctx.db, id, "done", null);
  if (kind === "sync" && listedAt) await markCompared(ctx.db, provider, portal, listedAt);
  const run = await findRun(ctx.db, id);
  // No one asked for a run in which nothing was to do.
  const { created, updated, failed, matched, notes, activities } = run as RunRow;
  if (cause === "auto" && created + updated + failed + matched + notes + activities === 0) await deleteRun(ctx.db, id);
  await noteWell(ctx, provider as Provider);
  return null;
}

/** Writes on the run why the CRM could not be asked; returns what is left, or what the job must throw to be tried again. */
async function afterTrouble(ctx: Ctx, id: string, fault: ProviderFault, last: boolean): Promise<StepResult | Error> {
  const run = await findRunToChange(ctx.db, id);
  if (!run || run.state === "cancelled") return "done";
  const what = `The sync stopped after ${run.position.toLocaleString("en")} people`;
  const advice = await noteTrouble(ctx, run.provider as Provider, what, fault);
  if (fault.trouble === "refused") {
    await setRunState(ctx.db, id, "blocked", `${advice} The run then continues.`);
    return "done";
  }
  if (fault.trouble === "rejected" || last) {
    await setRunState(ctx.db, id, "failed", `${advice} Then sync again: nothing is pushed twice.`);
    return "done";
  }
  await setRunState(ctx.db, id, "waiting", advice);
  return fault.retryAfterMs === null ? fault : { waitMs: fault.retryAfterMs };
}
