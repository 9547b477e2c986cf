import type { Scope } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { lock } from "#lib/db/locks.ts";
import { sql } from "#lib/db/statement.ts";
import { DAY_MS } from "#lib/text/time.ts";

/** What a caller has waiting. `revoked`: its key or grant was revoked since the request was authenticated. */
export type Load = { pending: number; bytes: number; revoked: boolean };

// approvals_workspace_id_asker_id_id_idx; api_keys_pkey, oauth_grants_pkey
const load = sql(
  "approvals_load",
  `SELECT count(*)::int AS pending, coalesce(sum(size), 0)::int AS bytes,
     EXISTS (SELECT FROM api_keys WHERE workspace_id = $workspace AND id = $1 AND revoked_at IS NOT NULL)
       OR EXISTS (SELECT FROM oauth_grants WHERE workspace_id = $workspace AND id = $1 AND revoked_at IS NOT NULL) AS revoked
   FROM approvals WHERE workspace_id = $workspace AND asker_id = $1 AND status = 'pending' AND expires_at > now()`,
);

/** How much of a key or grant waits; nothing more of it is added or cancelled until this transaction ends. */
export async function holdLoad(db: Db, askerId: string): Promise<Load> {
  await lock(db, "approvals", [askerId]);
  const [row] = await db.query<Load>(load, [askerId]);
  if (!row) throw new Error("the count did not come");
  return row;
}

export type NewApproval = {
  id: string;
  operation: string;
  input: string;
  encrypted: boolean;
  size: number;
  actor: string;
  askerId: string;
  scopes: readonly Scope[];
  client: string | null;
  requestId: string;
  days: number;
};

export async function insertApproval(db: Db, { days, scopes, ...approval }: NewApproval): Promise<void> {
  const expiresAt = new Date(Date.now() + days * DAY_MS);
  await db.prisma.approval.create({ data: { ...approval, scopes: [...scopes], expiresAt }, select: { id: true } });
}
