import type { Scope } from "#lib/core/plans.ts";
import type { Db } from "./handle.ts";
import { lock } from "./locks.ts";
import { sql } from "./statement.ts";

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

const insert = sql(
  "approval_insert",
  `INSERT INTO approvals (workspace_id, id, operation, input, encrypted, size, actor, asker_id, scopes, client, request_id, expires_at)
   VALUES ($workspace, $1, $2, $3, $4, $5, $6, $7, $8::scope[], $9, $10, now() + make_interval(days => $11))`,
);

export async function insertApproval(db: Db, approval: NewApproval): Promise<void> {
  const { id, operation, input, encrypted, size, actor, askerId, scopes, client, requestId, days } = approval;
  await db.query(insert, [id, operation, input, encrypted, size, actor, askerId, scopes, client, requestId, days]);
}
