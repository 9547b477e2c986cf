import type { Ctx } from "#lib/domain/implement.ts";
import { lockEntities, readClock } from "#lib/domain/records/evidence/service.ts";
import { emit } from "#lib/domain/records/outbox/service.ts";
import { findPeopleOf, lockLeads, updateLeads } from "../queries/leads.ts";
import { type LeadRow, repliesOf } from "../rules/lead-moves.ts";

/** Locks the people of leads, as signals about them do, and returns whose leads these are; ids that no lead has are left out. */
export async function holdLeads(ctx: Ctx, ids: readonly string[]) {
  const people = await findPeopleOf(ctx.db, ids);
  await lockEntities(ctx.db, [...new Set(people.map(({ entityId }) => entityId))]);
  return people;
}

/** Changes leads as a caller says, and returns them as they are now; ids that no lead has are left out. */
export async function changeLeadRows(
  ctx: Ctx,
  ids: readonly string[],
  change: (lead: LeadRow, at: Date) => LeadRow,
): Promise<LeadRow[]> {
  const leads = await holdLeads(ctx, ids);
  if (leads.length === 0) return [];
  const before = await lockLeads(ctx.db, ids);
  const at = await readClock(ctx.db);
  const after = before.map((lead) => change(lead, at));
  if (after.length > 0) updateLeads(ctx.db, at, after);
  emit(
    ctx,
    at,
    after.flatMap((lead, place) => repliesOf(before[place] as LeadRow, lead, null)),
  );
  return after;
}
