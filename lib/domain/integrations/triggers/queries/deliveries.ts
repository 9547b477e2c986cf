import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Prisma, TriggerDelivery } from "#prisma/generated/client.ts";
import type { Attempt, DeliveryStatus } from "../contract.ts";

export type DeliveryRow = Omit<TriggerDelivery, "workspaceId" | "attempts"> & { attempts: readonly Attempt[] };

/** A delivery as the log lists it. */
export type DeliveryHead = Omit<DeliveryRow, "body">;

/** A page of the log before a number, the latest first. */
export const findDeliveries = (
  db: Db,
  triggerId: string,
  status: DeliveryStatus | null,
  before: number | null,
  limit: number,
): Promise<DeliveryHead[]> =>
  db.prisma.triggerDelivery.findMany({
    where: { triggerId, ...(before === null ? {} : { seq: { lt: before } }), ...(status === null ? {} : { status }) },
    omit: { workspaceId: true, body: true },
    orderBy: { seq: "desc" },
    take: limit,
  }) as unknown as Promise<DeliveryHead[]>;

export const findDelivery = (db: Db, id: string): Promise<DeliveryRow | null> =>
  db.prisma.triggerDelivery.findFirst({
    where: { id },
    omit: { workspaceId: true },
  }) as unknown as Promise<DeliveryRow | null>;

const change = async (
  db: Db,
  where: Prisma.TriggerDeliveryWhereInput,
  data: Prisma.TriggerDeliveryUpdateManyMutationInput,
): Promise<number> => (await db.prisma.triggerDelivery.updateMany({ where, data })).count;

export const requeueDelivery = (db: Db, id: string): Promise<number> =>
  change(db, { id }, { status: "pending", tries: 0, nextAt: new Date(), settledAt: null });

// trigger_deliveries_log_idx
const requeueSome = sql(
  "trigger_deliveries_requeue",
  `UPDATE trigger_deliveries SET status = 'pending', tries = 0, next_at = now(), settled_at = NULL
   WHERE workspace_id = $workspace AND id = ANY (ARRAY(
     SELECT id FROM trigger_deliveries WHERE workspace_id = $workspace AND trigger_id = $1 AND NOT is_test AND created_at >= $2
       AND (status IN ('failed', 'skipped') OR ($3 AND status = 'delivered')) ORDER BY seq LIMIT $4))
   RETURNING created_at AS "createdAt"`,
);

/** `delivered`: those that were accepted too. Returns when each one that is sent again was made. */
export const requeueDeliveries = async (
  db: Db,
  triggerId: string,
  { since, delivered, limit }: { since: Date; delivered: boolean; limit: number },
): Promise<Date[]> =>
  (await db.query<{ createdAt: Date }>(requeueSome, [triggerId, since, delivered, limit])).map(
    ({ createdAt }) => createdAt,
  );

const skip = (db: Db, which: { id: string } | { triggerId: string }): Promise<number> =>
  change(db, { ...which, status: "pending" }, { status: "skipped", settledAt: new Date() });

export const skipDelivery = (db: Db, id: string): Promise<number> => skip(db, { id });

export const skipWaiting = (db: Db, triggerId: string): Promise<number> => skip(db, { triggerId });

/** What waits for its next attempt is tried at once. */
export function hastenWaiting(db: Db, triggerId: string): Promise<number> {
  const now = new Date();
  return change(db, { triggerId, status: "pending", nextAt: { gt: now } }, { nextAt: now });
}

export type TestRow = Pick<DeliveryRow, "id" | "triggerId" | "type" | "body" | "status"> & { attempts: Attempt[] };

/** Keeps how a test went. */
export async function insertTestDelivery(db: Db, row: TestRow): Promise<void> {
  const data = { ...row, isTest: true, settledAt: new Date() };
  await db.prisma.triggerDelivery.create({ data, select: { id: true } });
}

// trigger_deliveries_log_idx, once for each trigger: the oldest have the lowest numbers
const expire = sql(
  "trigger_deliveries_expire",
  `DELETE FROM trigger_deliveries WHERE workspace_id = $workspace AND id = ANY (ARRAY(
     SELECT o.id FROM triggers t CROSS JOIN LATERAL (
       SELECT d.id, d.created_at FROM trigger_deliveries d WHERE d.workspace_id = $workspace AND d.trigger_id = t.id ORDER BY d.seq LIMIT $2) AS o
     WHERE t.workspace_id = $workspace AND o.created_at < $1 LIMIT $2)) RETURNING id`,
);

/** Removes at most `limit` deliveries from before a time, and returns how many. */
export const removeDeliveriesBefore = async (db: Db, before: Date, limit: number): Promise<number> =>
  (await db.query(expire, [before, limit])).length;

/** A delivery that waits, as it is sent. */
export type QueuedDelivery = Pick<DeliveryRow, "id" | "triggerId" | "type" | "body" | "tries" | "nextAt"> & {
  made: number;
};

// trigger_deliveries_pending_idx, once for each trigger
const next = sql(
  "trigger_deliveries_next",
  `SELECT d.id, d.trigger_id AS "triggerId", d.type, d.body, d.tries, d.next_at AS "nextAt", jsonb_array_length(d.attempts) AS made
   FROM unnest($1::uuid[]) AS wanted(id) CROSS JOIN LATERAL (
     SELECT * FROM trigger_deliveries p WHERE p.workspace_id = $workspace AND p.trigger_id = wanted.id AND p.status = 'pending' ORDER BY p.seq LIMIT $2) AS d
   ORDER BY d.trigger_id, d.seq`,
);

/** What waits for each of these triggers, at most `each` of it, in order. */
export const findNext = (db: Db, triggerIds: readonly string[], each: number): Promise<QueuedDelivery[]> =>
  triggerIds.length === 0 ? Promise.resolve([]) : db.query<QueuedDelivery>(next, [triggerIds, each]);

// outbox_pkey; trigger_deliveries_pending_idx for each trigger
const due = sql(
  "trigger_deliveries_due",
  `SELECT EXISTS (SELECT FROM outbox WHERE workspace_id = $workspace) OR EXISTS (
     SELECT FROM triggers t CROSS JOIN LATERAL (
       SELECT d.next_at FROM trigger_deliveries d WHERE d.workspace_id = $workspace AND d.trigger_id = t.id AND d.status = 'pending' ORDER BY d.seq LIMIT 1) AS head
     WHERE t.workspace_id = $workspace AND t.status = 'active' AND head.next_at < $1) AS due`,
);

/** Whether events wait to be read, or the first delivery of a trigger is due by a time. */
export const findDue = async (db: Db, by: Date): Promise<boolean> =>
  (await db.query<{ due: boolean }>(due, [by]))[0]?.due === true;

/** How an attempt left a delivery. */
export type AttemptResult = {
  id: string;
  triggerId: string;
  attempt: Attempt;
  status: DeliveryStatus;
  tries: number;
  nextAt: Date;
};

// trigger_deliveries_pkey. What a person skipped meanwhile stays so, unless the target accepted it after all.
const settle = sql(
  "trigger_deliveries_settle",
  `UPDATE trigger_deliveries d SET status = CASE WHEN d.status = 'pending' OR g.status = 'delivered' THEN g.status ELSE d.status END,
     tries = g.tries, next_at = g.next_at, settled_at = CASE WHEN g.status <> 'pending' THEN $6 ELSE d.settled_at END,
     attempts = CASE WHEN jsonb_array_length(d.attempts) < 20 THEN d.attempts ELSE d.attempts - 0 END || g.attempt
   FROM unnest($1::uuid[], $2::trigger_delivery_status[], $3::int[], $4::timestamptz[], $5::jsonb[]) AS g(id, status, tries, next_at, attempt)
   WHERE d.workspace_id = $workspace AND d.id = g.id`,
);

// trigger_hours_pkey; a trigger that was deleted meanwhile has no counts
const count = sql(
  "trigger_hours_count",
  `INSERT INTO trigger_hours AS h (workspace_id, trigger_id, hour, delivered, failed)
   SELECT $workspace, t.id, date_trunc('hour', now(), 'UTC'), g.delivered, g.failed
   FROM unnest($1::uuid[], $2::int[], $3::int[]) AS g(id, delivered, failed)
   JOIN triggers t ON t.workspace_id = $workspace AND t.id = g.id
   ON CONFLICT (workspace_id, trigger_id, hour) DO UPDATE SET delivered = h.delivered + EXCLUDED.delivered, failed = h.failed + EXCLUDED.failed`,
);

/** Writes how attempts ended, and counts them; sent with what follows. */
export function settleDeliveries(db: Db, settled: readonly AttemptResult[]): void {
  const counts = new Map<string, { delivered: number; failed: number }>();
  for (const { triggerId, attempt } of settled) {
    const count = counts.get(triggerId) ?? { delivered: 0, failed: 0 };
    count[attempt.ok ? "delivered" : "failed"]++;
    counts.set(triggerId, count);
  }
  void db.defer(settle, [
    settled.map(({ id }) => id),
    settled.map(({ status }) => status),
    settled.map(({ tries }) => tries),
    settled.map(({ nextAt }) => nextAt),
    settled.map(({ attempt }) => JSON.stringify([attempt])),
    new Date(),
  ]);
  const of = [...counts.values()];
  void db.defer(count, [[...counts.keys()], of.map(({ delivered }) => delivered), of.map(({ failed }) => failed)]);
}
