import type { Db } from "#lib/db/handle.ts";
import { lock } from "#lib/db/locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { Provider } from "./contract.ts";

export type WebhookStatus = "none" | "pending" | "live" | "failed";

/** A connection as stored; credentials and secret are sealed. */
export type ConnectionRow = {
  id: string;
  provider: string;
  name: string | null;
  credentials: string;
  signingSecret: string | null;
  accountId: string | null;
  account: string | null;
  isVerified: boolean;
  webhookStatus: WebhookStatus;
  webhookId: string | null;
  lastEventAt: Date | null;
  message: string | null;
  ownAddresses: string[];
  reconciledTo: Date | null;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  removedAt: Date | null;
};

const COLUMNS = `id, provider, name, credentials, signing_secret AS "signingSecret", account_id AS "accountId", account,
  is_verified AS "isVerified", webhook_status::text AS "webhookStatus", webhook_id AS "webhookId", last_event_at AS "lastEventAt",
  message, own_addresses AS "ownAddresses", reconciled_to AS "reconciledTo", created_by AS "createdBy", created_at AS "createdAt",
  updated_at AS "updatedAt", removed_at AS "removedAt"`;

// connections_standing_key
const standing = sql(
  "connection_standing",
  `SELECT ${COLUMNS} FROM connections WHERE workspace_id = $workspace AND provider = $1 AND removed_at IS NULL`,
);

/** The connection of a provider; null when there is none. */
export const findConnection = async (db: Db, provider: string): Promise<ConnectionRow | null> =>
  (await db.query<ConnectionRow>(standing, [provider]))[0] ?? null;

// connections_standing_key. At most one write a second, so that deliveries do not wait for each other's row.
const delivered = sql(
  "connection_delivered",
  `UPDATE connections SET webhook_status = 'live', last_event_at = greatest(last_event_at, $2), updated_at = now(),
     message = CASE WHEN webhook_status = 'live' THEN message END
   WHERE workspace_id = $workspace AND provider = $1 AND removed_at IS NULL
     AND (webhook_status <> 'live' OR last_event_at IS NULL OR last_event_at < $2::timestamptz - interval '1 second')`,
);

/** A verified delivery came: the webhook works, so an earlier error about it is cleared. */
export async function markLive(db: Db, provider: string, at: Date): Promise<void> {
  await db.query(delivered, [provider, at]);
}

const allStanding = sql(
  "connections_standing",
  `SELECT ${COLUMNS} FROM connections WHERE workspace_id = $workspace AND removed_at IS NULL`,
);

/** Every connection of the workspace. A workspace has a handful. */
export const findConnections = (db: Db): Promise<ConnectionRow[]> => db.query<ConnectionRow>(allStanding);

// connections_pkey
const byId = sql("connection_by_id", `SELECT ${COLUMNS} FROM connections WHERE workspace_id = $workspace AND id = $1`);

/** A connection by its id, removed ones included. */
export const findConnectionById = async (db: Db, id: string): Promise<ConnectionRow | null> =>
  (await db.query<ConnectionRow>(byId, [id]))[0] ?? null;

/** A provider is connected or disconnected by one caller at a time. */
export const lockProvider = (db: Db, provider: string): Promise<void> => lock(db, "connection", [provider]);

export type NewConnection = Pick<
  ConnectionRow,
  | "id"
  | "provider"
  | "name"
  | "credentials"
  | "signingSecret"
  | "accountId"
  | "account"
  | "webhookStatus"
  | "ownAddresses"
> & { createdBy: string };

const insert = sql(
  "connection_insert",
  `INSERT INTO connections (workspace_id, id, provider, name, credentials, signing_secret, account_id, account, is_verified,
     webhook_status, own_addresses, created_by)
   VALUES ($workspace, $1, $2, $3, $4, $5, $6, $7, true, $8::webhook_status, $9, $10)`,
);

export async function insertConnection(db: Db, row: NewConnection): Promise<void> {
  const { id, provider, name, credentials, signingSecret, accountId, account } = row;
  const { webhookStatus, ownAddresses, createdBy } = row;
  const values = [id, provider, name, credentials, signingSecret, accountId, account];
  await db.query(insert, [...values, webhookStatus, ownAddresses, createdBy]);
}

// connections_pkey
const renew = sql(
  "connection_renew",
  `UPDATE connections SET name = coalesce($2, name), credentials = $3, signing_secret = $4, account_id = $5, account = $6,
     is_verified = true, webhook_status = $7::webhook_status, own_addresses = $8, message = NULL, updated_at = now()
   WHERE workspace_id = $workspace AND id = $1`,
);

/** New credentials of the same account. */
export async function renewConnection(db: Db, row: Omit<NewConnection, "provider" | "createdBy">): Promise<void> {
  const { id, name, credentials, signingSecret, accountId, account, webhookStatus, ownAddresses } = row;
  await db.query(renew, [id, name, credentials, signingSecret, accountId, account, webhookStatus, ownAddresses]);
}

// connections_pkey
const remove = sql(
  "connection_remove",
  "UPDATE connections SET removed_at = now(), updated_at = now() WHERE workspace_id = $workspace AND id = $1",
);
const erase = sql("connection_delete", "DELETE FROM connections WHERE workspace_id = $workspace AND id = $1");

/** Disconnected; the row stays until its webhook is deleted at the provider. */
export async function markRemoved(db: Db, id: string): Promise<void> {
  await db.query(remove, [id]);
}

// connections_pkey: a workspace has a handful
const removed = sql(
  "connection_has_removed",
  `SELECT EXISTS (SELECT FROM connections WHERE workspace_id = $workspace AND provider = $1 AND removed_at IS NOT NULL) AS found`,
);

/** Whether a removed connection still has a webhook to delete. */
export const hasRemoved = async (db: Db, provider: string): Promise<boolean> =>
  (await db.query<{ found: boolean }>(removed, [provider]))[0]?.found === true;

export async function deleteConnection(db: Db, id: string): Promise<void> {
  await db.query(erase, [id]);
}

// connections_pkey
const registered = sql(
  "connection_registered",
  `UPDATE connections SET webhook_id = $2, message = NULL, is_verified = true, updated_at = now(),
     webhook_status = CASE WHEN webhook_status = 'live' THEN webhook_status ELSE 'pending' END
   WHERE workspace_id = $workspace AND id = $1`,
);

/** The provider delivers to us through this webhook. A delivery may have come before we knew. */
export async function markRegistered(db: Db, id: string, webhookId: string): Promise<void> {
  await db.query(registered, [id, webhookId]);
}

// connections_pkey
const registering = sql(
  "connection_registering",
  `UPDATE connections SET webhook_status = $2::webhook_status, message = NULL, updated_at = now()
   WHERE workspace_id = $workspace AND id = $1`,
);

export async function setWebhookStatus(db: Db, id: string, status: WebhookStatus): Promise<void> {
  await db.query(registering, [id, status]);
}

// connections_pkey
const failed = sql(
  "connection_trouble",
  `UPDATE connections SET message = $2, is_verified = is_verified AND NOT $3, updated_at = now(),
     webhook_status = CASE WHEN $4 THEN 'failed' ELSE webhook_status END
   WHERE workspace_id = $workspace AND id = $1`,
);

/**
 * What is wrong, in words for people. `refused`: the credentials no longer work. `webhook`: it is about setting up the
 * webhook.
 */
export async function markTrouble(
  db: Db,
  id: string,
  { message, refused, webhook }: { message: string; refused: boolean; webhook: boolean },
): Promise<void> {
  await db.query(failed, [id, message, refused, webhook]);
}

// connections_standing_key
const well = sql(
  "connection_well",
  `UPDATE connections SET is_verified = true, updated_at = now(),
     message = CASE WHEN webhook_status = 'failed' THEN message END
   WHERE workspace_id = $workspace AND provider = $1 AND removed_at IS NULL
     AND (NOT is_verified OR (message IS NOT NULL AND webhook_status <> 'failed'))`,
);

/** The provider answered correctly: errors are cleared, except those about the webhook. */
export async function markWell(db: Db, provider: string): Promise<void> {
  await db.query(well, [provider]);
}

// connections_pkey
const reconciled = sql(
  "connection_reconciled",
  `UPDATE connections SET reconciled_to = greatest(reconciled_to, $2) WHERE workspace_id = $workspace AND id = $1`,
);

/** Changes at the provider up to then are recorded. */
export async function markReconciled(db: Db, id: string, to: Date): Promise<void> {
  await db.query(reconciled, [id, to]);
}

// connections_pkey; users_pkey, api_keys_pkey, oauth_grants_pkey
const creator = sql(
  "connection_creator",
  `SELECT coalesce(
     (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u WHERE $1 LIKE 'user:%' AND u.id = CASE WHEN $1 LIKE 'user:%' THEN substr($1, 6)::uuid END),
     (SELECT k.name FROM api_keys k WHERE k.workspace_id = $workspace
        AND k.id = CASE WHEN $1 LIKE 'api_key:%' THEN substr($1, 9)::uuid WHEN $1 LIKE 'mcp:%' THEN substr($1, 5)::uuid END),
     (SELECT g.client_name || ' (' || coalesce(nullif(u.name, ''), u.email, 'former user') || ')' FROM oauth_grants g LEFT JOIN users u ON u.id = g.user_id
      WHERE g.workspace_id = $workspace AND g.id = CASE WHEN $1 LIKE 'mcp:%' THEN substr($1, 5)::uuid END)) AS name`,
);

/** The name of the person, key or connected client that connected. */
export const findCreatorName = async (db: Db, createdBy: string): Promise<string | null> =>
  (await db.query<{ name: string | null }>(creator, [createdBy]))[0]?.name ?? null;

/** Requests turned away for one reason. */
export type RefusalRow = {
  provider: Provider;
  code: string;
  count: number;
  firstAt: Date;
  lastAt: Date;
  /** how many of them since the last verified delivery, or since the provider was set up, and since when */
  standing: number;
  standingSince: Date | null;
};

// inbound_refusals_pkey
const refuse = sql(
  "inbound_refuse",
  `INSERT INTO inbound_refusals AS r (workspace_id, provider, code, count, first_at, last_at, standing, standing_since)
   VALUES ($workspace, $1, $2, $3, clock_timestamp(), clock_timestamp(), $4, clock_timestamp())
   ON CONFLICT (workspace_id, provider, code) DO UPDATE SET count = r.count + excluded.count, last_at = excluded.last_at,
     standing = r.standing + excluded.standing,
     standing_since = CASE WHEN r.standing = 0 THEN excluded.standing_since ELSE r.standing_since END`,
);

/** Counts requests that were turned away; `standing`: how many of them came after the last verified delivery. */
export async function addRefusals(
  db: Db,
  provider: string,
  code: string,
  { count, standing }: Pick<RefusalRow, "count" | "standing">,
): Promise<void> {
  await db.query(refuse, [provider, code, count, standing]);
}

// inbound_refusals_pkey
const refusals = sql(
  "inbound_refusals",
  `SELECT provider, code, count, first_at AS "firstAt", last_at AS "lastAt", standing, standing_since AS "standingSince"
   FROM inbound_refusals WHERE workspace_id = $workspace ORDER BY last_at DESC`,
);

export const findRefusals = (db: Db): Promise<RefusalRow[]> => db.query<RefusalRow>(refusals);

// inbound_refusals_pkey; usually there are none
const forgive = sql(
  "inbound_refusals_forgive",
  "UPDATE inbound_refusals SET standing = 0 WHERE workspace_id = $workspace AND provider = $1 AND standing > 0",
);

/** Clears what was turned away so far; sent with the COMMIT. */
export function endStanding(db: Db, provider: string): void {
  void db.defer(forgive, [provider]);
}
