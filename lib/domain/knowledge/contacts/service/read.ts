import { explained, type Fit, findScoreAt, fitOf, type ScoredRecord, seenOf } from "#lib/domain/crm/scores/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { evidenceIds, type ResolvedEntity } from "#lib/domain/records/entities/service.ts";
import { findEvidence, type StoredEvidence } from "#lib/domain/records/evidence/service.ts";
import { isBookkeeping } from "#lib/domain/records/evidence/words.ts";
import { nameOf } from "#lib/domain/records/names/service.ts";
import { type Card, findCard, findClaims, findPeopleOf, findStates } from "../queries/account.ts";
import { type Claim, claimsAt, isPast, type Moment } from "../rules/claims.ts";

/** People of a company whose mail and meetings are the company's. */
const MOST_PEOPLE = 200;

/** The ids of a person, or of a company and its people, the most recently active ones. */
export async function idsWithPeople({ db }: Pick<Ctx, "db">, entity: ResolvedEntity): Promise<string[]> {
  const people = entity.type === "company" ? await findPeopleOf(db, entity.id, MOST_PEOPLE) : [];
  return [...evidenceIds(entity), ...people.map(({ id }) => id)];
}

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

export type Icp = Fit;

/** The score at a moment in the past, of which only the score is known; undefined of the present, and before the first score. */
export async function readPastScore(
  ctx: Ctx,
  entity: ResolvedEntity,
  moment: Moment,
): Promise<number | null | undefined> {
  if (!isPast(moment) || entity.type === "workspace") return undefined;
  const { asOf, knownAt, now } = moment;
  return findScoreAt(ctx.db, entity.id, new Date(Math.min((asOf ?? now).getTime(), (knownAt ?? now).getTime())));
}

/** How the workspace's model sees the person or company of a card; null when there is no model. */
export const seenIn = ({ workspaceId }: Pick<Ctx, "workspaceId">, card: Card | null): ScoredRecord | null =>
  card === null || card.type === "workspace" ? null : seenOf(workspaceId, card);

type IcpSource = { entity: ResolvedEntity; moment: Moment; card: Card | null; past: number | null | undefined };

/**
 * The ICP score of a person or company at a moment: the workspace's model says it where there is one, and otherwise what
 * sources reported as `icp_score`.
 */
export function icpAt(ctx: Ctx, { entity, moment, card, past }: IcpSource, reported: unknown): Icp | undefined {
  if (entity.type === "workspace") return undefined;
  if (past !== undefined) return past === null ? undefined : fitOf(past);
  const seen = isPast(moment) ? null : seenIn(ctx, card);
  if (!seen) return icpOf(reported);
  return seen.scored ? explained(seen.scorer, seen.features, seen.scored) : undefined;
}

/** The fit that a reported score means; undefined when it is no number. */
export const icpOf = (score: unknown): Fit | undefined =>
  typeof score === "number" && Number.isFinite(score) ? fitOf(Math.round(score)) : undefined;
