/** How well a member knows someone, in words. */
export const closeness = ["strong", "medium", "weak"] as const;
export type Closeness = (typeof closeness)[number];

/** What counts between a member and a person, each with what it weighs on the day it happens. */
export const WEIGHTS = { sent: 1, received: 2, reply: 1, meeting: 6 } as const;

/** After so many days everything weighs half. */
export const HALF_LIFE_DAYS = 90;

/** Sums of weights are stored as of this day, so that they can be added up whenever what they count happened. */
export const WEIGHED_AT = "2026-01-01T00:00:00Z";
