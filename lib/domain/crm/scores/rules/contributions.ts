import type { Contribution } from "../contract.ts";
import type { Features } from "./features.ts";
import { degreeOf, type ScoreResult, type Scorer } from "./scorer.ts";

/** What each signal gave, the strongest first. */
export function contributionsOf({ signals }: Scorer, features: Features, { points }: ScoreResult): Contribution[] {
  return signals
    .map((signal, index): Contribution => {
      const { key, label, weight, rule } = signal;
      const value = features(rule.feature);
      const degree = degreeOf(rule)(value);
      return {
        key,
        label,
        feature: rule.feature,
        weight,
        points: (points[index] ?? 0) / 1000,
        met: degree === null ? null : degree > 0,
        found: typeof value === "object" && value !== null ? [...value] : value,
        disqualifies: rule.disqualify === true && degree !== null && degree > 0,
      };
    })
    .sort(
      (a, b) =>
        Number(b.disqualifies) - Number(a.disqualifies) ||
        Math.abs(b.points) - Math.abs(a.points) ||
        (a.key < b.key ? -1 : 1),
    );
}

/** The points a signal gave, by key, without those that gave nothing: what a history keeps. */
export const pointsByKey = ({ signals }: Scorer, { points }: ScoreResult): Record<string, number> =>
  Object.fromEntries(
    signals.flatMap(({ key }, index) => (points[index] ? [[key, (points[index] as number) / 1000]] : [])),
  );
