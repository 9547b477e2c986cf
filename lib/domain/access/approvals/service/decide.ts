import type { Caller } from "#lib/core/context.ts";
import { errorBody, Fault, isRefusal } from "#lib/core/errors.ts";
import { attempt } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement, type Operation } from "#lib/domain/implement.ts";
import { operationNamed, type PreparedCall } from "#lib/domain/operation.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import * as contract from "../contract.ts";
import {
  type ApprovalRow,
  type Decision,
  findApproval,
  findApprovalToDecide,
  findUserName,
  findViewer,
  markDecided,
  setResult,
} from "../queries.ts";
import { actorOf, mayDecide, requireMayDecide, requirePending, withoutSecrets } from "../rules.ts";
import { tellApprovals } from "./end.ts";
import { inputOf, requireApproval, viewOf } from "./read.ts";
import { allowAlways } from "./rules.ts";

/** A call that is ready to be run, or the refusal of what comes before its transaction. Neither: it is not to be run. */
type Ready = { prepared?: PreparedCall; refused?: Fault };

export const approveChange = implement(
  contract.approveChange,
  async (ctx, { id, always }, ready: Ready) => {
    const row = await requireWaiting(ctx, id);
    const property = always ? requireField(row) : null;
    const outcome = await outcomeOf(ctx, row, ready);
    if (property !== null && outcome.status === "approved") await allowAlways(ctx, { ...row, property });
    await markDecided(ctx.db, id, { ...outcome, userId: ctx.actor.id, reason: null });
    await noteDecision(ctx, row, outcome.status);
    return { ...(await viewOf(ctx, await requireApproval(ctx, id))), ...outcome.shown };
  },
  { transaction: ({ prepared }) => (prepared?.erases ? "erasing" : "writing"), before: prepare, after: complete },
);

export const rejectChange = implement(contract.rejectChange, async (ctx, { id, reason }) => {
  const row = await requireWaiting(ctx, id);
  await markDecided(ctx.db, id, { status: "rejected", userId: ctx.actor.id, reason: reason || null, result: null });
  await noteDecision(ctx, row, "rejected");
  return viewOf(ctx, await requireApproval(ctx, id));
});

/**
 * Checks the kept call again, and does what it does before its transaction; nothing for a change that the transaction
 * will refuse to decide.
 */
async function prepare(caller: Caller, { id }: { id: string }): Promise<Ready> {
  const { row, approvedBy, viewer } = await withWorkspace(
    caller.workspaceId,
    async (db) => {
      const found = await findApproval(db, id);
      return {
        row: found,
        approvedBy: await findUserName(db, caller.actor.id),
        viewer: found && (await findViewer(db, found)),
      };
    },
    { readOnly: true },
  );
  if (row?.status !== "pending") return {};
  const operation = operationOf(row);
  if (!mayDecide(caller, operation.contract)) return {};
  try {
    const doer = { ...doerOf(row, caller, approvedBy), ...(viewer === null ? {} : { viewer }) };
    return { prepared: await operation.prepare(doer, inputOf(row)) };
  } catch (error) {
    if (isRefusal(error)) return { refused: error };
    throw error;
  }
}

/**
 * The key or connected client that asked, as it was then. Of a value that was kept back, the person who approves: it is their word
 * from now on.
 */
const doerOf = (row: ApprovalRow, { workspaceId, plan, actor }: Caller, approvedBy: string | null): Caller => ({
  workspaceId,
  plan,
  scopes: row.scopes,
  role: null,
  actor: row.property === null ? actorOf(row) : actor,
  requestId: row.requestId,
  client: row.client,
  approvedBy: approvedBy ?? "A former member",
});

/** The change, locked, if it still waits and the caller may decide it. */
async function requireWaiting(ctx: Ctx, id: string): Promise<ApprovalRow> {
  const row = await findApprovalToDecide(ctx.db, id);
  if (!row) throw new Fault("approval_not_found");
  requirePending(row);
  requireMayDecide(ctx, operationOf(row).contract);
  return row;
}

/** Its property; throws 400 for a change that is no single value. */
function requireField({ property }: Pick<ApprovalRow, "property">): string {
  if (property !== null) return property;
  throw new Fault("invalid_parameter", { parameter: "always" }, "always: only a value that was kept back has a rule.");
}

function operationOf({ operation: name }: Pick<ApprovalRow, "operation">): Operation {
  const operation = operationNamed(name);
  if (!operation) throw new Error(`no operation ${name} is loaded`);
  return operation;
}

/** `shown`: the whole result, where a part of it is shown only once, to who approves. */
type ApprovalResult = Pick<Decision, "result"> & {
  status: "approved" | "failed";
  shown?: Pick<contract.DecidedApproval, "result">;
};

/** Runs the call. What it refuses is undone and is its result. */
async function outcomeOf(ctx: Ctx, row: ApprovalRow, { prepared, refused }: Ready): Promise<ApprovalResult> {
  const { requestId } = row;
  if (refused) return { status: "failed", result: errorBody(refused, requestId) };
  if (!prepared) throw new Error("a change that waits was not prepared");
  try {
    const output = await attempt(ctx.db, (db) => prepared.run(db));
    const result = keptOf(row, output);
    return result === output
      ? { status: "approved", result }
      : { status: "approved", result, shown: { result: output as contract.DecidedApproval["result"] } };
  } catch (error) {
    if (isRefusal(error)) return { status: "failed", result: errorBody(error, requestId) };
    throw error;
  }
}

/** What is kept of an output: all but what is shown only once. */
function keptOf(row: Pick<ApprovalRow, "operation">, output: unknown): unknown {
  const secret = operationOf(row).contract.secrets?.output;
  return secret ? withoutSecrets(output as Record<string, unknown>, secret) : output;
}

async function noteDecision(ctx: Ctx, row: ApprovalRow, status: Decision["status"]): Promise<void> {
  const { operation, askerName: asked_by } = row;
  await recordAudit(ctx, `change.${status}`, row.id, { operation, asked_by });
  tellApprovals(ctx);
}

/** Keeps the result that the operation completes after the commit. */
async function complete(caller: Caller, output: contract.DecidedApproval, { id }: { id: string }, ready: Ready) {
  if (output.status !== "approved" || !ready.prepared?.complete) return output;
  const result = (await ready.prepared.complete(output.result)) as contract.DecidedApproval["result"];
  await withWorkspace(caller.workspaceId, (db) => setResult(db, id, keptOf(output, result)));
  return { ...output, result };
}
