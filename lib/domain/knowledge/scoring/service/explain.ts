import { together } from "#lib/core/together.ts";
import { explained, FIT, tierOf } from "#lib/domain/crm/scores/service.ts";
import { implement } from "#lib/domain/implement.ts";
import {
  momentOf,
  nameAt,
  readCard,
  readClaims,
  resolveForRead,
  seenIn,
} from "#lib/domain/knowledge/contacts/service.ts";
import * as contract from "../contract.ts";
import { findHistory } from "../queries.ts";
import { pathTo } from "../rules/path.ts";
import { viewOfHistory } from "../serialize.ts";

/** Where tiers begin, and where a score is a fit. */
const TARGETS = [50, FIT, 85] as const;

export const getAccountScore = implement(contract.getAccountScore, async (ctx, { focus, limit }) => {
  const { entity, ambiguous } = await resolveForRead(ctx, focus);
  if (ambiguous) return ambiguous;
  const [history, card, claims] = await together([
    findHistory(ctx.db, entity.id, limit + 1),
    readCard(ctx, entity),
    readClaims(ctx, entity, momentOf({})),
  ]);
  const seen = seenIn(ctx, card);
  const scored = seen?.scored ?? null;
  const fit = seen && scored ? explained(seen.scorer, seen.features, scored) : null;
  // The next tier, and a fit where that is further.
  const above = scored ? TARGETS.filter((target) => target > scored.score) : [];
  const targets = above.filter((target, place) => place === 0 || target === FIT);
  return {
    entity_id: entity.id,
    name: nameAt(card, claims, entity),
    model_version: seen?.version ?? null,
    score: fit?.score ?? null,
    tier: fit?.tier ?? null,
    fit: fit?.fit ?? null,
    reason: fit?.reason ?? null,
    contributions: fit?.contributions ?? [],
    history: history.slice(0, limit).map((row, place) => viewOfHistory(row, history[place + 1])),
    to_reach: targets.map((target) => {
      const path = seen ? pathTo(seen.scorer, seen.features, target) : null;
      return { target, tier: tierOf(target), changes: path?.changes ?? null, score: path?.score ?? null };
    }),
  };
});
