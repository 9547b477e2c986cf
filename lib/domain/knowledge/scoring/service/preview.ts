import { setImmediate as breathe } from "node:timers/promises";
import { together } from "#lib/core/together.ts";
import {
  degreeOf,
  featuresOfPerson,
  findModel,
  personFactsOf,
  reasonOf,
  type ScoreResult,
  scorerFor,
  scorerOf,
  tierOf,
} from "#lib/domain/crm/scores/service.ts";
import { implement } from "#lib/domain/implement.ts";
import { nameOf } from "#lib/domain/records/names/service.ts";
import * as contract from "../contract.ts";
import { findActive, type PersonToTry } from "../queries.ts";

/** People scored in one go before other requests get their turn. */
const AT_ONCE = 250;

type TrialScore = { person: PersonToTry; before: number | null; after: number | null; scored: ScoreResult | null };

export const previewScoringModel = implement(contract.previewScoringModel, async (ctx, { signals }) => {
  const [model, found] = await together([findModel(ctx.db), findActive(ctx.db, contract.MOST_PREVIEWED + 1)]);
  const people = found.slice(0, contract.MOST_PREVIEWED);
  const [now, next] = [
    model ? scorerFor(ctx.workspaceId, model.version, () => model.signals) : null,
    scorerOf(signals),
  ];
  const tests = signals.map(({ key, rule }) => ({
    key,
    feature: rule.feature,
    degree: degreeOf(rule),
    met: 0,
    known: 0,
  }));
  const tried: TrialScore[] = [];
  for (const [place, person] of people.entries()) {
    if (place % AT_ONCE === 0) await breathe();
    const features = featuresOfPerson(personFactsOf(person));
    const scored = next.score(features);
    tried.push({ person, before: now?.score(features)?.score ?? null, after: scored?.score ?? null, scored });
    for (const test of tests) {
      const value = features(test.feature);
      if (value !== null) test.known += 1;
      if ((test.degree(value) ?? 0) > 0) test.met += 1;
    }
  }
  const movers = tried.filter(({ before, after }) => before !== after);
  const distance = ({ before, after }: TrialScore) => Math.abs((after ?? 50) - (before ?? 50));
  movers.sort((a, b) => distance(b) - distance(a) || (a.person.id < b.person.id ? -1 : 1));
  return {
    examined: people.length,
    sampled: found.length > people.length,
    would_move: movers.length,
    up: movers.filter(({ before, after }) => (after ?? -1) > (before ?? -1)).length,
    down: movers.filter(({ before, after }) => (after ?? -1) < (before ?? -1)).length,
    by_tier: [...contract.tiers, "no_score" as const].map((tier) => ({
      tier,
      before: tried.filter(({ before }) => placeOf(before) === tier).length,
      after: tried.filter(({ after }) => placeOf(after) === tier).length,
    })),
    distribution: Array.from({ length: 10 }, (_, ten) => ({
      from: ten * 10,
      to: ten === 9 ? 100 : ten * 10 + 9,
      before: tried.filter(({ before }) => tenOf(before) === ten).length,
      after: tried.filter(({ after }) => tenOf(after) === ten).length,
    })),
    signals: tests.map(({ key, met, known }) => ({ key, met, known })),
    movers: movers.slice(0, contract.MOST_MOVERS).map(({ person, before, after, scored }) => ({
      entity_id: person.id,
      name: nameOf(person),
      before: standingOf(before),
      after: standingOf(after),
      reason: scored ? reasonOf(signals, scored) : "Nothing that the signals look at is known.",
    })),
  };
});

const standingOf = (score: number | null) => (score === null ? null : { score, tier: tierOf(score) });
const placeOf = (score: number | null) => (score === null ? "no_score" : tierOf(score));
const tenOf = (score: number | null) => (score === null ? null : Math.min(9, Math.floor(score / 10)));
