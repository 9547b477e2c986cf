import { explained, type Fit, findScoreAt, fitOf, type ScoredRecord, seenOf } from "#lib/domain/crm/scores/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { ResolvedEntity } from "#lib/domain/records/entities/service.ts";
import type { Card } from "../queries/account.ts";
import { isPast, type Moment } from "../rules/claims.ts";

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
