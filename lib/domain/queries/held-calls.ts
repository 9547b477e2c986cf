import { findLine, findSuccessors } from "#lib/auth/queries/api-keys.ts";
import type { KeyScope } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { lock } from "#lib/db/locks.ts";
import { DAY_MS } from "#lib/text/time.ts";

/** What a caller has waiting. `revoked`: its key or grant was revoked since the request was authenticated. */
export type Load = { pending: number; bytes: number; revoked: boolean };

const stillPending = () => ({ status: "pending", expiresAt: { gt: new Date() } }) as const;

/**
 * How many calls, or how many values (`fields`), of a key or grant wait, with those of the keys it was rotated from and to, or of
 * the client's other connections; nothing more of them is added or cancelled until this transaction ends.
 */
export async function holdLoad(db: Db, askerId: string, { fields = false } = {}): Promise<Load> {
  const earlier = await findLine(db, askerId);
  // Two of one line have the oldest of it in common.
  await lock(db, "approvals", earlier);
  const line = [...new Set([...earlier, ...(await findSuccessors(db, askerId))])];
  const { _count, _sum } = await db.prisma.approval.aggregate({
    where: { askerId: { in: line }, ...stillPending(), property: fields ? { not: null } : null },
    _count: true,
    _sum: { size: true },
  });
  const revoked = { where: { id: askerId, revokedAt: { not: null } } };
  const ended = (await db.prisma.apiKey.count(revoked)) + (await db.prisma.oauthGrant.count(revoked));
  return { pending: _count, bytes: _sum.size ?? 0, revoked: ended > 0 };
}

/** `entityId` and `property`: of one value that was kept back from a call. */
export type NewApproval = {
  id: string;
  operation: string;
  input: string;
  encrypted: boolean;
  size: number;
  actor: string;
  askerId: string;
  scopes: readonly KeyScope[];
  client: string | null;
  requestId: string;
  entityId?: string;
  property?: string;
};

/** A change that is not decided in this time expires. */
const DAYS = 14;

export async function insertApprovals(db: Db, approvals: readonly NewApproval[]): Promise<void> {
  const expiresAt = new Date(Date.now() + DAYS * DAY_MS);
  await db.prisma.approval.createMany({
    data: approvals.map(({ scopes, ...approval }) => ({ ...approval, scopes: [...scopes], expiresAt })),
  });
}

/** `rejectedAt` null: it waits. */
export type FieldAsked = { id: string; entityId: string; property: string; input: string; rejectedAt: Date | null };

/**
 * The values that a key or grant, or a key in whose place it is, has waiting for these records, or that were rejected; the
 * latest first.
 */
export async function findFieldsAsked(db: Db, askerId: string, entityIds: readonly string[]): Promise<FieldAsked[]> {
  const rows = await db.prisma.approval.findMany({
    where: {
      askerId: { in: await findLine(db, askerId) },
      entityId: { in: [...entityIds] },
      property: { not: null },
      OR: [stillPending(), { status: "rejected" }],
    },
    select: { id: true, entityId: true, property: true, input: true, status: true, decidedAt: true },
    orderBy: { id: "desc" },
  });
  return rows.map(({ status, decidedAt, entityId, property, ...row }) => ({
    ...{ ...row, rejectedAt: status === "rejected" ? decidedAt : null },
    ...{ entityId: entityId as string, property: property as string },
  }));
}

/** Cancels changes that wait, because the same caller now says something else. */
export async function replacePending(db: Db, ids: readonly string[]): Promise<void> {
  await db.prisma.approval.updateMany({
    where: { id: { in: [...ids] }, status: "pending" },
    data: { status: "cancelled", decidedAt: new Date(), reason: "A later value of the same client took its place." },
  });
}

/** The properties that a key or grant may set although a person said their value. */
export const findAllowed = async (db: Db, askerId: string): Promise<string[]> =>
  (await db.prisma.approvalRule.findMany({ where: { askerId }, select: { property: true } })).map(
    ({ property }) => property,
  );
