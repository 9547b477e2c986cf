import { type Db, sql } from "#lib/db/transaction.ts";

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
  `SELECT ${COLUMNS} FROM connections WHERE workspace_id = rapport_workspace() AND provider = $1 AND removed_at IS NULL`,
);

/** The connection of a provider; null when there is none. */
export const findConnection = async (db: Db, provider: string): Promise<ConnectionRow | null> =>
  (await db.query<ConnectionRow>(standing, [provider]))[0] ?? null;

// connections_standing_key. At most one write a second, so that deliveries do not wait for each other's row.
const delivered = sql(
  "connection_delivered",
  `UPDATE connections SET webhook_status = 'live', last_event_at = greatest(last_event_at, $2), updated_at = now(),
     message = CASE WHEN webhook_status = 'live' THEN message END
   WHERE workspace_id = rapport_workspace() AND provider = $1 AND removed_at IS NULL
     AND (webhook_status <> 'live' OR last_event_at IS NULL OR last_event_at < $2::timestamptz - interval '1 second')`,
);

/** A verified delivery came: the webhook works, whatever was said about it before. */
export async function markLive(db: Db, provider: string, at: Date): Promise<void> {
  await db.query(delivered, [provider, at]);
}
