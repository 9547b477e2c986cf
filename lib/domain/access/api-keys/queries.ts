import { tellAccessChange } from "#lib/auth/key-changes.ts";
import { findActorNames } from "#lib/auth/queries/names.ts";
import type { RecordKind } from "#lib/core/limits.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { lockRow } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { ApiKey } from "#prisma/generated/client.ts";

export type KeyRow = Omit<ApiKey, "workspaceId" | "keyHash" | "kinds"> & {
  kinds: RecordKind[];
  /** name of the person who minted it; null when it was not a person, or the user is gone */
  creator: string | null;
};

async function findKeysWhere(db: Db, where: { id?: string }): Promise<KeyRow[]> {
  const keys = await db.prisma.apiKey.findMany({
    where,
    omit: { workspaceId: true, keyHash: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  const people = keys.filter(({ createdBy }) => createdBy.startsWith("user:"));
  const names = await findActorNames(
    db,
    people.map(({ createdBy }) => createdBy),
  );
  return keys.map((key) => ({
    ...key,
    kinds: key.kinds as RecordKind[],
    creator: names.get(key.createdBy) ?? null,
  }));
}

/** Every key of the workspace, newest first. */
export const findKeys = (db: Db): Promise<KeyRow[]> => findKeysWhere(db, {});

export const findKey = async (db: Db, id: string): Promise<KeyRow | null> =>
  (await findKeysWhere(db, { id }))[0] ?? null;

/** The key, locked until this transaction ends. */
export async function findKeyToChange(db: Db, id: string): Promise<KeyRow | null> {
  await lockRow(db, "api_keys", id);
  return findKey(db, id);
}

/** Keys that users, or one of them, made for the workspace on its page and that still work, oldest first. */
export const findWorkingKeysOf = (db: Db, userId?: string): Promise<Pick<KeyRow, "name" | "prefix" | "createdBy">[]> =>
  db.prisma.apiKey.findMany({
    where: {
      createdBy: userId === undefined ? { startsWith: "user:" } : `user:${userId}`,
      loginUserId: null,
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
    },
    select: { name: true, prefix: true, createdBy: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });

export type NewKey = Pick<
  KeyRow,
  | "id"
  | "name"
  | "prefix"
  | "lastFour"
  | "scopes"
  | "allowedCidrs"
  | "createdBy"
  | "createdAt"
  | "expiresAt"
  | "approval"
  | "kinds"
  | "hiddenFields"
  | "loginUserId"
> & {
  hash: Buffer;
};

export async function insertKey(db: Db, { hash, ...key }: NewKey): Promise<void> {
  await db.prisma.apiKey.create({ data: { ...key, keyHash: new Uint8Array(hash) }, select: { id: true } });
}

// api_keys_pkey. Authentication compares with the database's clock, so this does too.
const replace = sql(
  "api_key_replace",
  `UPDATE api_keys SET replaced_by = $2, expires_at = least(expires_at, now() + make_interval(hours => $3))
   WHERE workspace_id = $workspace AND id = $1`,
);

/** The key expires after `overlapHours`, or earlier if it was due to expire earlier. */
export async function markReplaced(db: Db, id: string, successorId: string, overlapHours: number): Promise<void> {
  await together([db.query(replace, [id, successorId, overlapHours]), tellAccessChange(db)]);
}

export async function updateKey(
  db: Db,
  id: string,
  key: Pick<KeyRow, "approval" | "kinds" | "hiddenFields">,
): Promise<void> {
  await together([db.prisma.apiKey.updateMany({ where: { id }, data: key }), tellAccessChange(db)]);
}

export async function markRevoked(db: Db, id: string): Promise<void> {
  await together([
    db.prisma.apiKey.updateMany({ where: { id }, data: { revokedAt: new Date() } }),
    tellAccessChange(db),
  ]);
}

// api_keys_pkey: a workspace has tens of keys
const lockOfLogins = sql(
  "api_keys_of_logins_locked",
  "SELECT id FROM api_keys WHERE workspace_id = $workspace AND login_user_id = $1 ORDER BY id FOR UPDATE",
);
/** Revokes the keys that the user's device logins made, and those that replaced them. Locked first: a key that another transaction just put in the place of one is then seen. */
export async function markKeysOfLoginsRevoked(db: Db, userId: string): Promise<Pick<KeyRow, "id" | "name">[]> {
  await db.query(lockOfLogins, [userId]);
  const [revoked] = await together([
    db.prisma.apiKey.updateManyAndReturn({
      where: { loginUserId: userId, revokedAt: null },
      data: { revokedAt: new Date() },
      select: { id: true, name: true },
    }),
    tellAccessChange(db),
  ]);
  return revoked;
}
