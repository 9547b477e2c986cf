import type { WorkspaceId } from "#lib/core/ids.ts";
import { singleton } from "#lib/core/singleton.ts";
import type { Db } from "#lib/db/handle.ts";
import { enqueueSoon, jobKind } from "#lib/jobs/queue.ts";
import type { Contribution, Signal, Tier } from "./contract.ts";
import { type CompanyToFit, companyFactsOf, deferMark, type PersonToFit, personFactsOf } from "./queries.ts";
import { contributionsOf } from "./rules/contributions.ts";
import { type Features, featuresOfCompany, featuresOfPerson } from "./rules/features.ts";
import { FIT, type ScoreResult, type Scorer, scorerOf, tierOf } from "./rules/scorer.ts";
import { reasonOf } from "./rules/words.ts";

export {
  COMPANY_SEEN,
  type CompanyToFit,
  type CompanyToScore,
  companiesToScore,
  companyFactsOf,
  findModel,
  findScoreAt,
  JOIN_MODEL,
  type Model,
  PERSON_SEEN,
  type PersonToFit,
  type PersonToScore,
  peopleToScore,
  personFactsOf,
} from "./queries.ts";
export { pointsByKey } from "./rules/contributions.ts";
export {
  type Features,
  type FeatureValue,
  features,
  featuresOfCompany,
  featuresOfPerson,
  propertiesOf,
} from "./rules/features.ts";
export { degreeOf, FIT, type ScoreResult, type Scorer, scorerOf, tierOf } from "./rules/scorer.ts";
export { wordsOf } from "./rules/text.ts";
export * as vocabulary from "./rules/vocabulary.ts";
export { reasonOf, wordsOfValue } from "./rules/words.ts";

/** The fit of one person or company as answers show it. `reason` and `contributions` only where the model gave the score. */
export type Fit = {
  score: number;
  tier: Tier;
  fit: boolean;
  reason?: string;
  contributions?: Contribution[];
};

export const fitOf = (score: number): Fit => ({ score, tier: tierOf(score), fit: score >= FIT });

/** One person or company as the current model sees it; `scored` is null when none of its features is known. */
export type ScoredRecord = { version: number; scorer: Scorer; features: Features; scored: ScoreResult | null };

/** How the current model sees a person or company; null when the workspace has no model. */
export function seenOf(workspaceId: string, row: PersonToFit | CompanyToFit): ScoredRecord | null {
  const { version, signals } = row;
  if (version === null || signals === null) return null;
  const features = "jobTitle" in row ? featuresOfPerson(personFactsOf(row)) : featuresOfCompany(companyFactsOf(row));
  const scorer = scorerFor(workspaceId, version, () => JSON.parse(signals) as Signal[]);
  return { version, scorer, features, scored: scorer.score(features) };
}

/** A score with its reason and what each signal gave. */
export const explained = (scorer: Scorer, features: Features, scored: ScoreResult): Fit => ({
  ...fitOf(scored.score),
  reason: reasonOf(scorer.signals, scored),
  contributions: contributionsOf(scorer, features, scored),
});

/** Prepared models by workspace, the current version of each. */
const prepared = singleton<Map<string, { version: number; scorer: Scorer }>>("scorers", () => new Map());
const MOST_PREPARED = 500;

/** The scorer of a workspace's model, prepared once a version. */
export function scorerFor(workspaceId: string, version: number, signals: () => readonly Signal[]): Scorer {
  const kept = prepared.get(workspaceId);
  if (kept?.version === version) return kept.scorer;
  const scorer = scorerOf(signals());
  if (prepared.size >= MOST_PREPARED) prepared.clear();
  prepared.set(workspaceId, { version, scorer });
  return scorer;
}

/** Scores what waits in a workspace: everyone after a change of the model, and records with new evidence otherwise. */
export const rescoring = jobKind("scoring:rescore", {
  label: "Update ICP scores",
  ids: [],
  queue: "scoring",
  once: true,
  gatherMs: 200,
  priority: 5,
});

/**
 * Queues people and companies whose rows were just written to be scored again; nothing happens in a workspace without a
 * model. The job is queued after the commit; should the process die between the two, the hourly maintenance queues it.
 */
export function markChanged({ db, workspaceId }: { db: Db; workspaceId: WorkspaceId }, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const marked = deferMark(db, ids);
  marked.catch(() => undefined); // fails the transaction
  db.afterCommit(() => void marked.then((rows) => rows.length > 0 && enqueueSoon(workspaceId, rescoring)));
}
