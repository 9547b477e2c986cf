import type { Scope } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { mentionsAny, mentionValues } from "#lib/db/mentions.ts";
import { sql } from "#lib/db/statement.ts";
import type { ApprovalStatus } from "./contract.ts";

export type ApprovalRow = {
  id: string;
  operation: string;
  /** JSON, or sealed when `encrypted` */
  input: string;
  encrypted: boolean;
  /** `<actor type>:<actor id>` */
  actor: string;
  askerId: string;
  /** name of the API key that asked, or of the connected client and its member */
  askerName: string | null;
  scopes: Scope[];
  client: string | null;
  requestId: string;
  requestedAt: Date;
  expiresAt: Date;
  status: ApprovalStatus;
  decidedAt: Date | null;
  /** name of the person who decided */
  decidedBy: string | null;
  reason: string | null;
  /** JSON */
  result: string | null;
};

/** What is overdue counts as expired before the maintenance says so. */
const STATUS = "CASE WHEN a.status = 'pending' AND a.expires_at <= now() THEN 'expired' ELSE a.status::text END";

const SELECT = `SELECT a.id, a.operation, a.input, a.encrypted, a.actor, a.asker_id AS "askerId",
    coalesce(k.name, g.client_name || ' (' || coalesce(nullif(gu.name, ''), gu.email, 'former user') || ')') AS "askerName",
    a.scopes::text[] AS scopes, a.client, a.request_id AS "requestId", a.requested_at AS "requestedAt", a.expires_at AS "expiresAt",
    ${STATUS} AS status, a.decided_at AS "decidedAt", coalesce(nullif(u.name, ''), u.email) AS "decidedBy", a.reason, a.result
  FROM approvals a
  LEFT JOIN api_keys k ON k.workspace_id = a.workspace_id AND k.id = a.asker_id
  LEFT JOIN oauth_grants g ON g.workspace_id = a.workspace_id AND g.id = a.asker_id
  LEFT JOIN users gu ON gu.id = g.user_id
  LEFT JOIN users u ON u.id = a.decided_by`;

// api_keys_pkey: a workspace has tens of keys
const before = sql(
  "approvals_askers",
  `WITH RECURSIVE line AS (
     SELECT $1::uuid AS id
     UNION SELECT k.id FROM api_keys k JOIN line ON k.replaced_by = line.id WHERE k.workspace_id = $workspace)
   SELECT id FROM line`,
);

/** A key, and the keys that it was rotated from; a connected client is alone. */
export const findLine = async (db: Db, askerId: string): Promise<string[]> =>
  (await db.query<{ id: string }>(before, [askerId])).map(({ id }) => id);

// approvals_pkey, approvals_workspace_id_status_id_idx or approvals_workspace_id_asker_id_id_idx, as the filter is;
// api_keys_pkey, oauth_grants_pkey and users_pkey for a page
const page = sql(
  "approvals_page",
  `${SELECT} WHERE a.workspace_id = $workspace AND ($2::uuid IS NULL OR a.id < $2) AND ($3::uuid[] IS NULL OR a.asker_id = ANY($3))
     AND ($4::text IS NULL OR ${STATUS} = $4)
   ORDER BY a.id DESC LIMIT $1`,
);

type Filter = { limit: number; after: string | null; askers: readonly string[] | null; status: ApprovalStatus | null };

/** Newest first. `askers`: only what these keys or clients asked for. */
export const findApprovals = (db: Db, { limit, after, askers, status }: Filter): Promise<ApprovalRow[]> =>
  db.query<ApprovalRow>(page, [limit, after, askers, status]);

// approvals_workspace_id_status_id_idx
const pending = sql(
  "approvals_pending",
  `SELECT count(*)::int AS pending FROM approvals
   WHERE workspace_id = $workspace AND status = 'pending' AND expires_at > now() AND ($1::uuid[] IS NULL OR asker_id = ANY($1))`,
);

export const countPending = async (db: Db, askers: readonly string[] | null): Promise<number> =>
  (await db.query<{ pending: number }>(pending, [askers]))[0]?.pending ?? 0;

// approvals_pkey; api_keys_pkey, oauth_grants_pkey, users_pkey
const one = sql("approval_one", `${SELECT} WHERE a.workspace_id = $workspace AND a.id = $1`);
const oneLocked = sql("approval_one_locked", `${one.text} FOR UPDATE OF a`);

export const findApproval = async (db: Db, id: string): Promise<ApprovalRow | null> =>
  (await db.query<ApprovalRow>(one, [id]))[0] ?? null;

/** Locked until this transaction ends. */
export const findApprovalToDecide = async (db: Db, id: string): Promise<ApprovalRow | null> =>
  (await db.query<ApprovalRow>(oneLocked, [id]))[0] ?? null;

// users_pkey
const userName = sql(
  "approvals_user_name",
  "SELECT coalesce(nullif(name, ''), email) AS name FROM users WHERE id = $1",
);

/** What a person is called. */
export const findUserName = async (db: Db, userId: string): Promise<string | null> =>
  (await db.query<{ name: string }>(userName, [userId]))[0]?.name ?? null;

export type Decision = {
  status: "approved" | "failed" | "rejected";
  userId: string | null;
  reason: string | null;
  result: unknown;
};

// approvals_pkey
const decide = sql(
  "approval_decide",
  `UPDATE approvals SET status = $2::approval_status, decided_at = now(), decided_by = $3, reason = $4, result = $5
   WHERE workspace_id = $workspace AND id = $1`,
);

export async function markDecided(db: Db, id: string, { status, userId, reason, result }: Decision): Promise<void> {
  await db.query(decide, [id, status, userId, reason, result === null ? null : JSON.stringify(result)]);
}

// approvals_pkey
const complete = sql(
  "approval_complete",
  "UPDATE approvals SET result = $2 WHERE workspace_id = $workspace AND id = $1 AND status = 'approved' AND result IS NOT NULL",
);

/** Replaces the result of an approved change by the completed one. */
export async function setResult(db: Db, id: string, result: unknown): Promise<void> {
  await db.query(complete, [id, JSON.stringify(result)]);
}

// approvals_workspace_id_asker_id_id_idx
const cancel = sql(
  "approvals_cancel",
  `UPDATE approvals SET status = 'cancelled', decided_at = now(), reason = $2
   WHERE workspace_id = $workspace AND asker_id = ANY($1) AND status = 'pending' RETURNING id`,
);

/** Cancels what these keys or clients have waiting; returns how many. */
export const cancelPending = async (db: Db, askers: readonly string[], reason: string): Promise<number> =>
  (await db.query(cancel, [askers, reason])).length;

// approvals hold 90 days at most; read whole
const forget = sql(
  "approvals_forget",
  `UPDATE approvals SET input = '{}', size = 0, result = NULL,
     decided_at = CASE WHEN status = 'pending' THEN now() ELSE decided_at END,
     reason = CASE WHEN status = 'pending' THEN $2 END,
     status = CASE WHEN status = 'pending' THEN 'cancelled'::approval_status ELSE status END
   WHERE workspace_id = $workspace AND NOT encrypted
     AND (${["input", "result", "reason"].map((column) => mentionsAny(column, "$1", "$3")).join(" OR ")})
   RETURNING id`,
);

/** Empties what mentions one of these identifiers, and cancels it if it waits; returns how many. */
export async function forgetMentions(db: Db, identifiers: readonly string[], reason: string): Promise<number> {
  const [texts, patterns] = mentionValues(identifiers);
  return (await db.query(forget, [texts, reason, patterns])).length;
}

// approvals_workspace_id_status_id_idx
const expire = sql(
  "approvals_expire",
  `UPDATE approvals SET status = 'expired', decided_at = expires_at WHERE workspace_id = $workspace AND id IN (
     SELECT id FROM approvals WHERE workspace_id = $workspace AND status = 'pending' AND expires_at <= now() LIMIT $1)
     AND status = 'pending' AND expires_at <= now()
   RETURNING id`,
);

/** Marks at most `limit` overdue changes as expired; returns how many. */
export const expireOverdue = async (db: Db, limit: number): Promise<number> => (await db.query(expire, [limit])).length;

// approvals_workspace_id_status_id_idx
const remove = sql(
  "approvals_remove",
  `DELETE FROM approvals WHERE workspace_id = $workspace AND id IN (
     SELECT id FROM approvals WHERE workspace_id = $workspace AND status <> 'pending' AND decided_at <= now() - make_interval(days => $1) LIMIT $2)
   RETURNING id`,
);

/** Removes at most `limit` changes that were decided so many days ago; returns how many. */
export const removeDecided = async (db: Db, days: number, limit: number): Promise<number> =>
  (await db.query(remove, [days, limit])).length;
