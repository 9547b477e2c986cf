import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { isUniqueViolation } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import type { ViewSubject } from "./contract.ts";
import * as contract from "./contract.ts";
import {
  countViews,
  deleteViewRow,
  findPlaces,
  findViews,
  findViewToChange,
  insertView,
  setPlace,
  updateView,
  type ViewRow,
} from "./queries.ts";
import { MOST_VIEWS, strayParameter } from "./rules.ts";
import { viewOfRow } from "./serialize.ts";

/** The member whose own views the caller sees. Callers that are not people have none. */
const userOf = ({ actor }: Ctx): string | null => (actor.type === "user" ? actor.id : null);

export const listViews = implement(contract.listViews, async (ctx, { list, pinned }) => ({
  views: (await findViews(ctx.db, list ?? null, userOf(ctx), pinned === true)).map(viewOfRow),
}));

export const saveView = implement(contract.saveView, async (ctx, { list, name, place, shared, pinned }) => {
  requirePlace(list, place);
  const ownerId = shared ? null : userOf(ctx);
  await requireRoom(ctx, list, ownerId);
  const row = await insertView(ctx.db, { id: newId(), list, ownerId, name, place, pinned });
  if (!row) throw new Fault("view_name_taken", { parameter: "name" });
  return { view: viewOfRow(row) };
});

export const changeView = implement(contract.changeView, async (ctx, { id, name, place, shared, pinned }) => {
  const before = await requireView(ctx, id);
  if (place !== undefined) requirePlace(before.list, place);
  const ownerId = shared === undefined ? before.ownerId : shared ? null : userOf(ctx);
  if (ownerId !== before.ownerId) await requireRoom(ctx, before.list, ownerId);
  try {
    const row = await updateView(ctx.db, {
      id,
      name: name ?? before.name,
      place: place ?? before.place,
      pinned: pinned ?? before.pinned,
      ownerId,
    });
    return { view: viewOfRow(row) };
  } catch (error) {
    if (isUniqueViolation(error, "saved_views_name_key")) throw new Fault("view_name_taken", { parameter: "name" });
    throw error;
  }
});

export const deleteView = implement(contract.deleteView, async (ctx, { id }) => {
  const row = await requireView(ctx, id);
  await deleteViewRow(ctx.db, id);
  return { view: viewOfRow(row) };
});

/** Rewrites the places of everyone's views: `without` gives the new place, or null when there is nothing to remove. */
export async function forgetInViews(ctx: Ctx, without: (place: string) => string | null): Promise<void> {
  for (const { id, place } of await findPlaces(ctx.db)) {
    const kept = without(place);
    if (kept !== null) await setPlace(ctx.db, id, kept);
  }
}

async function requireView(ctx: Ctx, id: string): Promise<ViewRow> {
  const view = await findViewToChange(ctx.db, id, userOf(ctx));
  if (!view) throw new Fault("view_not_found");
  return view;
}

async function requireRoom(ctx: Ctx, list: ViewSubject, ownerId: string | null): Promise<void> {
  if ((await countViews(ctx.db, list, ownerId)) >= MOST_VIEWS) throw new Fault("too_many_views");
}

function requirePlace(list: ViewSubject, place: string): void {
  const parameter = strayParameter(list, place);
  if (parameter !== null)
    throw new Fault("invalid_place", { parameter: "place" }, `${parameter} is not a parameter of the list of ${list}.`);
}
