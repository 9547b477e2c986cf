import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Filters, TriggerStatus } from "./contract.ts";

export type TriggerRow = {
  id: string;
  name: string | null;
  url: string;
  events: readonly string[];
  filters: Filters;
  /** sealed */
  secret: string;
  /** sealed */
  oldSecret: string | null;
  oldSecretUntil: Date | null;
  status: TriggerStatus;
  message: string | null;
  failingSince: Date | null;
  givenUp: number;
  createdAt: Date;
  updatedAt: Date;
};

/** What is counted about a trigger when it is read. */
export type TriggerState = TriggerRow & { waiting: number; nextAttemptAt: Date | null };

const COLUMNS = `t.id, t.name, t.url, t.events, t.filters, t.secret, t.old_secret AS "oldSecret", t.old_secret_until AS "oldSecretUntil", t.status::text,
  t.message, t.failing_since AS "failingSince", t.given_up AS "givenUp", t.created_at AS "createdAt", t.updated_at AS "updatedAt"`;

/** Waiting deliveries are counted up to this number. */
const MOST_COUNTED = 1_000;

// trigger_deliveries_pending_idx
const STATE = `${COLUMNS},
  (SELECT count(*)::int FROM (SELECT FROM trigger_deliveries d WHERE d.workspace_id = $workspace AND d.trigger_id = t.id AND d.status = 'pending' LIMIT ${MOST_COUNTED}) AS counted) AS waiting,
  (SELECT CASE WHEN d.tries > 0 THEN d.next_at END FROM trigger_deliveries d WHERE d.workspace_id = $workspace AND d.trigger_id = t.id AND d.status = 'pending' ORDER BY d.seq LIMIT 1) AS "nextAttemptAt"`;

// triggers_pkey: a workspace has at most a hundred
const all = sql(
  "triggers_all",
  `SELECT ${STATE} FROM triggers t WHERE t.workspace_id = $workspace ORDER BY t.created_at, t.id`,
);

export const findTriggers = (db: Db): Promise<TriggerState[]> => db.query<TriggerState>(all);

// triggers_pkey
const one = sql("trigger_one", `SELECT ${STATE} FROM triggers t WHERE t.workspace_id = $workspace AND t.id = $1`);

export const findTrigger = async (db: Db, id: string): Promise<TriggerState | null> =>
  (await db.query<TriggerState>(one, [id]))[0] ?? null;

// triggers_pkey
const locked = sql(
  "trigger_locked",
  `SELECT ${COLUMNS} FROM triggers t WHERE t.workspace_id = $workspace AND t.id = $1 FOR NO KEY UPDATE`,
);

export const lockTrigger = async (db: Db, id: string): Promise<TriggerRow | null> =>
  (await db.query<TriggerRow>(locked, [id]))[0] ?? null;

// triggers_pkey
const bare = sql("triggers_bare", `SELECT ${COLUMNS} FROM triggers t WHERE t.workspace_id = $workspace ORDER BY t.id`);

/** Every trigger, without counts. */
export const findTriggerRows = (db: Db): Promise<TriggerRow[]> => db.query<TriggerRow>(bare);

// triggers_pkey
const howMany = sql(
  "triggers_count",
  `SELECT count(*)::int AS count, (count(*) FILTER (WHERE status = 'disabled'))::int AS disabled
   FROM triggers WHERE workspace_id = $workspace`,
);

/** How many there are, and how many of them were stopped because their target fails. */
export const countTriggers = async (db: Db): Promise<{ count: number; disabled: number }> =>
  (await db.query<{ count: number; disabled: number }>(howMany))[0] ?? { count: 0, disabled: 0 };

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

// workspaces_pkey, triggers_pkey
const mark = sql(
  "triggers_mark_workspace",
  `UPDATE workspaces SET has_triggers = NOT has_triggers
   WHERE id = $workspace AND has_triggers <> EXISTS (SELECT FROM triggers WHERE workspace_id = $workspace)`,
);

/** Notes on the workspace whether it has triggers. */
export async function markWorkspace(db: Db): Promise<void> {
  await db.query(mark);
}

// triggers_pkey
const update = sql(
  "trigger_update",
  `UPDATE triggers SET name = $2, url = $3, events = $4, filters = $5, status = $6::trigger_status, message = $7, failing_since = $8, given_up = $9, updated_at = now()
   WHERE workspace_id = $workspace AND id = $1`,
);

export async function updateTrigger(db: Db, row: TriggerRow): Promise<void> {
  const { id, name, url, events, filters, status, message, failingSince, givenUp } = row;
  await db.query(update, [id, name, url, events, JSON.stringify(filters), status, message, failingSince, givenUp]);
}

// triggers_pkey. A trigger that a person has stopped stays stopped.
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

// triggers_pkey
const rotate = sql(
  "trigger_rotate",
  `UPDATE triggers SET old_secret = CASE WHEN $3::timestamptz IS NOT NULL THEN secret END, old_secret_until = $3, secret = $2, updated_at = now()
   WHERE workspace_id = $workspace AND id = $1`,
);

/** `until`: how long the present secret still signs; null: not at all. */
export async function rotateSecret(db: Db, id: string, secret: string, until: Date | null): Promise<void> {
  await db.query(rotate, [id, secret, until]);
}

// triggers_pkey
const remove = sql("trigger_delete", "DELETE FROM triggers WHERE workspace_id = $workspace AND id = $1");

export async function deleteTriggerRow(db: Db, id: string): Promise<void> {
  await db.query(remove, [id]);
}

// trigger_hours_pkey
const hours = sql(
  "trigger_hours_recent",
  `SELECT trigger_id AS "triggerId", hour, delivered, failed FROM trigger_hours
   WHERE workspace_id = $workspace AND trigger_id = ANY($1) AND hour > $2 ORDER BY trigger_id, hour`,
);

export type HourRow = { triggerId: string; hour: Date; delivered: number; failed: number };

export const findHours = (db: Db, ids: readonly string[], since: Date): Promise<HourRow[]> =>
  db.query<HourRow>(hours, [ids, since]);

// trigger_hours_pkey; 24 rows a day
const days = sql(
  "trigger_days",
  `SELECT date_trunc('day', hour, 'UTC') AS day, sum(delivered)::int AS delivered, sum(failed)::int AS failed FROM trigger_hours
   WHERE workspace_id = $workspace AND trigger_id = $1 AND hour >= $2 GROUP BY 1`,
);

export type DayRow = { day: Date; delivered: number; failed: number };

/** Deliveries by day in UTC, of the days that had some. */
export const findDays = (db: Db, id: string, since: Date): Promise<DayRow[]> => db.query<DayRow>(days, [id, since]);

// trigger_hours_pkey: read whole, a few thousand rows
const forgetHours = sql(
  "trigger_hours_forget",
  "DELETE FROM trigger_hours WHERE workspace_id = $workspace AND hour < $1",
);

export async function removeHoursBefore(db: Db, before: Date): Promise<void> {
  await db.query(forgetHours, [before]);
}
