import { findLine } from "#lib/auth/queries/api-keys.ts";
import { findCallerNames, findUserNames } from "#lib/auth/queries/names.ts";
import type { Db } from "#lib/db/handle.ts";
import { lockRow } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import { mentionsAny, mentionValues } from "#lib/domain/queries/mentions.ts";
import { DAY_MS } from "#lib/text/time.ts";
import type { Approval, ApprovalRule, Prisma } from "#prisma/generated/client.ts";
import type { ApprovalStatus } from "./contract.ts";

/** `input` is JSON, or sealed when `encrypted`; `result` is JSON; `decidedBy` is the name of the person who decided. */
export type ApprovalRow = Omit<Approval, "workspaceId" | "size" | "entityId"> & {
  /** name of the API key that asked, or of the connected client and its member */
  askerName: string | null;
};

/** What is overdue counts as expired before the maintenance says so. */
function isNow(status: ApprovalStatus): Prisma.ApprovalWhereInput {
  const now = new Date();
  if (status === "pending") return { status, expiresAt: { gt: now } };
  return status === "expired" ? { OR: [{ status }, { status: "pending", expiresAt: { lte: now } }] } : { status };
}

async function findWhere(db: Db, where: Prisma.ApprovalWhereInput, limit: number): Promise<ApprovalRow[]> {
  const rows = await db.prisma.approval.findMany({
    where,
    omit: { workspaceId: true, size: true, entityId: true },
    orderBy: { id: "desc" },
    take: limit,
  });
  const askers = await findCallerNames(
    db,
    rows.map(({ askerId }) => askerId),
  );
  const deciders = await findUserNames(
    db,
    rows.flatMap(({ decidedBy }) => decidedBy ?? []),
  );
  const now = new Date();
  return rows.map((row) => ({
    ...row,
    askerName: askers.get(row.askerId) ?? null,
    decidedBy: (row.decidedBy && deciders.get(row.decidedBy)) ?? null,
    status: row.status === "pending" && row.expiresAt <= now ? "expired" : row.status,
  }));
}

/** The member behind the key of a login, or the connected client, that asked; null for other keys. */
export async function findViewer(db: Db, { actor, askerId: id }: ApprovalRow): Promise<string | null> {
  if (actor.startsWith("mcp:"))
    return (await db.prisma.oauthGrant.findFirst({ where: { id }, select: { userId: true } }))?.userId ?? null;
  return (await db.prisma.apiKey.findFirst({ where: { id }, select: { loginUserId: true } }))?.loginUserId ?? null;
}

type Filter = { limit: number; after: string | null; askers: readonly string[] | null; status: ApprovalStatus | null };

const ofAskers = (askers: readonly string[] | null) => (askers === null ? {} : { askerId: { in: [...askers] } });

/** Newest first. `askers`: only what these keys or clients asked for. */
export const findApprovals = (db: Db, { limit, after, askers, status }: Filter): Promise<ApprovalRow[]> =>
  findWhere(
    db,
    {
      ...(after === null ? {} : { id: { lt: after } }),
      ...ofAskers(askers),
      ...(status === null ? {} : isNow(status)),
    },
    limit,
  );

export const countPending = (db: Db, askers: readonly string[] | null): Promise<number> =>
  db.prisma.approval.count({ where: { ...isNow("pending"), ...ofAskers(askers) } });

export const findApproval = async (db: Db, id: string): Promise<ApprovalRow | null> =>
  (await findWhere(db, { id }, 1))[0] ?? null;

/** Locked until this transaction ends. */
export async function findApprovalToDecide(db: Db, id: string): Promise<ApprovalRow | null> {
  await lockRow(db, "approvals", id);
  return findApproval(db, id);
}

/** What a person is called. */
export const findUserName = async (db: Db, userId: string): Promise<string | null> =>
  (await findUserNames(db, [userId])).get(userId) ?? null;

export type Decision = {
  status: "approved" | "failed" | "rejected";
  userId: string | null;
  reason: string | null;
  result: unknown;
};

export async function markDecided(db: Db, id: string, { status, userId, reason, result }: Decision): Promise<void> {
  const kept = result === null ? null : JSON.stringify(result);
  await db.prisma.approval.updateMany({
    where: { id },
    data: { status, decidedAt: new Date(), decidedBy: userId, reason, result: kept },
  });
}

/** Replaces the result of an approved change by the completed one. */
export async function setResult(db: Db, id: string, result: unknown): Promise<void> {
  await db.prisma.approval.updateMany({
    where: { id, status: "approved", result: { not: null } },
    data: { result: JSON.stringify(result) },
  });
}

/** Cancels what these keys or clients have waiting; returns how many. */
export const cancelPending = async (db: Db, askers: readonly string[], reason: string): Promise<number> =>
  (
    await db.prisma.approval.updateMany({
      where: { ...ofAskers(askers), status: "pending" },
      data: { status: "cancelled", decidedAt: new Date(), reason },
    })
  ).count;

// approvals hold 90 days at most; read whole
const forget = sql(
  "approvals_forget",
  `UPDATE approvals SET input = '{}', size = 0, result = NULL, entity_id = NULL,
     decided_at = CASE WHEN status = 'pending' THEN $4 ELSE decided_at END,
     reason = CASE WHEN status = 'pending' THEN $2 END,
     status = CASE WHEN status = 'pending' THEN 'cancelled'::approval_status ELSE status END
   WHERE workspace_id = $workspace AND NOT encrypted
     AND (${["input", "result", "reason"].map((column) => mentionsAny(column, "$1", "$3")).join(" OR ")})
   RETURNING id`,
);

/** Empties what mentions one of these identifiers, and cancels it if it waits; returns how many. */
export async function forgetMentions(db: Db, identifiers: readonly string[], reason: string): Promise<number> {
  const [texts, patterns] = mentionValues(identifiers);
  return (await db.query(forget, [texts, reason, patterns, new Date()])).length;
}

// approvals_workspace_id_status_id_idx
const expire = sql(
  "approvals_expire",
  `UPDATE approvals SET status = 'expired', decided_at = expires_at WHERE workspace_id = $workspace AND id = ANY (ARRAY(
     SELECT id FROM approvals WHERE workspace_id = $workspace AND status = 'pending' AND expires_at <= now() LIMIT $1))
     AND status = 'pending' AND expires_at <= now()
   RETURNING id`,
);

/** Marks at most `limit` overdue changes as expired; returns how many. */
export const expireOverdue = async (db: Db, limit: number): Promise<number> => (await db.query(expire, [limit])).length;

/** Removes at most `limit` changes that were decided so many days ago; returns how many. */
export async function removeDecided(db: Db, days: number, limit: number): Promise<number> {
  const old = await db.prisma.approval.findMany({
    where: { status: { not: "pending" }, decidedAt: { lte: new Date(Date.now() - days * DAY_MS) } },
    select: { id: true },
    take: limit,
  });
  return (await db.prisma.approval.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } })).count;
}

/** `createdBy` and `askerName`: what they are called now. */
export type RuleRow = Pick<ApprovalRule, "id" | "askerId" | "property" | "createdAt"> & {
  createdBy: string | null;
  askerName: string | null;
};

async function findRulesWhere(db: Db, where: Prisma.ApprovalRuleWhereInput): Promise<RuleRow[]> {
  const rows = await db.prisma.approvalRule.findMany({
    where,
    omit: { workspaceId: true },
    orderBy: [{ property: "asc" }, { id: "asc" }],
  });
  const askers = await findCallerNames(
    db,
    rows.map(({ askerId }) => askerId),
  );
  const makers = await findUserNames(
    db,
    rows.map(({ createdBy }) => createdBy),
  );
  return rows.map((row) => ({
    ...row,
    createdBy: makers.get(row.createdBy) ?? null,
    askerName: askers.get(row.askerId) ?? null,
  }));
}

/** All of the workspace, by property. */
export const findRules = (db: Db): Promise<RuleRow[]> => findRulesWhere(db, {});

export const findRule = async (db: Db, id: string): Promise<RuleRow | null> =>
  (await findRulesWhere(db, { id }))[0] ?? null;

type NewRule = Pick<ApprovalRule, "id" | "askerId" | "property" | "createdBy">;

/** False: there are all of them already. */
export const insertRules = async (db: Db, rules: readonly NewRule[]): Promise<boolean> =>
  (await db.prisma.approvalRule.createMany({ data: [...rules], skipDuplicates: true })).count > 0;

export const removeRule = async (db: Db, id: string): Promise<void> => {
  await db.prisma.approvalRule.deleteMany({ where: { id } });
};

export const removeRulesOf = async (db: Db, askers: readonly string[]): Promise<void> => {
  await db.prisma.approvalRule.deleteMany({ where: { askerId: { in: [...askers] } } });
};

/** The connection of the same client by the same member before this one, if it was not ended; `isOver`: it ended by itself. */
export async function findLastConnection(db: Db, grantId: string): Promise<{ id: string; isOver: boolean } | null> {
  const earlier = (await findLine(db, grantId)).filter((id) => id !== grantId);
  const last = await db.prisma.oauthGrant.findFirst({
    where: { id: { in: earlier }, revokedAt: null },
    select: { id: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  if (!last) return null;
  // Someone may be ending it, and its rules with it.
  await lockRow(db, "oauth_grants", last.id);
  const grant = await db.prisma.oauthGrant.findFirst({
    where: { id: last.id, revokedAt: null },
    select: { expiresAt: true },
  });
  return grant && { id: last.id, isOver: grant.expiresAt <= new Date() };
}

/** Gives one key or connection the rules of another; returns their properties. */
export async function copyRules(db: Db, from: string, to: string, id: () => string): Promise<string[]> {
  const rules = await db.prisma.approvalRule.findMany({
    where: { askerId: from },
    select: { property: true, createdBy: true, createdAt: true },
  });
  await db.prisma.approvalRule.createMany({ data: rules.map((rule) => ({ ...rule, id: id(), askerId: to })) });
  return rules.map(({ property }) => property).sort();
}
