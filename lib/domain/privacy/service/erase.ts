import { Fault } from "#lib/core/errors.ts";
import { forgetInApprovals } from "#lib/domain/approvals/service.ts";
import { recordAudit } from "#lib/domain/audit/service.ts";
import { forgetInBulkActions } from "#lib/domain/bulk-actions/service.ts";
import { logErasure } from "#lib/domain/change-log/service.ts";
import {
  findEntity,
  lockIdentifiers,
  lockIdentifiersLate,
  type Named,
  resolveExisting,
} from "#lib/domain/entities/service.ts";
import { lockEntities, sourceOf } from "#lib/domain/evidence/service.ts";
import { forgetInExports } from "#lib/domain/exports/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { forgetInImports } from "#lib/domain/imports/service.ts";
import { lockDeliveries, redactDeliveries } from "#lib/domain/inbound/service.ts";
import { eraseNotes } from "#lib/domain/notes/service.ts";
import { findEmployeeIds, leaveLists, takeUpWithout } from "#lib/domain/people/service.ts";
import { forgetInViews } from "#lib/domain/saved-views/service.ts";
import { forgetInTasks } from "#lib/domain/tasks/service.ts";
import { leaveTombstones } from "#lib/domain/tombstones/service.ts";
import * as contract from "../contract.ts";
import { countAbout, deleteEntities, findNamesEver, forgetAnswers } from "../queries.ts";
import { placeWithout } from "../rules.ts";

export const erasePerson = implement(
  contract.erasePerson,
  async (ctx, { focus }) => {
    const named = await resolveExisting(ctx, focus);
    await holdForErasure(ctx, [named.id, ...named.absorbed]);
    const entity = await findEntity(ctx.db, named.id);
    if (!entity || entity.id !== named.id) throw new Fault("entity_not_found");
    if (entity.type !== "person")
      throw new Fault("invalid_focus", { parameter: "focus" }, "Only people are erased; a company can be archived.");
    const ids = [entity.id, ...entity.absorbed];
    const erased = await countAbout(ctx.db, ids);
    await leaveTombstones(ctx, await findNamesEver(ctx.db, ids));
    await eraseEntities(ctx, ids);
    await recordAudit(ctx, "person.erased", entity.id, erased);
    return { entity_id: entity.id, erased };
  },
  { erases: true },
);

/**
 * Makes this transaction the only writer about some entities, with locks in the order used everywhere: deliveries,
 * names, entities. People of a company that is erased are locked too, because they are shown without it. Callers that
 * create or complete one of the entities wait, and then find that it is gone.
 */
export async function holdForErasure(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const names = await findNamesEver(ctx.db, ids);
  await lockDeliveries(
    ctx.db,
    ids,
    names.map(({ value }) => value),
  );
  await lockIdentifiers(ctx.db, names as Named[]);
  await lockEntities(ctx.db, [...ids, ...(await findEmployeeIds(ctx.db, ids))]);
  // Names that a merge added while this waited.
  const held = new Set(names.map(({ kind, value }) => `${kind} ${value}`));
  const brought = (await findNamesEver(ctx.db, ids)).filter(({ kind, value }) => !held.has(`${kind} ${value}`));
  await lockIdentifiersLate(ctx.db, brought as Named[]);
}

/**
 * Removes entities with every trace of them, in a transaction of erasure that holds them: `ids` includes what was
 * merged into them. Their companies are counted again, and people of an erased company are shown without it.
 */
export async function eraseEntities(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const names = (await findNamesEver(ctx.db, ids)).map(({ value }) => value);
  const mentioned = new Set([...ids, ...names].map((text) => text.toLowerCase()));
  const left = await leaveLists(ctx, ids);
  await eraseNotes(ctx.db, ids);
  await deleteEntities(ctx.db, ids);
  await logErasure(ctx, ids, sourceOf(ctx));
  await takeUpWithout(ctx, left);
  await forgetAnswers(ctx.db, [...mentioned]);
  await forgetInApprovals(ctx, [...mentioned]);
  await forgetInExports(ctx, [...mentioned]);
  await forgetInBulkActions(ctx, ids, [...mentioned]);
  await redactDeliveries(ctx.db, ids, names);
  await forgetInImports(ctx, ids, names);
  await forgetInTasks(ctx, [...mentioned]);
  await forgetInViews(ctx, (place) => placeWithout(place, mentioned));
}
