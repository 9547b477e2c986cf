import { record } from "#lib/domain/crm/recording/service.ts";
import { propertyOfSuperseded } from "#lib/domain/crm/timeline/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
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
  const draft = {
    kind: "state",
    property: propertyOfSuperseded(source, externalId),
    value: byExternalId,
    source,
    method: "asserted",
    observedAt: null,
    externalId: `superseded:${externalId}:${byExternalId}`,
  } as const;
  await record(
    ctx,
    ids.map((id) => ({ about: { id }, drafts: [draft] })),
  );
  return ids.length;
}
