import { finderOf, occursIn, type Terms, wordsOf } from "./text.ts";

/** What one position is called, folded, in the languages that titles are written in. */
const positions = {
  ceo: [
    ...["ceo", "chief executive officer", "chief executive", "managing director", "geschaftsfuhrer"],
    ...["geschaftsfuhrerin", "vorstandsvorsitzender", "vorstandsvorsitzende", "directeur general"],
    ...["directrice generale", "director general", "amministratore delegato", "algemeen directeur", "prezes"],
  ],
  cfo: [
    ...["cfo", "chief financial officer", "chief finance officer", "finanzvorstand", "finanzvorstandin", "finanzchef"],
    ...["finanzchefin", "directeur financier", "directrice financiere", "director financiero", "directora financiera"],
    ...["diretor financeiro", "direttore finanziario", "financieel directeur", "dyrektor finansowy"],
  ],
  cto: [
    ...["cto", "chief technology officer", "chief technical officer", "technikvorstand", "directeur technique"],
    ...["directrice technique", "director tecnico", "direttore tecnico", "technisch directeur"],
  ],
  coo: [
    "coo",
    "chief operating officer",
    "chief operations officer",
    "directeur des operations",
    "director de operaciones",
  ],
  cmo: ["cmo", "chief marketing officer", "marketingvorstand"],
  cro: ["cro", "chief revenue officer", "vertriebsvorstand"],
  cio: ["cio", "chief information officer", "directeur des systemes d information"],
  ciso: ["ciso", "chief information security officer"],
  cpo: ["cpo", "chief product officer"],
  chro: ["chro", "chief human resources officer", "chief people officer", "personalvorstand"],
} as const satisfies Terms;

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

const vicePresident = ["vp", "svp", "evp", "avp", "v.p", "vice president", "vice presidente"];
const head = ["head", "leiter", "leiterin", "responsable"];
const junior = ["assistant", "intern", "trainee", "junior", "jr", "apprentice", "working student", "werkstudent"];

/** The first that occurs decides: an assistant of the CEO is no CEO, and a vice president no president. */
const bySeniority: readonly (readonly [Seniority, readonly string[]])[] = [
  ["junior", junior],
  ["founder", ["founder", "co founder", "cofounder", "founding partner", "owner", "inhaber", "fondateur"]],
  ["head", ["chief staff"]],
  ["vp", vicePresident],
  [
    "c_level",
    [
      ...Object.values(positions).flat(),
      ...["cso", "cdo", "cco", "chief", "president", "managing partner", "vorstand", "general manager"],
    ],
  ],
  ["head", head],
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

/** Other words for parts of a title. */
const synonyms: readonly (readonly string[])[] = [
  ...Object.values(positions),
  vicePresident,
  head,
  ["founder", "co founder", "cofounder", "founding partner", "fondateur", "fondatrice", "grunder", "grunderin"],
  ["director", "directeur", "directrice", "direktor", "direktorin", "directora", "direttore"],
  ["sales", "vertrieb", "ventes", "ventas"],
  ["engineering", "entwicklung"],
  ["finance", "finanzen", "finances"],
  ["hr", "human resources", "personal"],
  ["it", "information technology"],
  ["procurement", "purchasing", "einkauf", "achats"],
];
const meanings = new Map(synonyms.flatMap((same) => same.map((phrase) => [wordsOf(phrase).trim(), same])));
const LONGEST_PHRASE = Math.max(...[...meanings.keys()].map((phrase) => phrase.split(" ").length));

/** What a title must say: of each group one phrase; and nothing that makes it an assistant's. All are folded words. */
type TitleMeaning = { all: readonly (readonly string[])[]; none: readonly string[] };

/** The titles that a title stands for: CFO for Finanzvorstand, VP Sales for Vice President of Sales. */
export function titlesLike(title: string): TitleMeaning {
  const words = wordsOf(title).trim().split(" ").filter(Boolean);
  const all: (readonly string[])[] = [];
  for (let at = 0; at < words.length; ) {
    let taken = Math.min(LONGEST_PHRASE, words.length - at);
    while (taken > 1 && !meanings.has(words.slice(at, at + taken).join(" "))) taken--;
    const phrase = words.slice(at, at + taken).join(" ");
    all.push(meanings.get(phrase) ?? [phrase]);
    at += taken;
  }
  return { all, none: seniorityOf(title) === "junior" ? [] : junior };
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
  finance: [
    "finance",
    "financial",
    "accounting",
    "accountant",
    "controller",
    "controlling",
    "treasury",
    ...positions.cfo,
  ],
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
