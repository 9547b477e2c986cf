import type { Ctx } from "#lib/domain/implement.ts";
import type { ResolvedEntity } from "#lib/domain/records/entities/service.ts";
import { findEvidence, type StoredEvidence } from "#lib/domain/records/evidence/service.ts";
import { isBookkeeping } from "#lib/domain/records/evidence/words.ts";
import { nameOf } from "#lib/domain/records/names/service.ts";
import { type Card, findCard, findClaims, findStates } from "../queries/account.ts";
import { type Claim, claimsAt, isPast, type Moment } from "../rules/claims.ts";

/** An entity and those merged into it, whose evidence all counts. */
export const evidenceIds = (entity: ResolvedEntity): string[] => [entity.id, ...entity.absorbed];

/** What is believed about an entity at a moment: the projection for today, the evidence for any other. */
export async function readClaims(ctx: Ctx, entity: ResolvedEntity, moment: Moment): Promise<Claim[]> {
  const claims = isPast(moment)
    ? claimsAt(await findStates(ctx.db, evidenceIds(entity), moment), moment)
    : await findClaims(ctx.db, entity.id);
  return claims.filter(({ property }) => !isBookkeeping(property));
}

/** All states of one property, in the order they were learned. */
export const readStates = async (ctx: Ctx, entity: ResolvedEntity, property: string): Promise<StoredEvidence[]> =>
  (await findEvidence(ctx.db, entity, [property])).filter((item) => item.kind === "state");

export const newestFirst = (states: readonly StoredEvidence[]): StoredEvidence[] =>
  states.toSorted((a, b) => b.observedAt.getTime() - a.observedAt.getTime() || b.seq - a.seq);

export const readCard = (ctx: Ctx, entity: ResolvedEntity): Promise<Card | null> =>
  findCard(ctx.db, entity.type, entity.id);

/** The company a person works at today, when it has a name. */
export const employerIn = (card: Card | null): { id: string; name: string } | null =>
  card?.employerId && card.employer ? { id: card.employerId, name: card.employer } : null;

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** What an entity was called: by the claims of the moment, else by today's identifiers. */
export function nameAt(card: Card | null, claims: readonly Claim[], entity: ResolvedEntity): string {
  if (entity.type === "workspace") return nameOf({ name: card?.name ?? null });
  const claimText = (property: string) => textOf(claims.find((claim) => claim.property === property)?.value);
  return nameOf({
    firstName: entity.type === "person" ? claimText("first_name") : null,
    lastName: entity.type === "person" ? claimText("last_name") : null,
    name: entity.type === "company" ? claimText("name") : null,
    email: card?.email ?? null,
    domain: card?.domain ?? null,
    linkedinUrl: card?.linkedinUrl ?? null,
  });
}
