/** Random choices that a seed repeats. */
export type Chance = {
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  /** True in this many of a hundred cases. */
  percent(share: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Independent choices for one worker or programme: what others draw does not change them. */
  fork(): Chance;
};

/** mulberry32: small, and good enough to choose what to do next. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    int,
    percent: (share) => next() * 100 < share,
    pick: (from) => from[int(0, from.length - 1)] as never,
    fork: () => chanceOf(int(0, 2 ** 32 - 1)),
  };
}
