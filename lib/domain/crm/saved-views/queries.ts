import type { Db } from "#lib/db/handle.ts";
import { lockRow } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { SavedView } from "#prisma/generated/client.ts";
import type { ViewSubject } from "./contract.ts";

export type ViewRow = Omit<SavedView, "workspaceId">;

// saved_views_name_key: a workspace has at most hundreds
const ofList = sql(
  "saved_views_of_list",
  `SELECT id, list, name, place, owner_id AS "ownerId", pinned, created_at AS "createdAt", updated_at AS "updatedAt" FROM saved_views WHERE workspace_id = $workspace AND ($1::listed IS NULL OR list = $1::listed) AND (owner_id IS NULL OR owner_id = $2)
     AND (pinned OR NOT $3::boolean)
   ORDER BY lower(name), id`,
);

/** The shared views of a list, or of all, and those of `userId`, by name. */
export const findViews = (
  db: Db,
  list: ViewSubject | null,
  userId: string | null,
  onlyPinned: boolean,
): Promise<ViewRow[]> => db.query<ViewRow>(ofList, [list, userId, onlyPinned]);

const findView = (db: Db, where: { id: string; OR?: { ownerId: string | null }[] }): Promise<ViewRow | null> =>
  db.prisma.savedView.findFirst({ where, omit: { workspaceId: true } });

/** A view that `userId` may see, locked until this transaction ends. */
export async function findViewToChange(db: Db, id: string, userId: string | null): Promise<ViewRow | null> {
  await lockRow(db, "saved_views", id);
  return findView(db, { id, OR: [{ ownerId: null }, ...(userId === null ? [] : [{ ownerId: userId }])] });
}

export const countViews = (db: Db, list: ViewSubject, ownerId: string | null): Promise<number> =>
  db.prisma.savedView.count({ where: { list, ownerId } });

type NewView = Pick<ViewRow, "id" | "list" | "ownerId" | "name" | "place" | "pinned">;

/** Null when the name is taken. */
export async function insertView(db: Db, view: NewView): Promise<ViewRow | null> {
  const { count } = await db.prisma.savedView.createMany({ data: [view], skipDuplicates: true });
  return count === 0 ? null : findView(db, { id: view.id });
}

/** Throws a violation of `saved_views_name_key` when the name is taken. */
export async function updateView(db: Db, { id, ...view }: Omit<NewView, "list">): Promise<ViewRow> {
  await db.prisma.savedView.updateMany({ where: { id }, data: { ...view, updatedAt: new Date() } });
  const row = await findView(db, { id });
  if (!row) throw new Error("a view that was locked is not there");
  return row;
}

export async function deleteViewRow(db: Db, id: string): Promise<void> {
  await db.prisma.savedView.deleteMany({ where: { id } });
}

// saved_views_pkey: a workspace has at most hundreds
const places = sql("saved_view_places", "SELECT id, place FROM saved_views WHERE workspace_id = $workspace FOR UPDATE");

/** The place of every view, of all members. */
export const findPlaces = (db: Db) => db.query<{ id: string; place: string }>(places);

export async function setPlace(db: Db, id: string, place: string): Promise<void> {
  await db.prisma.savedView.updateMany({ where: { id }, data: { place } });
}
