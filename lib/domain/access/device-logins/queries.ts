import { newId } from "#lib/core/ids.ts";
import type { Scope } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { DeviceLogin } from "#prisma/generated/client.ts";

export type LoginRow = Omit<DeviceLogin, "deviceCodeHash" | "userCodeHash">;

export type NewLogin = Pick<LoginRow, "host" | "client" | "ip" | "scopes" | "interval" | "createdAt" | "expiresAt"> & {
  deviceCodeHash: Buffer;
  userCodeHash: Buffer;
};

/** False when another login has this user code. */
export async function insertLogin(db: Db, { deviceCodeHash, userCodeHash, ...login }: NewLogin): Promise<boolean> {
  const hashes = { deviceCodeHash: new Uint8Array(deviceCodeHash), userCodeHash: new Uint8Array(userCodeHash) };
  const { count } = await db.prisma.deviceLogin.createMany({
    data: [{ id: newId(), ...hashes, ...login }],
    skipDuplicates: true,
  });
  return count > 0;
}

type Code = { deviceCodeHash: Uint8Array<ArrayBuffer> } | { userCodeHash: Uint8Array<ArrayBuffer> };

const findLogin = (db: Db, code: Code): Promise<LoginRow | null> =>
  db.prisma.deviceLogin.findFirst({ where: code, omit: { deviceCodeHash: true, userCodeHash: true } });

// device_logins_device_code_hash_key, device_logins_user_code_hash_key
const lockOne = sql(
  "device_login_lock",
  "SELECT FROM device_logins WHERE device_code_hash = $1 OR user_code_hash = $1 FOR UPDATE",
);

async function lockLogin(db: Db, hash: Buffer, code: Code): Promise<LoginRow | null> {
  await db.query(lockOne, [hash]);
  return findLogin(db, code);
}

/** The login of this device code, locked until the transaction ends. */
export const findByDeviceCode = (db: Db, hash: Buffer): Promise<LoginRow | null> =>
  lockLogin(db, hash, { deviceCodeHash: new Uint8Array(hash) });

export const findByUserCode = (db: Db, hash: Buffer): Promise<LoginRow | null> =>
  findLogin(db, { userCodeHash: new Uint8Array(hash) });

/** The login of this user code, locked until the transaction ends. */
export const findByUserCodeToDecide = (db: Db, hash: Buffer): Promise<LoginRow | null> =>
  lockLogin(db, hash, { userCodeHash: new Uint8Array(hash) });

const change = async (db: Db, id: string, data: Partial<LoginRow>): Promise<void> => {
  await db.prisma.deviceLogin.updateMany({ where: { id }, data });
};

export const markPolled = (db: Db, id: string, at: Date, interval: number): Promise<void> =>
  change(db, id, { lastPolledAt: at, interval });

export type Approval = { at: Date; userId: string; workspaceId: string; scopes: readonly Scope[] };

export const markApproved = (db: Db, id: string, { at, userId, workspaceId, scopes }: Approval): Promise<void> =>
  change(db, id, { approvedAt: at, approvedBy: userId, approvedFor: workspaceId, scopes: [...scopes] });

export const markDenied = (db: Db, id: string, at: Date): Promise<void> => change(db, id, { deniedAt: at });

/** Denies what a user approved and no program has fetched yet. */
export async function denyApprovedBy(db: Db, userId: string, at: Date): Promise<void> {
  await db.prisma.deviceLogin.updateMany({
    where: { approvedBy: userId, consumedAt: null, deniedAt: null },
    data: { deniedAt: at },
  });
}

export const markConsumed = (db: Db, id: string, at: Date): Promise<void> => change(db, id, { consumedAt: at });

/** Deletes the logins that expired so many hours ago. */
export async function deleteExpired(db: Db, hours: number): Promise<void> {
  await db.prisma.deviceLogin.deleteMany({ where: { expiresAt: { lt: new Date(Date.now() - hours * 3_600_000) } } });
}
