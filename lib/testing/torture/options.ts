/**
 * The options of a run of the harness, from the environment: `run.ts` sets them, an ordinary test run leaves it at a
 * minute.
 */
const { TORTURE_MINUTES, TORTURE_SEED, TORTURE_POOL, TORTURE_PARTS, TORTURE_SOAK } = process.env;

export const parts = ["handle", "operations", "beside", "changes"] as const;
export type Part = (typeof parts)[number];

const soak = Number(TORTURE_SOAK ?? 0);
const chosen = parts.filter((part) => soak === 0 && (!TORTURE_PARTS || TORTURE_PARTS.split(",").includes(part)));

export const options = {
  minutes: Number(TORTURE_MINUTES ?? 1),
  seed: Number(TORTURE_SEED ?? Date.now() % 2 ** 31),
  pools: TORTURE_POOL ? [Number(TORTURE_POOL)] : [1, 2, 3],
  parts: chosen,
  /** minutes of mixed load under which memory must not grow, instead of the parts; 0: none */
  soak,
};

/** How long a part plays on one size of pool, in milliseconds. */
export const portion = (part: Part): number =>
  chosen.includes(part) ? (options.minutes * 60_000) / chosen.length / options.pools.length : 0;

/** The sizes of pool on which a part plays: none when it was not chosen. */
export const poolsOf = (part: Part): number[] => (chosen.includes(part) ? options.pools : []);
