const tiers = [
  ["tier_1", 85],
  ["tier_2", 70],
  ["tier_3", 50],
] as const;

const FIT = 70;

/** What a score of 0 to 100 means; undefined when there is none. */
export function icpOf(score: unknown) {
  if (typeof score !== "number" || !Number.isFinite(score)) return undefined;
  const whole = Math.round(score);
  return {
    score: whole,
    tier: tiers.find(([, least]) => whole >= least)?.[0] ?? "not_icp",
    fit: whole >= FIT,
  } as const;
}
