import { findEntity } from "#lib/domain/entities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { recordAbout } from "#lib/domain/people/service.ts";
import { propertyOfSuperseded } from "#lib/domain/timeline/service.ts";
import { findBooked } from "../queries.ts";

/**
 * Marks an older booking as replaced by another one (both external ids of one source): timeline, context and attention
 * show it as rescheduled. The newer one must be recorded, the older one may still be unknown. Safe to repeat. Returns
 * how many timelines it is on.
 */
export async function supersedeActivity(
  ctx: Ctx,
  { source, externalId, byExternalId }: { source: string; externalId: string; byExternalId: string },
): Promise<number> {
  const ids = await findBooked(ctx.db, source, [externalId, byExternalId]);
  for (const id of ids) {
    const entity = await findEntity(ctx.db, id);
    if (!entity) continue;
    await recordAbout(ctx, { ...entity, created: false, attached: [] }, [
      {
        kind: "state",
        property: propertyOfSuperseded(source, externalId),
        value: byExternalId,
        source,
        method: "asserted",
        observedAt: null,
        externalId: `superseded:${externalId}:${byExternalId}`,
      },
    ]);
  }
  return ids.length;
}
