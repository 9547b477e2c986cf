import type { NewEvent } from "#lib/domain/records/outbox/service.ts";
import { type LeadSignal, type LeadState, type LeadStatus, type ReplyOutcome, stateAfter } from "./leads.ts";

export type LeadRow = LeadState & {
  id: string;
  listId: string;
  entityId: string;
  hidden: boolean;
  replyOutcome: ReplyOutcome | null;
  givenScore: number | null;
  fields: Record<string, unknown>;
};

/** What a signal says about whatever leads a person is. */
export type LeadNews = LeadSignal & { entityId: string; observationId: string };

/** The leads that signals move, and the events of it. */
export function moveLeads(
  leads: readonly LeadRow[],
  news: readonly LeadNews[],
): { moved: LeadRow[]; events: NewEvent[] } {
  const newsOf = Map.groupBy(news, ({ entityId }) => entityId);
  const events: NewEvent[] = [];
  const moved = leads.flatMap((before) => {
    let lead = before;
    for (const signal of newsOf.get(before.entityId) ?? []) {
      const after = { ...lead, ...stateAfter(lead, signal) };
      if (!before.hidden) events.push(...repliesOf(lead, after, signal.observationId));
      lead = after;
    }
    return isMoved(before, lead) ? [lead] : [];
  });
  return { moved, events };
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
    const other = [b.sentAt, b.repliedAt, b.bouncedAt][place];
    return time?.getTime() !== other?.getTime();
  });
