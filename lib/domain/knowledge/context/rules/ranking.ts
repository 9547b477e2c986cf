import type { EventRow } from "#lib/domain/crm/timeline/service.ts";
import { typeOf } from "#lib/domain/crm/timeline/service.ts";
import type { Claim } from "#lib/domain/knowledge/contacts/service.ts";
import { confidenceAt } from "#lib/domain/records/evidence/service.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { type Shape, topicOf } from "./intents.ts";

/** A disagreement must be seen before the value is repeated to the prospect. */
const CONFLICT = 0.3;

/** After this many days an event is half as interesting. */
const HALF_LIFE_DAYS = 45;

/** The most useful claims first: what the intent is about, as far as it can be trusted now. */
export function rankClaims(shape: Shape, claims: readonly Claim[], now: Date): Claim[] {
  const worth = (claim: Claim) =>
    shape.topics[topicOf(claim.property)] * confidenceAt(claim, now) + (claim.conflicts.length > 0 ? CONFLICT : 0);
  return sortedBy(claims, worth, (a, b) => (a.property < b.property ? -1 : 1));
}

/** The most useful events first: of a type the intent cares about, and recent; what is still to come counts as of today. */
export function rankEvents(shape: Shape, events: readonly EventRow[], now: Date): EventRow[] {
  const worth = (event: EventRow) => {
    const ageDays = Math.max(0, (now.getTime() - event.observedAt.getTime()) / DAY_MS);
    return (shape.activities[typeOf(event.property)] ?? shape.activities.other) * 0.5 ** (ageDays / HALF_LIFE_DAYS);
  };
  return sortedBy(events, worth, (a, b) => b.observedAt.getTime() - a.observedAt.getTime() || b.seq - a.seq);
}

/** Facts by category in the intent's order; inside a category, and after the known ones, they stay newest first. */
export const rankFacts = <F extends { category: string }>(shape: Shape, facts: readonly F[]): F[] =>
  inOrder(shape.categories, facts, (fact) => fact.category);

/** Documents by type in the intent's order, newest first inside a type. */
export const rankDocuments = <D extends { type: string }>(shape: Shape, documents: readonly D[]): D[] =>
  inOrder(shape.documents, documents, (document) => document.type);

function inOrder<T>(order: readonly string[], items: readonly T[], kindOf: (item: T) => string): T[] {
  const place = (item: T) => {
    const index = order.indexOf(kindOf(item));
    return index < 0 ? order.length : index;
  };
  return items.toSorted((a, b) => place(a) - place(b));
}

function sortedBy<T>(items: readonly T[], worth: (item: T) => number, tie: (a: T, b: T) => number): T[] {
  return items
    .map((item) => ({ item, worth: worth(item) }))
    .sort((a, b) => b.worth - a.worth || tie(a.item, b.item))
    .map(({ item }) => item);
}
