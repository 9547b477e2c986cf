import type { Ctx } from "#lib/domain/implement.ts";
import type { NewEvent } from "#lib/domain/outbox/service.ts";
import { type LeadRow, lockLeadsOf, updateLeads } from "../queries/changes.ts";
import { type LeadSignal, type LeadStatus, stateAfter } from "../rules/states.ts";

/** What a signal says about whatever leads a person is. */
export type LeadNews = LeadSignal & { entityId: string; observationId: string };

/**
 * Moves the leads that signals are about, and returns the events of it. The caller holds the people; the rows are sent
 * with the COMMIT.
 */
export async function moveLeads(ctx: Pick<Ctx, "db">, at: Date, news: readonly LeadNews[]): Promise<NewEvent[]> {
  const newsOf = Map.groupBy(news, ({ entityId }) => entityId);
  const events: NewEvent[] = [];
  const moved = (await lockLeadsOf(ctx.db, [...newsOf.keys()])).flatMap((before) => {
    let lead = before;
    for (const signal of newsOf.get(before.entityId) ?? []) {
      const after = { ...lead, ...stateAfter(lead, signal) };
      if (!before.hidden) events.push(...repliesOf(lead, after, signal.observationId));
      lead = after;
    }
    return isMoved(before, lead) ? [lead] : [];
  });
  if (moved.length > 0) updateLeads(ctx.db, at, moved);
  return events;
}

/** The event of a lead that replied. `observationId`: the signal; null when someone set it. */
export const repliesOf = (before: LeadRow, after: LeadRow, observationId: string | null): NewEvent[] =>
  after.status === "replied" && before.status !== "replied" ? [leadReplied(before, before.status, observationId)] : [];

const leadReplied = (lead: LeadRow, previous: LeadStatus, observationId: string | null): NewEvent => ({
  type: "lead.replied",
  entityId: lead.entityId,
  observationId,
  data: { lead_id: lead.id, list_id: lead.listId, previous, value: "replied", caused_by: observationId },
});

const isMoved = (a: LeadRow, b: LeadRow): boolean =>
  a.status !== b.status ||
  [a.sentAt, a.repliedAt, a.bouncedAt].some((time, place) => {
    const other = [b.sentAt, b.repliedAt, b.bouncedAt][place] ?? null;
    return time?.getTime() !== other?.getTime();
  });
