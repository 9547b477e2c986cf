import { type Fit, fitOf, readFit } from "#lib/domain/crm/scores/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { Resolved } from "#lib/domain/records/entities/service.ts";
import { isPast, type Moment } from "../rules/claims.ts";

export type Icp = Fit;

/**
 * The ICP score of a person or company at a moment, as a function of what sources reported as `icp_score`: the workspace's
 * model says it where there is one, and otherwise what was reported.
 */
export async function readIcp(
  ctx: Pick<Ctx, "db" | "workspaceId">,
  entity: Resolved,
  moment: Moment,
): Promise<(reported: unknown) => Icp | undefined> {
  if (entity.type === "workspace") return () => undefined;
  const { asOf, knownAt, now } = moment;
  const at = isPast(moment) ? new Date(Math.min((asOf ?? now).getTime(), (knownAt ?? now).getTime())) : null;
  const { hasModel, fit } = await readFit(ctx, entity.id, at);
  return (reported) => (hasModel ? (fit ?? undefined) : icpOf(reported));
}

/** The fit that a reported score means; undefined when it is no number. */
export const icpOf = (score: unknown): Fit | undefined =>
  typeof score === "number" && Number.isFinite(score) ? fitOf(Math.round(score)) : undefined;
