import { vocabulary, wordsOf } from "#lib/domain/crm/scores/service.ts";

const { seniorities, departments } = vocabulary;

/** "Directors and above in security". */
const ABOVE =
  /\b(vps?|heads?|directors?|managers?)(?:[\s-]+level)?\s+(?:and|or)\s+(?:above|up|higher)\b(?:\s+in\s+([^.;,]+))?/iu;

/** What a clause says of the people in a company. */
export type Roles = { seniorities: string[]; departments: string[] };

const chiefs: Readonly<Record<string, string>> = {
  ceo: "management",
  cfo: "finance",
  cto: "engineering",
  coo: "operations",
  cmo: "marketing",
  cro: "sales",
  cio: "it",
  ciso: "security",
  cpo: "product",
  chro: "hr",
};

/** Words of prose that mean a seniority where they are next to a department or a plural says that people are meant. */
const ranks: Readonly<Record<string, readonly string[]>> = {
  founder: ["founder", "founders", "cofounder", "cofounders", "owner", "owners"],
  c_level: ["chief", "chiefs"],
  vp: ["vp", "vps", "svp", "evp"],
  head: ["head", "heads"],
  director: ["director", "directors"],
  manager: ["manager", "managers", "lead", "leads"],
};
const leaders: ReadonlySet<string> = new Set([
  "leader",
  "leaders",
  "leadership",
  "executive",
  "executives",
  "decision",
]);
const groups: ReadonlySet<string> = new Set([
  "team",
  "teams",
  "department",
  "departments",
  "professionals",
  "org",
  "orgs",
  "function",
]);

/** Alone these mean people, without a department beside them. */
const alone: ReadonlySet<string> = new Set([
  "founder",
  "founders",
  "cofounder",
  "cofounders",
  "owner",
  "owners",
  "vps",
  "vp",
]);

const rankOf = new Map(Object.entries(ranks).flatMap(([rank, names]) => names.map((name) => [name, rank] as const)));
const UPPER = ["c_level", "vp", "head", "director"];

/** Departments in prose: words that mean many other things, as "people" and "software" do, count in titles only. */
const spoken = Object.entries(departments).map(([name, phrases]) => ({
  name,
  phrases: phrases.filter(
    (phrase) => !["personal", "software", "technical", "it", "people", "ai", "content"].includes(phrase),
  ),
}));
const inTitles = Object.entries(departments).map(([name, phrases]) => ({
  name,
  phrases: phrases as readonly string[],
}));

/** The seniorities and departments that a clause names: titles, chiefs, and teams. */
export function rolesIn(text: string): Roles {
  const roles = { seniorities: new Set<string>(), departments: new Set<string>() };
  const prose = text.replaceAll(/vice[\s-]+presidents?/giu, "vp").replaceAll(/co-founder/giu, "cofounder");
  const words = wordsOf(prose).trim().split(" ");
  const departmentsAt = (from: number, to: number, of: typeof inTitles) => {
    const part = ` ${words.slice(Math.max(0, from), Math.max(0, to)).join(" ")} `;
    return of.flatMap(({ name, phrases }) => (phrases.some((phrase) => part.includes(wordsOf(phrase))) ? [name] : []));
  };
  for (const [place, word] of words.entries()) {
    const chief = chiefs[word] ?? chiefs[word.replace(/s$/, "")];
    if (chief) {
      roles.seniorities.add("c_level");
      roles.departments.add(chief);
      continue;
    }
    const rank = rankOf.get(word);
    const beside = departmentsAt(place - 1, place, inTitles);
    const behind = departmentsAt(place + 1, place + 3, inTitles);
    if (rank && (alone.has(word) || beside.length > 0 || (behind.length > 0 && words[place + 1] !== "in"))) {
      roles.seniorities.add(rank);
      for (const name of rank === "founder" ? [] : [...beside, ...behind]) roles.departments.add(name);
    } else if (leaders.has(word)) {
      const led = departmentsAt(place - 2, place, inTitles);
      if (led.length > 0 || word.startsWith("executive")) for (const name of UPPER) roles.seniorities.add(name);
      for (const name of led) roles.departments.add(name);
    } else if (groups.has(word))
      for (const name of departmentsAt(place - 2, place, spoken)) roles.departments.add(name);
  }
  if (/\b[cC][\s-]?(?:level|suite)\b/.test(prose)) roles.seniorities.add("c_level");
  const above = ABOVE.exec(prose);
  const lowest = above ? rankOf.get(above[1]?.toLowerCase() ?? "") : undefined;
  if (lowest)
    for (const name of seniorities.slice(0, seniorities.indexOf(lowest as never) + 1)) roles.seniorities.add(name);
  for (const name of above?.[2] ? vocabulary.departmentsOf(wordsOf(above[2])) : []) roles.departments.add(name);
  return {
    seniorities: seniorities.filter((name) => roles.seniorities.has(name)),
    departments: [...roles.departments],
  };
}

const unfit: Readonly<Record<string, RegExp>> = {
  student: /\bstudents?\b/iu,
  intern: /\binterns?(?:hips?)?\b/iu,
  freelance: /\bfreelancers?\b/iu,
  assistant: /\bassistants?\b/iu,
  recruiter: /\brecruiters?\b/iu,
};

/** Words of titles that people are excluded by. */
export const unfitTitlesIn = (text: string): string[] =>
  Object.entries(unfit).flatMap(([word, pattern]) => (pattern.test(text) ? [word] : []));
