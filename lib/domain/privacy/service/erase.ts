import { Fault } from "#lib/core/errors.ts";
import { recordAudit } from "#lib/domain/audit/service.ts";
import { findEntity, lockIdentifiers, type Named, resolveExisting } from "#lib/domain/entities/service.ts";
import { lockEntity } from "#lib/domain/evidence/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { redactDeliveries } from "#lib/domain/inbound/service.ts";
import { eraseNotes } from "#lib/domain/notes/service.ts";
import { leaveLists, takeUpWithout } from "#lib/domain/people/service.ts";
import { forgetInViews } from "#lib/domain/saved-views/service.ts";
import * as contract from "../contract.ts";
import { countAbout, deleteEntities, findNamesEver, forgetAnswers } from "../queries.ts";
import { placeWithout } from "../rules.ts";

export const erasePerson = implement(
  contract.erasePerson,
  async (ctx, { focus }) => {
    const named = await resolveExisting(ctx, focus);
    // Who creates or completes this person waits here, and then finds nobody.
    await lockIdentifiers(ctx.db, (await findNamesEver(ctx.db, [named.id])) as Named[]);
    await lockEntity(ctx.db, named.id);
    const entity = await findEntity(ctx.db, named.id);
    if (!entity || entity.id !== named.id) throw new Fault("entity_not_found");
    if (entity.type !== "person")
      throw new Fault("invalid_focus", { parameter: "focus" }, "Only people are erased; a company can be archived.");
    const ids = [entity.id, ...entity.absorbed];
    const erased = await countAbout(ctx.db, ids);
    await eraseEntities(ctx, ids);
    await recordAudit(ctx, "person.erased", entity.id, erased);
    return { entity_id: entity.id, erased };
  },
  { erases: true },
);

/**
 * Removes entities with every trace of them, in a transaction of erasure: `ids` includes what was merged into them. Their
 * companies count anew, and people of a company that goes are shown without it.
 */
export async function eraseEntities(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const names = (await findNamesEver(ctx.db, ids)).map(({ value }) => value);
  const mentioned = new Set([...ids, ...names].map((text) => text.toLowerCase()));
  const left = await leaveLists(ctx, ids);
  await eraseNotes(ctx.db, ids);
  await deleteEntities(ctx.db, ids);
  await takeUpWithout(ctx, left);
  await forgetAnswers(ctx.db, [...mentioned]);
  await redactDeliveries(ctx.db, ids, names);
  await forgetInViews(ctx, (place) => placeWithout(place, mentioned));
}
