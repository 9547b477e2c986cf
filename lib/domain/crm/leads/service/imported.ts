import { Fault, isFault } from "#lib/core/errors.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { markImported } from "../queries/changes.ts";
import { findList, keepList } from "../queries/lists.ts";
import { addPeople } from "./add.ts";

/** Throws 404 for an unknown list. Contracts that take a list say in `feature` that the plan must have them. */
export async function requireList(ctx: Pick<Ctx, "db">, listId: string): Promise<void> {
  if (!(await findList(ctx.db, listId))) throw new Fault("lead_list_not_found");
}

/**
 * Adds people that an import wrote to a list, in the import's transaction. Those who are in it stay as they are; nothing
 * happens when the list was deleted meanwhile. The caller holds the people.
 */
export async function addImported(
  ctx: Ctx,
  { listId, importId }: { listId: string; importId: string },
  peopleIds: readonly string[],
): Promise<void> {
  const list = peopleIds.length > 0 ? await keepList(ctx.db, listId) : null;
  if (!list) return;
  const added = await addPeople(
    ctx,
    list,
    peopleIds.map((entity_id) => ({ entity_id })),
  );
  const fresh = added.flatMap((one) => (isFault(one) || one.there || one.leadId === null ? [] : [one.leadId]));
  if (fresh.length > 0) await markImported(ctx.db, importId, fresh);
}
