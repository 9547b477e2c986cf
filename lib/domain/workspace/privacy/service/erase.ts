import { Fault } from "#lib/core/errors.ts";
import { forgetInApprovals } from "#lib/domain/access/approvals/service.ts";
import { forgetInBulkActions } from "#lib/domain/crm/bulk-actions/service.ts";
import { holdWhole, leaveLists, takeUpWithout } from "#lib/domain/crm/recording/service.ts";
import { forgetInViews } from "#lib/domain/crm/saved-views/service.ts";
import { forgetInTasks } from "#lib/domain/crm/tasks/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { lockDeliveries, redactDeliveries } from "#lib/domain/integrations/inbound/service.ts";
import { deleteRefusalsFrom } from "#lib/domain/integrations/log-addresses/service.ts";
import { forgetInTriggers } from "#lib/domain/integrations/triggers/service.ts";
import { forgetMeetings } from "#lib/domain/knowledge/meetings/service.ts";
import { forgetMessages, holdMail } from "#lib/domain/knowledge/messages/service.ts";
import { eraseNotes } from "#lib/domain/knowledge/notes/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { logErasure } from "#lib/domain/records/change-log/service.ts";
import {
  deleteEntities,
  evidenceIds,
  findEntity,
  findIdentifiersEver,
  resolveExisting,
} from "#lib/domain/records/entities/service.ts";
import { sourceOf } from "#lib/domain/records/evidence/service.ts";
import { forgetEvents } from "#lib/domain/records/outbox/service.ts";
import { leaveTombstones } from "#lib/domain/records/tombstones/service.ts";
import { forgetInExports } from "#lib/domain/workspace/exports/service.ts";
import { forgetInImports } from "#lib/domain/workspace/imports/service.ts";
import * as contract from "../contract.ts";
import { countAbout, forgetAnswers } from "../queries.ts";
import { placeWithout } from "../rules.ts";

export const erasePerson = implement(
  contract.erasePerson,
  async (ctx, { focus }) => {
    const named = await resolveExisting(ctx, focus);
    await holdForErasure(ctx, evidenceIds(named));
    const entity = await findEntity(ctx.db, named.id);
    if (!entity || entity.id !== named.id) throw new Fault("entity_not_found");
    if (entity.type !== "person")
      throw new Fault("invalid_focus", { parameter: "focus" }, "Only people are erased; a company can be archived.");
    const ids = evidenceIds(entity);
    const erased = await countAbout(ctx.db, ids);
    await leaveTombstones(ctx, await findIdentifiersEver(ctx.db, ids));
    await eraseEntities(ctx, ids);
    await recordAudit(ctx, "person.erased", entity.id, erased);
    return { entity_id: entity.id, erased };
  },
  { transaction: "erasing" },
);

/** Makes this transaction the only writer about some entities, and the only one that records deliveries about them. */
export async function holdForErasure(ctx: Ctx, ids: readonly string[]): Promise<void> {
  await lockDeliveries(ctx.db, ids, await namesEver(ctx, ids));
  await holdMail(ctx);
  await holdWhole(ctx, ids);
}

/** What is looked for in text. The bare name of a company may stand there for anything else. */
const namesEver = async (ctx: Ctx, ids: readonly string[]): Promise<string[]> =>
  (await findIdentifiersEver(ctx.db, ids)).flatMap(({ kind, value }) => (kind === "name" ? [] : [value]));

/**
 * Removes entities with every trace of them, in a transaction of erasure that holds them: `ids` includes what was
 * merged into them. Their companies are counted again, and people of an erased company are shown without it.
 */
export async function eraseEntities(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const names = await namesEver(ctx, ids);
  const mentioned = new Set([...ids, ...names].map((text) => text.toLowerCase()));
  const left = await leaveLists(ctx, ids);
  await eraseNotes(ctx.db, ids);
  await forgetMessages(ctx, ids);
  await deleteRefusalsFrom(ctx.db, [...mentioned]);
  await forgetMeetings(ctx, ids);
  await forgetEvents(ctx.db, ids); // before the entities, which deliveries made of events refer to
  await deleteEntities(ctx.db, ids);
  await logErasure(ctx, ids, sourceOf(ctx));
  await forgetAnswers(ctx.db, [...mentioned]);
  await forgetInApprovals(ctx, [...mentioned]);
  await forgetInExports(ctx, [...mentioned]);
  await forgetInBulkActions(ctx, ids, [...mentioned]);
  await redactDeliveries(ctx.db, ids, names);
  await forgetInImports(ctx, ids, names);
  await forgetInTasks(ctx, [...mentioned]);
  await forgetInTriggers(ctx, [...mentioned]);
  await forgetInViews(ctx, (place) => placeWithout(place, mentioned));
  await takeUpWithout(ctx, left); // last: who works through a bulk action or an import locks that first, and rows of lists after it
}
