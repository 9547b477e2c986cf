import type { KeyScope } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { lock } from "#lib/db/locks.ts";
import { DAY_MS } from "#lib/text/time.ts";

/** What a caller has waiting. `revoked`: its key or grant was revoked since the request was authenticated. */
export type Load = { pending: number; bytes: number; revoked: boolean };

/** How much of a key or grant waits; nothing more of it is added or cancelled until this transaction ends. */
export async function holdLoad(db: Db, askerId: string): Promise<Load> {
  await lock(db, "approvals", [askerId]);
  const { _count, _sum } = await db.prisma.approval.aggregate({
    where: { askerId, status: "pending", expiresAt: { gt: new Date() } },
    _count: true,
    _sum: { size: true },
  });
  const revoked = { where: { id: askerId, revokedAt: { not: null } } };
  const ended = (await db.prisma.apiKey.count(revoked)) + (await db.prisma.oauthGrant.count(revoked));
  return { pending: _count, bytes: _sum.size ?? 0, revoked: ended > 0 };
}

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
  days: number;
};

export async function insertApproval(db: Db, { days, scopes, ...approval }: NewApproval): Promise<void> {
  const expiresAt = new Date(Date.now() + days * DAY_MS);
  await db.prisma.approval.create({ data: { ...approval, scopes: [...scopes], expiresAt }, select: { id: true } });
}
