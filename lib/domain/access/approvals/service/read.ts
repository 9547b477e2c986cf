import { z } from "zod";
import { findLine } from "#lib/auth/queries/api-keys.ts";
import { Fault } from "#lib/core/errors.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { cursorsOf, pageOf } from "#lib/core/paging.ts";
import { Id } from "#lib/core/schema.ts";
import { unseal } from "#lib/db/sealed.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { purposeOfInput } from "#lib/domain/encrypted-columns.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { operationNamed } from "#lib/domain/operation.ts";
import { findLabels, nameOf } from "#lib/domain/records/names/service.ts";
import * as contract from "../contract.ts";
import { type ApprovalRow, countPending, findApproval, findApprovals } from "../queries.ts";
import { idsNamedIn, withoutSecrets } from "../rules.ts";
import { approvalOfRow, withResult } from "../serialize.ts";

const cursors = cursorsOf(contract.listApprovals.name, z.tuple([Id]));

export const listApprovals = implement(contract.listApprovals, async (ctx, { status = null, limit, cursor }) => {
  const askers = await askersOf(ctx);
  const after = cursor === undefined ? null : cursors.decode(ctx, cursor)[0];
  const rows = await findApprovals(ctx.db, { limit: limit + 1, after, askers, status });
  const { shown, next } = pageOf(ctx, cursors, { rows, limit }, ({ id }) => [id]);
  return { approvals: await viewsOf(ctx, shown), pending: await countPending(ctx.db, askers), ...next };
});

export const getApproval = implement(contract.getApproval, async (ctx, { id }) => {
  const row = await requireApproval(ctx, id);
  const askers = await askersOf(ctx);
  if (askers && !askers.includes(row.askerId)) throw new Fault("approval_not_found");
  return viewOf(ctx, row);
});

/** How many changes of the workspace wait. */
export const countWaiting = (workspaceId: WorkspaceId): Promise<number> =>
  withWorkspace(workspaceId, (db) => countPending(db, null), { readOnly: true });

/** The keys or the client whose changes the caller sees; null: all. */
async function askersOf({ db, actor, role }: Ctx): Promise<string[] | null> {
  const isKey = role === null && (actor.type === "api_key" || actor.type === "mcp");
  return isKey ? findLine(db, actor.id) : null;
}

/** Throws 404 `approval_not_found`. */
export async function requireApproval(ctx: Ctx, id: string): Promise<ApprovalRow> {
  const row = await findApproval(ctx.db, id);
  if (!row) throw new Fault("approval_not_found");
  return row;
}

/** A change with its result. */
export async function viewOf(ctx: Ctx, row: ApprovalRow): Promise<contract.DecidedApproval> {
  const [approval] = await viewsOf(ctx, [row]);
  return withResult(approval as contract.Approval, row);
}

async function viewsOf(ctx: Ctx, rows: readonly ApprovalRow[]): Promise<contract.Approval[]> {
  const inputs = rows.map(shownInputOf);
  const labels = await findLabels(ctx.db, inputs.flatMap(idsNamedIn));
  const names = new Map([...labels].map(([id, label]) => [id, nameOf(label)]));
  return rows.map((row, index) => approvalOfRow(row, inputs[index] ?? {}, names));
}

/** The input as it was kept; secrets are in it. */
export function inputOf({ id, input, encrypted }: ApprovalRow): Record<string, unknown> {
  const text = encrypted ? unseal(purposeOfInput(id), input) : input;
  return JSON.parse(text) as Record<string, unknown>;
}

/** The input as people may see it. */
export const shownInputOf = (row: ApprovalRow): Readonly<Record<string, unknown>> =>
  withoutSecrets(inputOf(row), operationNamed(row.operation)?.contract.secrets?.input);
