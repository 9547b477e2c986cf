/** Invented people and companies: the same seed gives the same ones. Frequent and rare names, as real lists have them. */

export type Random = () => number;

/** mulberry32: small, fast and good enough to spread values. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

const words = (text: string): string[] => text.split(" ");

const firstNames = words(
  "Anna Ann Anne Johanna Hannah Joanne Marianne Susanna Brianna Bo Carlos Chen Daniel David Elena Emma Eva Farid Fatima Felix Grace Hana Henrik Hugo Ibrahim Ines Ivan Jack James Jan Jonas José Julia Kai Kenji Laila Lars Laura Léa Liam Linh Lucas Luis Maja Marco María Marta Max Mia Milan Mohammed Nadia Nina Noah Nora Olga Oliver Omar Oskar Pablo Paul Petra Priya Rahul Rosa Ruth Sam Sara Sofia Stefan Tomás Uma Vera Victor Wei Yara Yusuf Zoë",
);
const lastParts = words(
  "Ander Berg Carl Dahl Eck Fischer Gold Hoff Is Jans Kauf Lind Muller Nord Ost Peter Quist Rosen Smith Thor Ull Vance Weber Young Ziegler",
);
const lastEndings = words("son sen mann berg er feld gren strom ov ez i ski quist holm stad");
const titles = [
  "VP Sales",
  "Head of Growth",
  "CFO",
  "CEO",
  "CTO",
  "Account Executive",
  "Marketing Manager",
  "Head of Operations",
  "RevOps Lead",
  "Founder",
  "Procurement Manager",
  "Data Engineer",
];
const firstWords = words(
  "Acme Globex Initech Umbra Vertex Nimbus Quanta Solaris Borealis Cobalt Delta Ember Fathom Granite Harbor Indigo Juniper Keystone Lumen Meridian",
);
const secondWords = words(
  "Analytics Foods Health Logistics Media Motors Networks Partners Robotics Security Software Studios Systems Textiles Ventures Works",
);

export const sources = ["api", "csv_import", "cal_com", "mcp"] as const;
export const industries = ["Software", "Finance", "Health", "Logistics", "Retail", "Energy"] as const;
export const countries = ["Germany", "France", "Spain", "Sweden", "Japan", "Brazil", "Canada"] as const;
export const regions = ["DACH", "EMEA", "APAC", "Nordics", "LATAM", "Americas"] as const;
export const activities = [
  "email_sent",
  "email_sent",
  "email_opened",
  "website_visit",
  "email_received",
  "call",
  "linkedin_message",
  "meeting_held",
] as const;

/** Half of all people are at the first stage, few at the last. */
export const stageOf = (random: Random): string => {
  const place = random();
  return place < 0.5
    ? "identified"
    : place < 0.75
      ? "aware"
      : place < 0.9
        ? "interested"
        : place < 0.97
          ? "evaluating"
          : "client";
};

export const inventPerson = (random: Random) => ({
  first: pick(random, firstNames),
  last: random() < 0.002 ? "Featherstonehaugh" : pick(random, lastParts) + pick(random, lastEndings),
  title: pick(random, titles),
});

export const inventCompany = (random: Random, index: number) => {
  const name = `${pick(random, firstWords)} ${pick(random, secondWords)} ${index}`;
  return { name, domain: `${name.toLowerCase().replaceAll(" ", "-")}.com` };
};
