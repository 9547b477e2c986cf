import { newId } from "#lib/core/ids.ts";
import type { Scope } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

export type LoginRow = {
  id: string;
  host: string | null;
  client: string | null;
  ip: string;
  scopes: Scope[];
  interval: number;
  createdAt: Date;
  expiresAt: Date;
  lastPolledAt: Date | null;
  approvedAt: Date | null;
  approvedBy: string | null;
  approvedFor: string | null;
  deniedAt: Date | null;
  consumedAt: Date | null;
};

const COLUMNS = `id, host, client, ip, scopes::text[] AS scopes, poll_seconds AS "interval", created_at AS "createdAt", expires_at AS "expiresAt",
    last_polled_at AS "lastPolledAt", approved_at AS "approvedAt", approved_by AS "approvedBy", approved_for AS "approvedFor",
    denied_at AS "deniedAt", consumed_at AS "consumedAt"`;

export type NewLogin = Pick<LoginRow, "host" | "client" | "ip" | "scopes" | "interval" | "createdAt" | "expiresAt"> & {
  deviceCodeHash: Buffer;
  userCodeHash: Buffer;
};

// device_logins_user_code_hash_key
const insert = sql(
  "device_login_insert",
  `INSERT INTO device_logins (id, device_code_hash, user_code_hash, host, client, ip, scopes, poll_seconds, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7::scope[], $8, $9, $10) ON CONFLICT (user_code_hash) DO NOTHING RETURNING id`,
);

/** False when another login has this user code. */
export async function insertLogin(db: Db, login: NewLogin): Promise<boolean> {
  const { deviceCodeHash, userCodeHash, host, client, ip, scopes, interval, createdAt, expiresAt } = login;
  const values = [newId(), deviceCodeHash, userCodeHash, host, client, ip, scopes, interval, createdAt, expiresAt];
  return (await db.query(insert, values)).length > 0;
}

// device_logins_device_code_hash_key
const byDeviceCode = sql(
  "device_login_by_device_code",
  `SELECT ${COLUMNS} FROM device_logins WHERE device_code_hash = $1 FOR UPDATE`,
);

/** The login of this device code, locked until the transaction ends. */
export const findByDeviceCode = async (db: Db, hash: Buffer): Promise<LoginRow | null> =>
  (await db.query<LoginRow>(byDeviceCode, [hash]))[0] ?? null;

// device_logins_user_code_hash_key
const byUserCode = sql("device_login_by_user_code", `SELECT ${COLUMNS} FROM device_logins WHERE user_code_hash = $1`);
const byUserCodeLocked = sql("device_login_by_user_code_locked", `${byUserCode.text} FOR UPDATE`);

export const findByUserCode = async (db: Db, hash: Buffer): Promise<LoginRow | null> =>
  (await db.query<LoginRow>(byUserCode, [hash]))[0] ?? null;

/** The login of this user code, locked until the transaction ends. */
export const findByUserCodeToDecide = async (db: Db, hash: Buffer): Promise<LoginRow | null> =>
  (await db.query<LoginRow>(byUserCodeLocked, [hash]))[0] ?? null;

// device_logins_pkey
const poll = sql("device_login_poll", "UPDATE device_logins SET last_polled_at = $2, poll_seconds = $3 WHERE id = $1");

export async function markPolled(db: Db, id: string, at: Date, interval: number): Promise<void> {
  await db.query(poll, [id, at, interval]);
}

// device_logins_pkey
const approve = sql(
  "device_login_approve",
  `UPDATE device_logins SET approved_at = $2, approved_by = $3, approved_for = $4, scopes = $5::scope[] WHERE id = $1`,
);

export type Approval = { at: Date; userId: string; workspaceId: string; scopes: readonly Scope[] };

export async function markApproved(db: Db, id: string, { at, userId, workspaceId, scopes }: Approval): Promise<void> {
  await db.query(approve, [id, at, userId, workspaceId, scopes]);
}

// device_logins_pkey
const deny = sql("device_login_deny", "UPDATE device_logins SET denied_at = $2 WHERE id = $1");

export async function markDenied(db: Db, id: string, at: Date): Promise<void> {
  await db.query(deny, [id, at]);
}

// device_logins_pkey
const consume = sql("device_login_consume", "UPDATE device_logins SET consumed_at = $2 WHERE id = $1");

export async function markConsumed(db: Db, id: string, at: Date): Promise<void> {
  await db.query(consume, [id, at]);
}

// device_logins_expires_at_idx
const sweep = sql(
  "device_logins_sweep",
  "DELETE FROM device_logins WHERE expires_at < now() - make_interval(hours => $1)",
);

/** Deletes the logins that expired so many hours ago. */
export async function deleteExpired(db: Db, hours: number): Promise<void> {
  await db.query(sweep, [hours]);
}
