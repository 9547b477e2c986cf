import { deriveBelief, type Evidence } from "#lib/domain/records/evidence/service.ts";

export type Standing = "current" | "conflicting" | "past";

/** How each state of one property relates to today's belief: supports it, disagrees with it, or came before it. */
export function standingsOf(states: readonly Evidence[]): ReadonlyMap<string, Standing> {
  const belief = deriveBelief(states);
  if (!belief) return new Map();
  const supporting = belief.ended ? [belief.ended.by] : belief.support;
  return new Map<string, Standing>([
    ...belief.conflicts.map((conflict) => [conflict.observation_id, "conflicting"] as const),
    ...supporting.map((id) => [id, "current"] as const),
  ]);
}
