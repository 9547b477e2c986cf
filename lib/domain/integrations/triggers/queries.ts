import type { Db } from "#lib/db/handle.ts";
import { lockRow, lockWorkspace } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import { mentionsAny, mentionValues } from "#lib/domain/queries/mentions.ts";
import { DAY_MS } from "#lib/text/time.ts";
import type { Trigger as Stored, TriggerHour } from "#prisma/generated/client.ts";
import type { Filters } from "./contract.ts";

export type TriggerRow = Omit<Stored, "workspaceId" | "createdBy" | "filters"> & { filters: Filters };

/** What is counted about a trigger when it is read. */
export type TriggerState = TriggerRow & { waiting: number; nextAttemptAt: Date | null };

/** Waiting deliveries are counted up to this number. */
const MOST_COUNTED = 1_000;

// trigger_deliveries_pending_idx, for each trigger: a workspace has at most a hundred
const waiting = sql(
  "triggers_waiting",
  `SELECT t.id,
     (SELECT count(*)::int FROM (SELECT FROM trigger_deliveries d WHERE d.workspace_id = $workspace AND d.trigger_id = t.id AND d.status = 'pending' LIMIT ${MOST_COUNTED}) AS counted) AS waiting,
     (SELECT CASE WHEN d.tries > 0 THEN d.next_at END FROM trigger_deliveries d WHERE d.workspace_id = $workspace AND d.trigger_id = t.id AND d.status = 'pending' ORDER BY d.seq LIMIT 1) AS "nextAttemptAt"
   FROM unnest($1::uuid[]) AS t(id)`,
);

const omit = { workspaceId: true, createdBy: true } as const;

async function find(db: Db, where: { id?: string }): Promise<TriggerState[]> {
  const orderBy = [{ createdAt: "asc" }, { id: "asc" }] as const;
  const rows = (await db.prisma.trigger.findMany({ where, omit, orderBy: [...orderBy] })) as TriggerRow[];
  if (rows.length === 0) return [];
  const counted = await db.query<Pick<TriggerState, "id" | "waiting" | "nextAttemptAt">>(waiting, [
    rows.map(({ id }) => id),
  ]);
  const byId = new Map(counted.map((row) => [row.id, row]));
  return rows.map((row) => ({ waiting: 0, nextAttemptAt: null, ...row, ...byId.get(row.id) }));
}

export const findTriggers = (db: Db): Promise<TriggerState[]> => find(db, {});

export const findTrigger = async (db: Db, id: string): Promise<TriggerState | null> =>
  (await find(db, { id }))[0] ?? null;

/** How many triggers send to an address without TLS. */
export const countPlain = (db: Db): Promise<number> =>
  db.prisma.trigger.count({ where: { url: { startsWith: "http://" } } });

/** The trigger, locked until this transaction ends. */
export async function lockTrigger(db: Db, id: string): Promise<TriggerRow | null> {
  await lockRow(db, "triggers", id);
  return db.prisma.trigger.findFirst({ where: { id }, omit }) as Promise<TriggerRow | null>;
}

// triggers_pkey; in each round of deliveries
const bare = sql(
  "triggers_bare",
  `SELECT t.id, t.name, t.url, t.events, t.filters, t.secret, t.old_secret AS "oldSecret", t.old_secret_until AS "oldSecretUntil", t.status::text,
     t.message, t.failing_since AS "failingSince", t.given_up AS "givenUp", t.created_at AS "createdAt", t.updated_at AS "updatedAt"
   FROM triggers t WHERE t.workspace_id = $workspace ORDER BY t.id`,
);

/** Every trigger, without counts. */
export const findTriggerRows = (db: Db): Promise<TriggerRow[]> => db.query<TriggerRow>(bare);

/** How many there are, and how many of them were stopped because their target fails. */
export async function countTriggers(db: Db): Promise<{ count: number; disabled: number }> {
  const rows = await db.prisma.trigger.findMany({ select: { status: true } });
  return { count: rows.length, disabled: rows.filter(({ status }) => status === "disabled").length };
}

const insert = sql(
  "trigger_insert",
  `INSERT INTO triggers (workspace_id, id, name, url, events, filters, secret, created_by, created_at, updated_at)
   VALUES ($workspace, $1, $2, $3, $4, $5, $6, $7, date_trunc('milliseconds', clock_timestamp()), now())`,
);

export type NewTrigger = Pick<TriggerRow, "id" | "name" | "url" | "events" | "filters" | "secret"> & {
  createdBy: string;
};

export async function insertTrigger(db: Db, row: NewTrigger): Promise<void> {
  const { id, name, url, events, filters, secret, createdBy } = row;
  await db.query(insert, [id, name, url, events, JSON.stringify(filters), secret, createdBy]);
}

/**
 * Notes on the workspace whether it has triggers. They are counted under its lock, so that of those who make and delete some at
 * once the last one counts what the others committed.
 */
export async function markWorkspace(db: Db): Promise<void> {
  await lockWorkspace(db);
  const hasTriggers = (await db.prisma.trigger.count()) > 0;
  await db.prisma.workspace.updateMany({ where: { hasTriggers: !hasTriggers }, data: { hasTriggers } });
}

export async function updateTrigger(db: Db, row: TriggerRow): Promise<void> {
  const { id, name, url, events, filters, status, message, failingSince, givenUp } = row;
  await db.prisma.trigger.updateMany({
    where: { id },
    data: { name, url, events, filters, status, message, failingSince, givenUp, updatedAt: new Date() },
  });
}

// triggers_pkey: a workspace has at most a hundred
const forget = sql(
  "triggers_forget",
  `UPDATE triggers SET filters = '{}', status = 'disabled', message = $3, updated_at = now()
   WHERE workspace_id = $workspace AND ${mentionsAny("filters::text", "$1", "$2")} RETURNING id`,
);

/** Stops triggers whose filters mention one of these identifiers, and empties those. Returns how many. */
export const forgetInFilters = async (db: Db, identifiers: readonly string[], why: string): Promise<number> =>
  (await db.query(forget, [...mentionValues(identifiers), why])).length;

// triggers_pkey; in each round of deliveries. A trigger that a person has stopped stays stopped.
const stand = sql(
  "trigger_stand",
  `UPDATE triggers SET failing_since = $2, given_up = $3, message = CASE WHEN status = 'active' THEN $4 ELSE message END,
     status = CASE WHEN status = 'active' THEN $5::trigger_status ELSE status END
   WHERE workspace_id = $workspace AND id = $1`,
);

/** Writes how a trigger's target does, and nothing that people set. */
export async function setStanding(db: Db, row: TriggerRow): Promise<void> {
  await db.query(stand, [row.id, row.failingSince, row.givenUp, row.message, row.status]);
}

/** `until`: how long the present secret still signs; null: not at all. The caller has locked the trigger. */
export async function rotateSecret(
  db: Db,
  { id, secret: present }: Pick<TriggerRow, "id" | "secret">,
  secret: string,
  until: Date | null,
): Promise<void> {
  await db.prisma.trigger.updateMany({
    where: { id },
    data: { secret, oldSecret: until && present, oldSecretUntil: until, updatedAt: new Date() },
  });
}

export async function deleteTriggerRow(db: Db, id: string): Promise<void> {
  await db.prisma.trigger.deleteMany({ where: { id } });
}

export type HourRow = Pick<TriggerHour, "triggerId" | "hour" | "delivered" | "failed">;

export const findHours = (db: Db, ids: readonly string[], since: Date): Promise<HourRow[]> =>
  db.prisma.triggerHour.findMany({
    where: { triggerId: { in: [...ids] }, hour: { gte: since } },
    omit: { workspaceId: true },
    orderBy: [{ triggerId: "asc" }, { hour: "asc" }],
  });

export type DayRow = Pick<HourRow, "delivered" | "failed"> & { day: Date };

/** Deliveries by day in UTC, of the days that had some. */
export async function findDays(db: Db, id: string, since: Date): Promise<DayRow[]> {
  const days = new Map<number, DayRow>();
  for (const { hour, delivered, failed } of await findHours(db, [id], since)) {
    const day = new Date(hour.getTime() - (hour.getTime() % DAY_MS));
    const sum = days.get(day.getTime()) ?? { day, delivered: 0, failed: 0 };
    days.set(day.getTime(), { day, delivered: sum.delivered + delivered, failed: sum.failed + failed });
  }
  return [...days.values()];
}

export async function removeHoursBefore(db: Db, before: Date): Promise<void> {
  await db.prisma.triggerHour.deleteMany({ where: { hour: { lt: before } } });
}
