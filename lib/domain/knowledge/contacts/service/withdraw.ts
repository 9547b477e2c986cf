import { Fault } from "#lib/core/errors.ts";
import { holdEntities, recordOne } from "#lib/domain/crm/recording/service.ts";
import { implement } from "#lib/domain/implement.ts";
import {
  type CurrentBelief,
  deriveBelief,
  findEvidence,
  findSaidByPeople,
  freshStateFrom,
  isBookkeeping,
  latestCounts,
} from "#lib/domain/records/evidence/service.ts";
import * as contract from "../contract.ts";
import { findState } from "../queries/account.ts";

/** Evidence is never changed: a second state names the first as its cause, and then neither counts. */
export const withdrawValue = implement(contract.withdrawValue, async (ctx, { id, observation_id }) => {
  const entity = (await holdEntities(ctx, [id])).get(id);
  if (!entity || entity.id === ctx.workspaceId) throw new Fault("entity_not_found");
  const given = await findState(ctx.db, entity.id, observation_id);
  if (!given || latestCounts(given.property) || isBookkeeping(given.property)) throw new Fault("observation_not_found");
  const said = await findSaidByPeople(ctx.db, [entity.id], [given.property]);
  if (!said.includes(given.id)) throw new Fault("observation_not_found");
  const { property, observedAt } = given;
  const states = (await findEvidence(ctx.db, entity, [property])).filter(({ kind }) => kind === "state");
  const isWithdrawn = states.some(({ causedBy }) => causedBy === given.id);
  const belief = deriveBelief(isWithdrawn ? states : states.filter((state) => state.id !== given.id));
  if (!belief) throw new Fault("only_value");
  const value = belief.ended ? null : belief.value;
  // At the time of the first, so that both count for the same moments.
  if (!isWithdrawn) {
    const withdrawal = { ...freshStateFrom(ctx, property, value), observedAt, causedBy: given.id };
    await recordOne(ctx, { about: { id: entity.id }, drafts: [withdrawal] });
  }
  return { entity_id: entity.id, property, value: value as CurrentBelief["value"] };
});
