/** Longest entry, in UTF-16 code units; `profile.test.ts` checks that the contract has the same limit. */
export const MAX_CONTENT = 10_000;

/** From this length on the editor shows a counter. */
export const NEAR_CONTENT = 9_000;

/** Longest name of a category. */
export const MAX_CATEGORY = 64;
