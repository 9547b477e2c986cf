import { finderOf, occursIn, type Terms, wordsOf } from "./text.ts";

/** From the top of a company down. */
export const seniorities = [
  "founder",
  "c_level",
  "vp",
  "head",
  "director",
  "manager",
  "senior",
  "individual",
  "junior",
] as const;
export type Seniority = (typeof seniorities)[number];

/** The first that occurs decides: an assistant of the CEO is no CEO, and a vice president no president. */
const bySeniority: readonly (readonly [Seniority, readonly string[]])[] = [
  ["junior", ["assistant", "intern", "trainee", "junior", "jr", "apprentice", "working student", "werkstudent"]],
  ["founder", ["founder", "co founder", "cofounder", "founding partner", "owner", "inhaber", "fondateur"]],
  ["head", ["chief staff"]],
  ["vp", ["vp", "svp", "evp", "avp", "v.p", "vice president", "vice presidente"]],
  [
    "c_level",
    [
      ...["ceo", "cto", "cfo", "coo", "cmo", "cro", "cio", "ciso", "cpo", "chro", "cso", "cdo", "cco", "chief"],
      ...["president", "managing director", "managing partner", "geschaftsfuhrer", "geschaftsfuhrerin", "vorstand"],
      ...["directeur general", "general manager"],
    ],
  ],
  ["head", ["head", "leiter", "leiterin", "responsable"]],
  ["director", ["director", "directeur", "directrice", "direktor"]],
  ["manager", ["manager", "lead", "supervisor", "teamleiter"]],
  ["senior", ["senior", "sr", "principal", "staff", "expert"]],
];
const prepared = bySeniority.map(([name, phrases]) => ({ name, phrases: phrases.map(wordsOf) }));

/** How high a title is. A title that says nothing of it is an individual's. */
export function seniorityOf(title: string): Seniority | null {
  const words = wordsOf(title);
  if (words === " ") return null;
  return prepared.find(({ phrases }) => phrases.some((phrase) => occursIn(words, phrase)))?.name ?? "individual";
}

export const departments = {
  sales: [
    ...["sales", "account executive", "sdr", "bdr", "business development", "revenue", "cro", "account manager"],
    ...["vertrieb", "revops", "chief revenue"],
  ],
  marketing: ["marketing", "cmo", "growth", "brand", "demand generation", "demand gen", "content", "seo"],
  engineering: [
    ...["engineering", "engineer", "engineers", "cto", "developer", "developers", "software", "devops", "sre"],
    ...["technical", "chief technology", "technology", "architect", "entwickler", "entwicklung"],
  ],
  product: ["product", "cpo"],
  finance: ["finance", "financial", "cfo", "accounting", "accountant", "controller", "controlling", "treasury"],
  hr: ["hr", "human resources", "people", "talent", "recruiter", "recruiting", "chro", "personal"],
  operations: ["operations", "coo", "ops", "supply chain", "logistics", "procurement", "purchasing", "einkauf"],
  legal: ["legal", "counsel", "compliance", "lawyer", "attorney"],
  it: ["it", "cio", "information technology", "infrastructure", "systems administrator", "sysadmin"],
  security: ["security", "ciso", "infosec"],
  customer_success: ["customer success", "customer support", "support", "customer experience", "cx", "client success"],
  data: ["data", "analytics", "machine learning", "ai", "business intelligence", "bi"],
  design: ["design", "designer", "ux", "ui"],
  management: [
    "ceo",
    "founder",
    "co founder",
    "cofounder",
    "owner",
    "managing director",
    "geschaftsfuhrer",
    "chief executive",
  ],
} as const satisfies Terms;
export type Department = keyof typeof departments;

/** The departments a title names. */
export const departmentsOf = finderOf<Department>(departments);
