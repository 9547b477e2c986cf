/** Regions that a country may be in. */
export const regions = [
  "EU",
  "Europe",
  "DACH",
  "Nordics",
  "Benelux",
  "UK and Ireland",
  "North America",
  "Latin America",
  "EMEA",
  "APAC",
  "Asia",
  "Southeast Asia",
  "ANZ",
  "MENA",
  "Middle East",
  "Africa",
] as const;
export type Region = (typeof regions)[number];
