import type { Db } from "#lib/db/handle.ts";
import { lock } from "#lib/db/locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { CrmRun } from "../contract.ts";
import { candidates } from "./people.ts";

export type RunRow = {
  id: string;
  provider: string;
  account: string;
  kind: CrmRun["kind"];
  cause: CrmRun["cause"];
  everyone: boolean;
  state: CrmRun["state"];
  total: number | null;
  listedAt: Date | null;
  matching: string | null;
  position: number;
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  findings: number;
  failed: number;
  matched: number;
  notes: number;
  activities: number;
  message: string | null;
  createdAt: Date;
  finishedAt: Date | null;
};

const COLUMNS = `id, provider, account, kind, cause, everyone, state::text AS state, total, listed_at AS "listedAt", matching, position, created, updated,
  unchanged, skipped, findings, failed, matched, notes, activities, message, created_at AS "createdAt", finished_at AS "finishedAt"`;

/** Runs with one CRM are started one after the other. */
export const lockRuns = (db: Db, provider: string): Promise<void> => lock(db, "crmSync", [provider]);

// crm_runs_pkey: ids are UUID v7, so it is in order of time; the latest 50 of each CRM are kept
const latest = sql(
  "crm_runs_latest",
  `SELECT ${COLUMNS} FROM crm_runs WHERE workspace_id = $workspace AND ($1::text IS NULL OR provider = $1)
     AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
);
export const findRuns = (db: Db, provider: string | null, before: string | null, limit: number): Promise<RunRow[]> =>
  db.query<RunRow>(latest, [provider, before, limit]);

// crm_runs_pkey
const one = sql("crm_run_one", `SELECT ${COLUMNS} FROM crm_runs WHERE workspace_id = $workspace AND id = $1`);
const locked = sql("crm_run_locked", `${one.text} FOR NO KEY UPDATE`);
export const findRun = async (db: Db, id: string): Promise<RunRow | null> =>
  (await db.query<RunRow>(one, [id]))[0] ?? null;

/** The run, locked until this transaction ends. */
export const findRunToChange = async (db: Db, id: string): Promise<RunRow | null> =>
  (await db.query<RunRow>(locked, [id]))[0] ?? null;

// crm_runs_pkey: at most 50 of each CRM
const open = sql(
  "crm_runs_open",
  `SELECT ${COLUMNS} FROM crm_runs WHERE workspace_id = $workspace AND provider = $1
     AND state IN ('queued', 'running', 'waiting', 'blocked') ORDER BY id`,
);
/** The runs that are not over. */
export const findOpenRuns = (db: Db, provider: string): Promise<RunRow[]> => db.query<RunRow>(open, [provider]);

// crm_runs_pkey: at most 50 of each CRM
const lastCheck = sql(
  "crm_runs_last_check",
  `SELECT max(created_at) AS at FROM crm_runs WHERE workspace_id = $workspace AND provider = $1 AND kind = 'hygiene'`,
);
export const findLastCheck = async (db: Db, provider: string): Promise<Date | null> =>
  (await db.query<{ at: Date | null }>(lastCheck, [provider]))[0]?.at ?? null;

const insert = sql(
  "crm_run_insert",
  `INSERT INTO crm_runs (workspace_id, id, provider, account, kind, cause, everyone, matching, created_by)
   VALUES ($workspace, $1, $2, $3, $4, $5, $6, $7, $8)`,
);
type NewRun = Pick<RunRow, "id" | "provider" | "account" | "kind" | "cause" | "everyone" | "matching"> & {
  createdBy: string;
};
export async function insertRun(db: Db, run: NewRun): Promise<void> {
  const { id, provider, account, kind, cause, everyone, matching, createdBy } = run;
  await db.query(insert, [id, provider, account, kind, cause, everyone, matching, createdBy]);
}

/** Rows that are listed by one statement: all people at once would take longer than a statement may. */
const PORTION = 5_000;

const INTO = `WITH listed AS (INSERT INTO crm_run_rows (workspace_id, run_id, place, contact_id, fields)
    SELECT $workspace, $1, $3 + row_number() OVER (ORDER BY p.id DESC) - 1, p.id, '{}' FROM (`;
const COUNTED = ` ORDER BY id DESC LIMIT ${PORTION}) AS p RETURNING 1)
  UPDATE crm_runs SET state = 'running', listed_at = coalesce(listed_at, $2),
    total = CASE WHEN (SELECT count(*) FROM listed) < ${PORTION} THEN $3 + (SELECT count(*) FROM listed) END
  WHERE workspace_id = $workspace AND id = $1`;

// people_pkey, or people_updated_idx where few have changed
const people = sql("crm_run_list_people", `${INTO}${candidates("$5")} AND p.id < $4${COUNTED}`);
// crm_records_pkey
const records = sql(
  "crm_run_list_records",
  `${INTO}SELECT entity_id AS id FROM crm_records WHERE workspace_id = $workspace AND provider = $5 AND account = $6 AND entity_id < $4${COUNTED}`,
);
// crm_run_rows_pkey
const lastListed = sql(
  "crm_run_last_listed",
  `SELECT contact_id AS id, place FROM crm_run_rows WHERE workspace_id = $workspace AND run_id = $1 ORDER BY place DESC LIMIT 1`,
);

const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Where listing goes on: the next place, and the id that the next is lower than. */
async function listedTo(db: Db, id: string): Promise<[place: number, below: string]> {
  const [last] = await db.query<{ id: string; place: number }>(lastListed, [id]);
  return last ? [last.place + 1, last.id] : [0, LAST_ID];
}

/**
 * Lists a portion of whom a run compares, as of `at`: people who changed since a time; the newest people first. The run has
 * its total once all are listed.
 */
export async function listPeople(db: Db, id: string, at: Date, since: Date): Promise<void> {
  await db.query(people, [id, at, ...(await listedTo(db, id)), since]);
}

/** Lists a portion of whom a check of records compares. */
export async function listRecords(db: Db, { id, provider, account }: RunRow, at: Date): Promise<void> {
  await db.query(records, [id, at, ...(await listedTo(db, id)), provider, account]);
}

// crm_runs_pkey
const state = sql(
  "crm_run_state",
  `UPDATE crm_runs SET state = $2::crm_run_state, message = $3,
     finished_at = CASE WHEN $2 IN ('done', 'failed', 'cancelled') THEN now() END
   WHERE workspace_id = $workspace AND id = $1`,
);
export async function setRunState(db: Db, id: string, to: RunRow["state"], message: string | null): Promise<void> {
  await db.query(state, [id, to, message]);
}

const GOES_ON = `state = CASE WHEN state IN ('queued', 'waiting') THEN 'running' ELSE state END, message = CASE WHEN state = 'cancelled' THEN message END`;

// crm_runs_pkey
const matching = sql(
  "crm_run_matching",
  `UPDATE crm_runs SET matching = $2, matched = matched + $3, ${GOES_ON}
   WHERE workspace_id = $workspace AND id = $1`,
);
/** Where matching goes on, and how many contacts of the page were linked. */
export async function setMatching(db: Db, id: string, cursor: string | null, linked: number): Promise<void> {
  await db.query(matching, [id, cursor, linked]);
}

// crm_runs_pkey
const count = sql(
  "crm_run_count",
  `UPDATE crm_runs SET created = created + $2, updated = updated + $3, unchanged = unchanged + $4, skipped = skipped + $5,
     findings = findings + $6, failed = failed + $7, matched = matched + $8, notes = notes + $9, activities = activities + $10,
     ${GOES_ON}
   WHERE workspace_id = $workspace AND id = $1`,
);
export type Counts = Pick<
  RunRow,
  "created" | "updated" | "unchanged" | "skipped" | "findings" | "failed" | "matched" | "notes" | "activities"
>;
export async function addCounts(db: Db, id: string, counts: Partial<Counts>): Promise<void> {
  const { created = 0, updated = 0, unchanged = 0, skipped = 0, findings = 0 } = counts;
  const { failed = 0, matched = 0, notes = 0, activities = 0 } = counts;
  await db.query(count, [id, created, updated, unchanged, skipped, findings, failed, matched, notes, activities]);
}

// crm_run_rows_pkey: only behind the position
const advance = sql(
  "crm_run_advance",
  `UPDATE crm_runs AS r SET position = coalesce(
     (SELECT min(place) FROM crm_run_rows AS n WHERE n.workspace_id = $workspace AND n.run_id = $1 AND n.place >= r.position AND NOT n.is_done),
     r.total, 0) WHERE r.workspace_id = $workspace AND r.id = $1`,
);
/** Moves the position over all rows that are done. */
export async function advanceRun(db: Db, id: string): Promise<void> {
  await db.query(advance, [id]);
}

// crm_runs_pkey
const remove = sql("crm_run_delete", "DELETE FROM crm_runs WHERE workspace_id = $workspace AND id = $1");
/** An automatic run in which nothing was to do. */
export async function deleteRun(db: Db, id: string): Promise<void> {
  await db.query(remove, [id]);
}

// crm_runs_pkey
const sweep = sql(
  "crm_runs_sweep",
  `DELETE FROM crm_runs WHERE workspace_id = $workspace AND id IN (
     SELECT id FROM (SELECT id, state, row_number() OVER (PARTITION BY provider ORDER BY id DESC) AS age FROM crm_runs WHERE workspace_id = $workspace) AS r
     WHERE age > $1 AND state IN ('done', 'failed', 'cancelled') LIMIT 1) RETURNING id`,
);
/** Deletes one run beyond the latest `kept` of its CRM, with its rows; true when there may be more. */
export const removeOldRun = async (db: Db, kept: number): Promise<boolean> =>
  (await db.query<{ id: string }>(sweep, [kept])).length > 0;
