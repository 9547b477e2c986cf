/** Longest entry, in UTF-16 code units; `profile.test.ts` holds that the contract says the same. */
export const MAX_CONTENT = 10_000;

/** From here on the editor counts along. */
export const NEAR_CONTENT = 9_000;

/** Longest name of a category. */
export const MAX_CATEGORY = 64;
