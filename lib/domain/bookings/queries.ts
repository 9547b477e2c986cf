import type { Db } from "#lib/db/handle.ts";
import { lock } from "#lib/db/locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { Backfill } from "./contract.ts";

export type BackfillRow = {
  id: string;
  everyone: boolean;
  state: Backfill["state"];
  total: number;
  position: number;
  logged: number;
  present: number;
  skipped: number;
  failed: number;
  message: string | null;
  createdAt: Date;
  finishedAt: Date | null;
};

const COLUMNS = `id, everyone, state::text AS state, total, position, logged, present, skipped, failed, message,
  created_at AS "createdAt", finished_at AS "finishedAt"`;

// backfills_pkey: ids are UUID v7, so it is in order of time
const latest = sql(
  "backfills_latest",
  `SELECT ${COLUMNS} FROM backfills WHERE workspace_id = $workspace ORDER BY id DESC LIMIT $1`,
);
export const findBackfills = (db: Db, limit: number): Promise<BackfillRow[]> => db.query<BackfillRow>(latest, [limit]);

// backfills_pkey
const one = sql("backfill_one", `SELECT ${COLUMNS} FROM backfills WHERE workspace_id = $workspace AND id = $1`);
const locked = sql("backfill_locked", `${one.text} FOR NO KEY UPDATE`);
export const findBackfill = async (db: Db, id: string): Promise<BackfillRow | null> =>
  (await db.query<BackfillRow>(one, [id]))[0] ?? null;

/** The backfill, locked until this transaction ends. */
export const findBackfillToChange = async (db: Db, id: string): Promise<BackfillRow | null> =>
  (await db.query<BackfillRow>(locked, [id]))[0] ?? null;

/** Backfills of everyone are started one after the other. */
export const lockBackfills = (db: Db): Promise<void> => lock(db, "backfill");

// backfills_pkey: only the latest few are checked
const running = sql(
  "backfill_of_everyone_running",
  `SELECT id FROM (SELECT id, everyone, state FROM backfills WHERE workspace_id = $workspace ORDER BY id DESC LIMIT 50) AS b
   WHERE everyone AND state IN ('queued', 'running', 'waiting') LIMIT 1`,
);
export const findRunningOfEveryone = async (db: Db): Promise<string | null> =>
  (await db.query<{ id: string }>(running))[0]?.id ?? null;

const insert = sql(
  "backfill_insert",
  `INSERT INTO backfills (workspace_id, id, everyone, total, created_by) VALUES ($workspace, $1, $2, 0, $3)`,
);

const ADDRESSES = `SELECT i.entity_id, i.value FROM people p JOIN identifiers i
  ON i.workspace_id = p.workspace_id AND i.entity_id = p.id AND i.kind = 'email' AND i.retired_at IS NULL
  WHERE p.workspace_id = $workspace`;
const INTO = `WITH found AS (INSERT INTO backfill_contacts (workspace_id, backfill_id, place, contact_id, email)
    SELECT $workspace, $1, row_number() OVER (ORDER BY a.entity_id DESC, a.value) - 1, a.entity_id, a.value FROM (`;
const COUNTED = `) AS a RETURNING 1)
  UPDATE backfills SET total = (SELECT count(*) FROM found) WHERE workspace_id = $workspace AND id = $1`;

// people_pkey, identifiers_entity_idx
const allAddresses = sql("backfill_everyone", `${INTO}${ADDRESSES} AND p.status = 'active'${COUNTED}`);
const theirAddresses = sql("backfill_contacts_given", `${INTO}${ADDRESSES} AND p.id = ANY($2::uuid[])${COUNTED}`);

/** Begins a backfill with every address of these contacts, or of all that are not archived; the newest contacts first. */
export async function insertBackfill(
  db: Db,
  id: string,
  contactIds: readonly string[] | null,
  createdBy: string,
): Promise<void> {
  await db.query(insert, [id, contactIds === null, createdBy]);
  await (contactIds === null ? db.query(allAddresses, [id]) : db.query(theirAddresses, [id, contactIds]));
}

export type ContactRow = {
  place: number;
  contactId: string;
  email: string;
  logged: number | null;
  present: number | null;
  skipped: number | null;
  problem: string | null;
};

// backfill_contacts_pkey
const contacts = sql(
  "backfill_contacts_page",
  `SELECT place, contact_id AS "contactId", email, logged, present, skipped, problem FROM backfill_contacts
   WHERE workspace_id = $workspace AND backfill_id = $1 AND place >= $2 ORDER BY place LIMIT $3`,
);

/** Addresses from a position on. */
export const findContacts = (db: Db, id: string, from: number, limit: number): Promise<ContactRow[]> =>
  db.query<ContactRow>(contacts, [id, from, limit]);

export type Found = { logged: number; present: number; skipped: number; problem: string | null };

// backfill_contacts_pkey, backfills_pkey
const looked = sql(
  "backfill_looked_up",
  `WITH contact AS (
     UPDATE backfill_contacts SET logged = $3, present = $4, skipped = $5, problem = $6
     WHERE workspace_id = $workspace AND backfill_id = $1 AND place = $2)
   UPDATE backfills SET position = $2 + 1, logged = logged + $3, present = present + $4, skipped = skipped + $5,
     failed = failed + CASE WHEN $6::text IS NULL THEN 0 ELSE 1 END, state = 'running', message = NULL
   WHERE workspace_id = $workspace AND id = $1`,
);

/** Finishes one address: stores what was found and moves on to the next. */
export async function markLookedUp(db: Db, id: string, place: number, found: Found): Promise<void> {
  await db.query(looked, [id, place, found.logged, found.present, found.skipped, found.problem]);
}

// backfills_pkey
const state = (name: string, finishedAt: string) =>
  sql(
    name,
    `UPDATE backfills SET state = $2::backfill_state, message = $3, finished_at = ${finishedAt} WHERE workspace_id = $workspace AND id = $1`,
  );
const open = state("backfill_state", "NULL");
const ended = state("backfill_end", "now()");

const ENDS: readonly Backfill["state"][] = ["done", "failed", "cancelled"];

export async function setState(db: Db, id: string, to: Backfill["state"], message: string | null): Promise<void> {
  await db.query(ENDS.includes(to) ? ended : open, [id, to, message]);
}
