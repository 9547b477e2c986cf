import type { Ctx } from "#lib/domain/implement.ts";

/**
 * Marks an older booking as replaced by another one (both external ids of one source): timeline, context and attention
 * show it as rescheduled. Safe to repeat, in either order of arrival. Returns on how many timelines.
 */
export async function supersedeActivity(
  _ctx: Ctx,
  _superseded: { source: string; externalId: string; byExternalId: string },
): Promise<number> {
  return 0;
}
