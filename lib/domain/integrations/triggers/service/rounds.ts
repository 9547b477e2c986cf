import type { WorkspaceId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { announce } from "#lib/live/announce.ts";
import { type AttemptResult, findDue, findNext, type QueuedDelivery, settleDeliveries } from "../queries/deliveries.ts";
import { dropEvents, takeEvents } from "../queries/events.ts";
import { findTriggerRows, setStanding, type TriggerRow } from "../queries.ts";
import { type Standing, type Verdict, verdictOn } from "../rules/schedule.ts";
import { attemptOf, attemptOn } from "./attempt.ts";
import { fanOut } from "./fan-out.ts";

/** How an attempt ended, to be written with the next round. */
export type EndedAttempt = AttemptResult & { standing: Standing; stops: Verdict["stops"]; problem: string | null };

/** Events taken in one round. */
const MOST_EVENTS = 500;
/** Deliveries of one trigger read ahead in one round. */
const AHEAD = 50;

export type Round = {
  triggers: TriggerRow[];
  /** what waits for each of the triggers that were asked for, in order */
  queued: QueuedDelivery[];
  /** more events wait than one round takes */
  more: boolean;
};

/**
 * One transaction of the process that serves the workspace: writes how attempts ended, turns events into deliveries, and
 * reads what waits for triggers that have nothing to do.
 */
export async function runRound(
  workspaceId: WorkspaceId,
  ended: readonly EndedAttempt[],
  idle: (trigger: TriggerRow) => boolean,
): Promise<Round> {
  return withWorkspace(
    workspaceId,
    async (db) => {
      const triggerRows = await findTriggerRows(db);
      if (ended.length > 0) settleDeliveries(db, ended);
      const triggers = await settleStandings({ db, workspaceId }, triggerRows, ended);
      const events = await takeEvents(db, MOST_EVENTS);
      if (events.length > 0) await fanOut({ db, workspaceId }, events, triggers);
      const wanted = triggers.filter((trigger) => trigger.status === "active" && idle(trigger));
      const queued = await findNext(
        db,
        wanted.map(({ id }) => id),
        AHEAD,
      );
      return { triggers, queued, more: events.length === MOST_EVENTS };
    },
    { operation: "delivering events" },
  );
}

type Scope = Pick<Ctx, "db" | "workspaceId">;

/** Writes how the targets do, where that changed. Returns the triggers as they are then. */
async function settleStandings(ctx: Scope, triggers: readonly TriggerRow[], ended: readonly EndedAttempt[]) {
  const latest = new Map(ended.map((one) => [one.triggerId, one]));
  if (ended.length > 0) ctx.db.afterCommit(() => announce(ctx.workspaceId, { topic: "deliveries" }));
  const after: TriggerRow[] = [];
  for (const trigger of triggers) {
    const last = latest.get(trigger.id);
    const next = last ? standingAfter(trigger, last) : trigger;
    after.push(next);
    if (next === trigger) continue;
    await setStanding(ctx.db, next);
    if (next.status === trigger.status) continue;
    const actor = { type: "job", id: "triggers" } as const;
    const by = { ...ctx, actor, client: null, requestId: trigger.id };
    await recordAudit(by, "trigger.disabled", trigger.id, {
      name: trigger.name,
      url: trigger.url,
      why: next.message,
    });
    log.warn({ workspace_id: ctx.workspaceId, trigger_id: trigger.id, stops: last?.stops }, "a trigger was disabled");
  }
  return after;
}

function standingAfter(trigger: TriggerRow, { standing, stops, problem, attempt }: EndedAttempt): TriggerRow {
  if (attempt.ok && trigger.failingSince === null && trigger.givenUp === 0) return trigger;
  const message = attempt.ok ? null : `The last attempt failed: ${problem ?? "there was no answer."}`;
  const kept = { ...trigger, ...standing, message: trigger.status === "active" ? message : trigger.message };
  if (stops === null || trigger.status !== "active") return kept;
  const why =
    stops === "gone"
      ? "The target answered 410, so nothing is sent to it any more."
      : "Nothing was accepted for more than three days.";
  return { ...kept, status: "disabled", message: `${why} Events wait here. Fix the target, then resume.` };
}

/** Sends a waiting delivery once, and decides what follows. */
export async function deliver(
  target: TriggerRow,
  queued: QueuedDelivery,
  standing: Standing,
  signal: AbortSignal,
): Promise<EndedAttempt> {
  const { at, answer } = await attemptOn(target, queued, { signal });
  const verdict = verdictOn(answer, queued.tries, standing, new Date(), Math.random());
  const by = queued.made === 0 ? "delivery" : queued.tries > 0 ? "retry" : "replay";
  return {
    ...verdict,
    id: queued.id,
    triggerId: queued.triggerId,
    attempt: attemptOf(by, at, answer),
    problem: answer.problem,
  };
}

/** Events removed in one transaction. */
const BATCH = 5_000;

/** Removes events of a workspace without triggers; true while there are more. */
export const sweepUnwanted = async (workspaceId: WorkspaceId): Promise<boolean> =>
  (await withWorkspace(workspaceId, (db) => dropEvents(db, BATCH), { operation: "dropping events" })) === BATCH;

/** Whether events of the workspace wait to be read, or deliveries are due by a time. */
export const hasWork = (workspaceId: WorkspaceId, by: Date): Promise<boolean> =>
  withWorkspace(workspaceId, (db) => findDue(db, by), {
    readOnly: true,
    mayLag: false,
    operation: "looking for deliveries",
  });
