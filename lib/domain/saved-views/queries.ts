import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Listed } from "./contract.ts";

export type ViewRow = {
  id: string;
  list: Listed;
  name: string;
  place: string;
  /** null: shared */
  ownerId: string | null;
  pinned: boolean;
  createdAt: Date;
  updatedAt: Date;
};

const COLUMNS = `id, list, name, place, owner_id AS "ownerId", pinned, created_at AS "createdAt", updated_at AS "updatedAt"`;

// saved_views_name_key: a workspace has at most hundreds
const ofList = sql(
  "saved_views_of_list",
  `SELECT ${COLUMNS} FROM saved_views WHERE workspace_id = $workspace AND ($1::listed IS NULL OR list = $1::listed) AND (owner_id IS NULL OR owner_id = $2)
     AND (pinned OR NOT $3::boolean)
   ORDER BY lower(name), id`,
);

/** The shared views of a list, or of all, and those of `userId`, by name. */
export const findViews = (
  db: Db,
  list: Listed | null,
  userId: string | null,
  onlyPinned: boolean,
): Promise<ViewRow[]> => db.query<ViewRow>(ofList, [list, userId, onlyPinned]);

// saved_views_pkey
const one = sql(
  "saved_view_to_change",
  `SELECT ${COLUMNS} FROM saved_views WHERE workspace_id = $workspace AND id = $1 AND (owner_id IS NULL OR owner_id = $2) FOR UPDATE`,
);

/** A view that `userId` may see, locked until this transaction ends. */
export const findViewToChange = async (db: Db, id: string, userId: string | null): Promise<ViewRow | null> =>
  (await db.query<ViewRow>(one, [id, userId]))[0] ?? null;

// saved_views_name_key
const howMany = sql(
  "saved_views_count",
  "SELECT count(*)::int AS views FROM saved_views WHERE workspace_id = $workspace AND list = $1::listed AND owner_id IS NOT DISTINCT FROM $2",
);

export const countViews = async (db: Db, list: Listed, ownerId: string | null): Promise<number> =>
  (await db.query<{ views: number }>(howMany, [list, ownerId]))[0]?.views ?? 0;

const insert = sql(
  "saved_view_insert",
  `INSERT INTO saved_views (workspace_id, id, list, owner_id, name, place, pinned) VALUES ($workspace, $1, $2::listed, $3, $4, $5, $6)
   ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
);

type NewView = Pick<ViewRow, "id" | "list" | "ownerId" | "name" | "place" | "pinned">;

/** Null when the name is taken. */
export const insertView = async (db: Db, view: NewView): Promise<ViewRow | null> =>
  (await db.query<ViewRow>(insert, [view.id, view.list, view.ownerId, view.name, view.place, view.pinned]))[0] ?? null;

const update = sql(
  "saved_view_update",
  `UPDATE saved_views SET name = $2, place = $3, owner_id = $4, pinned = $5, updated_at = now() WHERE workspace_id = $workspace AND id = $1
   RETURNING ${COLUMNS}`,
);

/** Throws a violation of `saved_views_name_key` when the name is taken. */
export async function updateView(db: Db, view: Omit<NewView, "list">): Promise<ViewRow> {
  const [row] = await db.query<ViewRow>(update, [view.id, view.name, view.place, view.ownerId, view.pinned]);
  if (!row) throw new Error("a view that was locked is not there");
  return row;
}

const remove = sql("saved_view_delete", "DELETE FROM saved_views WHERE workspace_id = $workspace AND id = $1");

export async function deleteViewRow(db: Db, id: string): Promise<void> {
  await db.query(remove, [id]);
}

// saved_views_pkey: a workspace has at most hundreds
const places = sql("saved_view_places", "SELECT id, place FROM saved_views WHERE workspace_id = $workspace FOR UPDATE");

/** The place of every view, of all members. */
export const findPlaces = (db: Db) => db.query<{ id: string; place: string }>(places);

const setPlaceRow = sql(
  "saved_view_set_place",
  "UPDATE saved_views SET place = $2 WHERE workspace_id = $workspace AND id = $1",
);

export async function setPlace(db: Db, id: string, place: string): Promise<void> {
  await db.query(setPlaceRow, [id, place]);
}
