import { findActorNames } from "#lib/auth/queries/names.ts";
import type { Db } from "#lib/db/handle.ts";
import { lock } from "#lib/db/locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { Connection, Prisma, WebhookStatus } from "#prisma/generated/client.ts";
import type { Provider } from "./contract.ts";

export type { WebhookStatus };

/** A connection as stored; credentials and secret are sealed. */
export type ConnectionRow = Omit<Connection, "workspaceId">;

const omit = { workspaceId: true } as const;

/** The connection of a provider; null when there is none. */
export const findConnection = (db: Db, provider: string): Promise<ConnectionRow | null> =>
  db.prisma.connection.findFirst({ where: { provider, removedAt: null }, omit });

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

/** Every connection of the workspace. A workspace has a handful. */
export const findConnections = (db: Db): Promise<ConnectionRow[]> =>
  db.prisma.connection.findMany({ where: { removedAt: null }, omit });

/** A connection by its id, removed ones included. */
export const findConnectionById = (db: Db, id: string): Promise<ConnectionRow | null> =>
  db.prisma.connection.findFirst({ where: { id }, omit });

/** A provider is connected or disconnected by one caller at a time. */
export const lockProvider = (db: Db, provider: string): Promise<void> => lock(db, "connection", [provider]);

export type NewConnection = Pick<
  ConnectionRow,
  | "id"
  | "provider"
  | "name"
  | "credentials"
  | "signingSecret"
  | "portalId"
  | "portalName"
  | "webhookStatus"
  | "ownAddresses"
  | "credentialsEndAt"
  | "askedAt"
  | "createdBy"
>;

export async function insertConnection(db: Db, row: NewConnection): Promise<void> {
  await db.prisma.connection.create({ data: { ...row, isVerified: true }, select: { id: true } });
}

async function change(
  db: Db,
  where: Prisma.ConnectionWhereInput,
  data: Prisma.ConnectionUpdateManyMutationInput,
): Promise<void> {
  await db.prisma.connection.updateMany({ where, data: { ...data, updatedAt: new Date() } });
}

/** New credentials of the same portal. */
export async function renewConnection(db: Db, row: Omit<NewConnection, "provider" | "createdBy">): Promise<void> {
  const { id, name, ...renewed } = row;
  const named = name === null ? {} : { name };
  await change(db, { id }, { ...named, ...renewed, isVerified: true, message: null });
}

/** Disconnected; the row stays until its webhook is deleted at the provider. */
export const markRemoved = (db: Db, id: string): Promise<void> => change(db, { id }, { removedAt: new Date() });

/** Whether a removed connection still has a webhook to delete. */
export const hasRemoved = async (db: Db, provider: string): Promise<boolean> =>
  (await db.prisma.connection.count({ where: { provider, removedAt: { not: null } } })) > 0;

export async function deleteConnection(db: Db, id: string): Promise<void> {
  await db.prisma.connection.deleteMany({ where: { id } });
}

/** The provider delivers to us through this webhook. A delivery may have come before we knew. */
export async function markRegistered(db: Db, id: string, webhookId: string): Promise<void> {
  await change(db, { id }, { webhookId, message: null, isVerified: true });
  await change(db, { id, webhookStatus: { not: "live" } }, { webhookStatus: "pending" });
}

export const setWebhookStatus = (db: Db, id: string, webhookStatus: WebhookStatus): Promise<void> =>
  change(db, { id }, { webhookStatus, message: null });

/**
 * What is wrong, in words for people. `refused`: the credentials no longer work. `webhook`: it is about setting up the
 * webhook.
 */
export async function markTrouble(
  db: Db,
  id: string,
  { message, refused, webhook }: { message: string; refused: boolean; webhook: boolean },
): Promise<void> {
  const refusal = refused ? { isVerified: false } : {};
  await change(db, { id }, { message, ...refusal, ...(webhook ? { webhookStatus: "failed" as const } : {}) });
}

/** The provider answered correctly: errors are cleared, except those about the webhook. */
export async function markWell(db: Db, provider: string): Promise<void> {
  const standing = { provider, removedAt: null } as const;
  await change(db, { ...standing, webhookStatus: "failed", isVerified: false }, { isVerified: true });
  const troubled = { OR: [{ isVerified: false }, { message: { not: null } }] };
  await change(db, { ...standing, webhookStatus: { not: "failed" }, ...troubled }, { isVerified: true, message: null });
}

/** The provider said whether it accepts the credentials, and until when. */
export async function markAsked(db: Db, id: string, askedAt: Date, credentialsEndAt: Date | null): Promise<void> {
  await db.prisma.connection.updateMany({ where: { id }, data: { askedAt, credentialsEndAt } });
}

/** Whether a provider was not asked since then. */
export const hasUnasked = async (db: Db, since: Date): Promise<boolean> =>
  (await db.prisma.connection.count({
    where: { removedAt: null, OR: [{ askedAt: null }, { askedAt: { lt: since } }] },
  })) > 0;

/** Changes at the provider up to then are recorded. */
export async function markReconciled(db: Db, id: string, to: Date): Promise<void> {
  await db.prisma.connection.updateMany({
    where: { id, OR: [{ reconciledTo: null }, { reconciledTo: { lt: to } }] },
    data: { reconciledTo: to },
  });
}

/** The name of the person, key or connected client that connected. */
export const findCreatorName = async (db: Db, createdBy: string): Promise<string | null> =>
  (await findActorNames(db, [createdBy])).get(createdBy) ?? null;

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

export async function findRefusals(db: Db): Promise<RefusalRow[]> {
  const rows = await db.prisma.inboundRefusal.findMany({ omit: { workspaceId: true }, orderBy: { lastAt: "desc" } });
  return rows.map(({ provider, count, standing, ...row }) => ({
    ...row,
    provider: provider as Provider,
    count: Number(count),
    standing: Number(standing),
  }));
}

// inbound_refusals_pkey; usually there are none
const forgive = sql(
  "inbound_refusals_forgive",
  "UPDATE inbound_refusals SET standing = 0 WHERE workspace_id = $workspace AND provider = $1 AND standing > 0",
);

/** Clears what was turned away so far; sent with the COMMIT. */
export function endStanding(db: Db, provider: string): void {
  void db.defer(forgive, [provider]);
}
