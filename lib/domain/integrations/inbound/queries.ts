import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { holdsLocks, lock } from "#lib/db/locks.ts";
import { lockRow, lockWorkspace } from "#lib/db/row-locks.ts";
import { formFor, sql, sqlOfRows } from "#lib/db/statement.ts";
import { mentionsAny, mentionValues } from "#lib/domain/queries/mentions.ts";
import { type InboundDelivery, Prisma } from "#prisma/generated/client.ts";
import type { Attempt, InboundProvider, Status } from "./contract.ts";

/** What is known about a delivery when it arrives. */
export type Arrival = {
  id: string;
  provider: InboundProvider;
  key: string;
  event: string | null;
  title: string | null;
  headers: Readonly<Record<string, string>>;
  payload: string;
};

/** How far a delivery has come. */
export type DeliveryState = {
  status: Status;
  answer: Readonly<Record<string, unknown>>;
  message: string | null;
  contactIds: readonly string[];
  /** It was about people, and none of them is a contact. */
  withoutContact?: boolean;
};

/** A delivery as the log lists it. */
export type DeliveryHead = Omit<InboundDelivery, "workspaceId" | "key" | "payload" | keyof TypedColumns> & TypedColumns;

/** What the columns hold that the schema calls text or JSON. */
type TypedColumns = Omit<DeliveryState, "message"> &
  Pick<Arrival, "provider" | "headers"> & { attempts: readonly Attempt[] };

export type Delivery = DeliveryHead & Pick<Arrival, "payload">;

/** The sender that our own sample names. */
export const SAMPLE_AGENT = "Rapport signed test";

// inbound_deliveries_workspace_id_provider_key_key, always in the same order
const insert = sqlOfRows(
  "inbound_insert",
  (
    limit,
  ) => `INSERT INTO inbound_deliveries (workspace_id, id, provider, key, event, title, headers, payload, status, answer, received_at)
   SELECT $workspace, id, provider, key, event, title, headers::jsonb, payload, 'pending', '{"ok":true,"queued":true}', clock_timestamp()
   FROM (SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
     AS u(id, provider, key, event, title, headers, payload) ${limit}) AS g ORDER BY key
   ON CONFLICT (workspace_id, provider, key) DO NOTHING RETURNING id, received_at AS "receivedAt"`,
);

/**
 * Stores deliveries and returns when each arrived, by id; those that their sender delivered before are left out. Waits
 * for another transaction that is storing the same one.
 */
export async function insertDeliveries(db: Db, deliveries: readonly Arrival[]): Promise<Map<string, Date>> {
  const column = <V>(pick: (delivery: Arrival) => V): V[] => deliveries.map(pick);
  const rows = await db.query<{ id: string; receivedAt: Date }>(formFor(insert, deliveries.length), [
    column(({ id }) => id),
    column(({ provider }) => provider),
    column(({ key }) => key),
    column(({ event }) => event),
    column(({ title }) => title),
    column(({ headers }) => JSON.stringify(headers)),
    column(({ payload }) => payload),
  ]);
  return new Map(rows.map(({ id, receivedAt }) => [id, receivedAt]));
}

// inbound_deliveries_workspace_id_provider_key_key
const byKey = sql(
  "inbound_known",
  `SELECT id, status::text, answer FROM inbound_deliveries
   WHERE workspace_id = $workspace AND provider = $1 AND key = $2`,
);

/** A delivery by its provider and key; null when it is not stored (any more). */
export const findKnown = async (
  db: Db,
  { provider, key }: Pick<Arrival, "provider" | "key">,
): Promise<({ id: string } & Pick<DeliveryState, "status" | "answer">) | null> =>
  (await db.query<{ id: string } & Pick<DeliveryState, "status" | "answer">>(byKey, [provider, key]))[0] ?? null;

/** Puts a delivery that was given up back to waiting; false when it was not given up (any more). */
export const reviveDelivery = async (db: Db, id: string): Promise<boolean> =>
  (await db.prisma.inboundDelivery.updateMany({ where: { id, status: "failed" }, data: { status: "pending" } })).count >
  0;

// inbound_deliveries_pkey. The latest attempts are kept; a delivery that is replayed without end must not grow without end.
const settle = sqlOfRows(
  "inbound_settle",
  (
    limit,
  ) => `UPDATE inbound_deliveries d SET status = g.status, answer = g.answer, message = g.message, without_contact = g.missed,
     contact_ids = CASE WHEN g.contacts <> '' THEN string_to_array(g.contacts, ',')::uuid[] ELSE d.contact_ids END,
     attempts = (SELECT jsonb_agg(kept.value ORDER BY kept.place) FROM (
       SELECT value, place FROM jsonb_array_elements(d.attempts || g.attempt) WITH ORDINALITY AS a(value, place)
       ORDER BY place DESC LIMIT 20) AS kept)
   FROM (SELECT * FROM unnest($1::uuid[], $2::inbound_status[], $3::jsonb[], $4::text[], $5::text[], $6::jsonb[], $7::boolean[])
     AS u(id, status, answer, message, contacts, attempt, missed) ${limit}) AS g
   WHERE d.workspace_id = $workspace AND d.id = g.id`,
);

/** How an attempt at a delivery ended. */
export type AttemptResult = { id: string; state: DeliveryState; attempt: Attempt };

/** Writes how attempts ended; sent with the COMMIT when it is not awaited. */
export function settleDeliveries(db: Db, settled: readonly AttemptResult[]): Promise<unknown> {
  return db.defer(formFor(settle, settled.length), [
    settled.map(({ id }) => id),
    settled.map(({ state }) => state.status),
    settled.map(({ state }) => JSON.stringify(state.answer)),
    settled.map(({ state }) => state.message),
    settled.map(({ state }) => state.contactIds.join(",")),
    settled.map(({ attempt }) => JSON.stringify([attempt])),
    settled.map(({ state }) => state.withoutContact === true),
  ]);
}

export const findDelivery = (db: Db, id: string): Promise<Delivery | null> =>
  db.prisma.inboundDelivery.findFirst({
    where: { id },
    omit: { workspaceId: true, key: true },
  }) as unknown as Promise<Delivery | null>;

/** Like `findDelivery`, locked until the transaction ends, so that attempts run one after another. */
export async function lockDelivery(db: Db, id: string): Promise<Delivery | null> {
  await together([lock(db, "delivery", [id]), lockRow(db, "inbound_deliveries", id)]);
  return findDelivery(db, id);
}

export type LogFilter = {
  provider: string | null;
  status: Status | null;
  /** only those that found no contact */
  withoutContact: boolean;
  after: { at: string; id: string } | null;
};

// inbound_deliveries_provider_idx with a provider, else inbound_deliveries_received_idx
const counted = [false, true].map((ofProvider) =>
  sql(
    `inbound_days${ofProvider ? "_of_provider" : ""}`,
    `SELECT date_trunc('day', received_at, 'UTC') AS day, count(*) FILTER (WHERE status <> 'failed')::int AS delivered,
       count(*) FILTER (WHERE status = 'failed')::int AS failed, min(received_at) AS first FROM (
       SELECT received_at, status FROM inbound_deliveries WHERE workspace_id = $workspace AND ${ofProvider ? "provider = $3" : "$3::text IS NULL"} AND received_at >= $1
       ORDER BY received_at DESC, id DESC LIMIT $2
     ) AS latest GROUP BY 1 ORDER BY 1`,
  ),
);

export type DayRow = { day: Date; delivered: number; failed: number; first: Date };

/** The latest deliveries since a time, by day in UTC: of the days that had some, the oldest first. */
export function countDays(db: Db, since: Date, most: number, provider: string | null): Promise<DayRow[]> {
  const statement = counted[provider === null ? 0 : 1];
  if (!statement) throw new Error("there is a statement with and without a provider");
  return db.query<DayRow>(statement, [since, most, provider]);
}

const aboutNoContact = {
  withoutContact: true,
  // A condition about a header that is not there is neither true nor false.
  OR: [
    { headers: { path: ["user-agent"], not: SAMPLE_AGENT } },
    { headers: { path: ["user-agent"], equals: Prisma.AnyNull } },
  ],
} satisfies Prisma.InboundDeliveryWhereInput;

/** Deliveries since a time that found no contact, counted up to `most`. Uses inbound_deliveries_without_contact_idx. */
export const countWithoutContact = (db: Db, since: Date, most: number): Promise<number> =>
  db.prisma.inboundDelivery.count({ where: { ...aboutNoContact, receivedAt: { gte: since } }, take: most });

/** Deliveries, the latest first. */
export const findDeliveries = (
  db: Db,
  { provider, status, withoutContact, after }: LogFilter,
  limit: number,
): Promise<DeliveryHead[]> =>
  db.prisma.inboundDelivery.findMany({
    where: {
      ...(provider === null ? {} : { provider }),
      ...(withoutContact ? { AND: aboutNoContact } : {}),
      ...(status === null ? {} : { status }),
      // The first condition is for the index.
      ...(after && {
        receivedAt: { lte: after.at },
        OR: [{ receivedAt: { lt: after.at } }, { id: { lt: after.id } }],
      }),
    },
    omit: { workspaceId: true, key: true, payload: true },
    orderBy: [{ receivedAt: "desc" }, { id: "desc" }],
    take: limit,
  }) as unknown as Promise<DeliveryHead[]>;

// workspaces_pkey, inbound_deliveries_received_idx, inbound_refusals_pkey
const expire = sql(
  "inbound_expire",
  `WITH kept AS (
     SELECT now() - make_interval(days => coalesce(inbound_retention_days, $1)) AS since FROM workspaces
     WHERE id = $workspace),
   refused AS (
     DELETE FROM inbound_refusals WHERE workspace_id = $workspace AND last_at < (SELECT since FROM kept))
   DELETE FROM inbound_deliveries WHERE workspace_id = $workspace AND id = ANY (ARRAY(
     SELECT id FROM inbound_deliveries
     WHERE workspace_id = $workspace AND received_at < (SELECT since FROM kept) AND status <> 'pending'
     ORDER BY received_at LIMIT $2))
   RETURNING id`,
);

/**
 * Removes what is older than the workspace's days (`defaultDays` when it set none), except what still waits: counts of
 * refusals, and at most `limit` deliveries. Returns the number of deliveries.
 */
export const removeExpired = async (db: Db, defaultDays: number, limit: number): Promise<number> =>
  (await db.query(expire, [defaultDays, limit])).length;

/** The days that the workspace set; null when it follows the server. */
export const findRetentionDays = async (db: Db): Promise<number | null> =>
  (await db.prisma.workspace.findFirst({ select: { inboundRetentionDays: true } }))?.inboundRetentionDays ?? null;

/** Sets the days of the workspace; returns the previous value. */
export async function setRetentionDays(db: Db, days: number | null): Promise<number | null> {
  await lockWorkspace(db);
  const before = await findRetentionDays(db);
  await db.prisma.workspace.updateMany({ data: { inboundRetentionDays: days } });
  return before;
}

const ERASED = "It named a person who was erased.";

/** Whether the delivery's content was removed, so that there is nothing left to record. */
export const isRedacted = ({ payload, message }: Delivery): boolean => payload === "{}" && message === ERASED;

const MENTIONS = `workspace_id = $workspace AND (contact_ids && $1 OR ${mentionsAny("payload", "$2", "$3")})`;

// inbound_deliveries_received_idx: every one that is kept, its payload read whole
const mentions = sql(
  "inbound_mentions",
  `SELECT id, provider::text, status::text, payload, contact_ids AS "contactIds", received_at AS "receivedAt" FROM inbound_deliveries WHERE ${MENTIONS} ORDER BY id`,
);

export type Mentioning = Pick<Delivery, "id" | "provider" | "status" | "payload" | "contactIds" | "receivedAt">;

/**
 * Locks the deliveries that are about some people or mention one of the identifiers, and returns them. Recording a delivery
 * again also locks it before its people.
 */
export async function lockDeliveries(
  db: Db,
  ids: readonly string[],
  identifiers: readonly string[],
): Promise<Mentioning[]> {
  for (;;) {
    const rows = await db.query<Mentioning>(mentions, [ids, ...mentionValues(identifiers)]);
    const named = rows.map(({ id }) => id);
    if (holdsLocks(db, "delivery", named)) return rows;
    await lock(db, "delivery", named);
  }
}

// inbound_deliveries_pkey
const redact = sql(
  "inbound_redact",
  `UPDATE inbound_deliveries SET payload = '{}', title = NULL, message = '${ERASED}', without_contact = false,
     contact_ids = ARRAY(SELECT id FROM unnest(contact_ids) AS kept(id) WHERE id <> ALL($2)),
     status = CASE WHEN status = 'pending' THEN 'skipped' ELSE status END
   WHERE workspace_id = $workspace AND id = ANY($1)`,
);

/** Removes the content of deliveries. They stay in the log, so that none of them is accepted again. */
export async function emptyDeliveries(
  db: Db,
  deliveryIds: readonly string[],
  erased: readonly string[],
): Promise<void> {
  if (deliveryIds.length > 0) await db.query(redact, [deliveryIds, erased]);
}

/** Replaces the content of a delivery that is still to be recorded; the caller has locked it. */
export async function reduceDelivery(
  db: Db,
  id: string,
  { payload, title }: Pick<Arrival, "payload" | "title">,
  contactIds: string[],
): Promise<void> {
  await db.prisma.inboundDelivery.updateMany({ where: { id }, data: { payload, title, contactIds } });
}
