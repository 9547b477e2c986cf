/**
 * The options of a run of the harness, from the environment: `run.ts` sets them, an ordinary test run leaves it at half
 * a minute, on one size of pool for each part, which the seed chooses.
 */
const {
  TORTURE_MINUTES,
  TORTURE_SEED,
  TORTURE_POOL,
  TORTURE_PARTS,
  TORTURE_SOAK,
  TORTURE_CLIENTS,
  TORTURE_MOST,
  TORTURE_VALUES,
} = process.env;

export const parts = ["handle", "operations", "beside", "changes", "races", "jobs", "rolling"] as const;
export type Part = (typeof parts)[number];

const soak = Number(TORTURE_SOAK ?? 0);
const chosen = parts.filter((part) => soak === 0 && (!TORTURE_PARTS || TORTURE_PARTS.split(",").includes(part)));

export const options = {
  minutes: Number(TORTURE_MINUTES ?? 0.5),
  /** `vitest.config.ts` sets it for a whole run */
  seed: Number(TORTURE_SEED),
  parts: chosen,
  /** minutes of mixed load under which memory must not grow, instead of the parts; 0: none */
  soak,
  /** of the mixed load */
  clients: Number(TORTURE_CLIENTS ?? 12),
  /** megabytes that the process may take under it, on a machine of 1 GB; 0: any, on one with enough */
  most: Number(TORTURE_MOST ?? 0),
};

/** Few connections, so that all wait for them; races need as many as there are writers, who wait for each other. */
function pools(part: Part): number[] {
  if (TORTURE_POOL) return [Number(TORTURE_POOL)];
  if (part === "races") return [MOST_WRITERS];
  return TORTURE_MINUTES === undefined ? [1 + ((options.seed + parts.indexOf(part)) % 3)] : [1, 2, 3];
}
const MOST_WRITERS = 16;

/** Operations are sent every hostile value at every place; otherwise some of them, which the seed chooses. */
export const everyHostileValue = TORTURE_VALUES === "all";

/** The sizes of pool on which a part plays: none when it was not chosen. */
export const poolsOf = (part: Part): number[] => (chosen.includes(part) ? pools(part) : []);

/** How long a part plays on one size of pool, in milliseconds. */
export const portion = (part: Part): number =>
  chosen.includes(part) ? (options.minutes * 60_000) / chosen.length / pools(part).length : 0;
