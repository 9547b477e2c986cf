import { fold } from "#lib/text/fold.ts";
import { countriesOfValue, countryNames, regionsOf, regionsWith } from "./places.ts";
import { sectorsOf } from "./sectors.ts";
import { wordsOf } from "./text.ts";
import { type Department, departmentsOf, type Seniority, seniorities, seniorityOf } from "./titles.ts";

/** What is known of a company, as its row has it. */
export type CompanyFacts = {
  name: string | null;
  industry: string | null;
  employeeCount: number | null;
  country: string | null;
  custom: Readonly<Record<string, unknown>>;
};

/** What is known of a person, as their row has it, with the company they are linked to. */
export type PersonFacts = {
  jobTitle: string | null;
  company: string | null;
  custom: Readonly<Record<string, unknown>>;
  employer: CompanyFacts | null;
};

export type FeatureValue = string | number | boolean | readonly string[];

/** The value of a feature by its name; null when it is not known. */
export type Features = (name: string) => FeatureValue | null;

export type FeatureType = "text" | "number" | "list";

/**
 * The features that every workspace has. Any custom property is one too: by its name of the person, else of the company, or as
 * `person.<property>` and `company.<property>`.
 */
export const features = [
  { name: "job_title", type: "text", of: "person", about: "The job title, as it is written." },
  {
    name: "seniority",
    type: "text",
    of: "person",
    about: `How high the title is: ${seniorities.join(", ")}. The property seniority, where there is one, else read from the title.`,
  },
  {
    name: "department",
    type: "list",
    of: "person",
    about:
      "The departments the title names, such as sales, marketing, engineering, finance; the property department comes first.",
  },
  { name: "company", type: "text", of: "both", about: "The company's name." },
  {
    name: "industry",
    type: "list",
    of: "both",
    about:
      "The industry as it is written, and under its common name, such as fintech, software, manufacturing, agencies.",
  },
  {
    name: "employee_count",
    type: "number",
    of: "both",
    about: "How many people work there; of a range such as 51-200 the middle.",
  },
  { name: "country", type: "list", of: "both", about: "The country: its English name and its two-letter code." },
  {
    name: "region",
    type: "list",
    of: "both",
    about: "The country and the regions it is in, such as EU, Europe, DACH, Nordics, North America, EMEA, APAC.",
  },
  {
    name: "technologies",
    type: "list",
    of: "both",
    about: "Products in use: the property technologies, tech_stack or tools.",
  },
] as const satisfies readonly { name: string; type: FeatureType; of: "person" | "company" | "both"; about: string }[];
export type FeatureName = (typeof features)[number]["name"];

/** The properties that a feature is read from, for the evidence behind it. */
export const propertiesOf: Readonly<Record<FeatureName, readonly string[]>> = {
  job_title: ["job_title"],
  seniority: ["seniority", "job_title"],
  department: ["department", "job_title"],
  company: ["company", "name", "works_at"],
  industry: ["industry", "sector", "vertical", "works_at"],
  employee_count: ["employee_count", "employees", "company_size", "headcount", "works_at"],
  country: ["country", "location", "works_at"],
  region: ["country", "location", "region", "works_at"],
  technologies: ["technologies", "tech_stack", "tools", "works_at"],
};

/** Features of a person. What is not known of the company is looked for among the person's own properties. */
export const featuresOfPerson = (person: PersonFacts): Features =>
  remembered((name) => {
    if (name.startsWith("person.")) return customValue(person.custom[name.slice(7)]);
    if (name.startsWith("company.")) return customValue(person.employer?.custom[name.slice(8)]);
    if (name === "job_title") return person.jobTitle;
    if (name === "seniority") return seniorityIn(person);
    if (name === "department") return departmentIn(person);
    if (name === "company") return person.employer?.name ?? person.company;
    if (!firmFeatures.has(name)) return customValue(person.custom[name]) ?? customValue(person.employer?.custom[name]);
    return firmFeature(name, person.employer) ?? firmFeature(name, ownFirm(person.custom));
  });

/** Features of a company: those of a person are not known. */
export const featuresOfCompany = (company: CompanyFacts): Features =>
  remembered((name) => {
    if (name.startsWith("company.")) return customValue(company.custom[name.slice(8)]);
    if (name === "company") return company.name;
    if (firmFeatures.has(name)) return firmFeature(name, company);
    return ofPerson.has(name) || name.startsWith("person.") ? null : customValue(company.custom[name]);
  });

const namesOf = (of: "person" | "both"): ReadonlySet<string> =>
  new Set(features.filter((feature) => feature.of === of).map(({ name }) => name));
const ofPerson = namesOf("person");
const firmFeatures = namesOf("both");

const remembered = (find: Features): Features => {
  const remembered = new Map<string, FeatureValue | null>();
  return (name) => {
    let value = remembered.get(name);
    if (value === undefined) {
      value = find(name);
      if (typeof value === "string" && value.trim() === "") value = null;
      remembered.set(name, value);
    }
    return value;
  };
};

function firmFeature(name: string, firm: CompanyFacts | null): FeatureValue | null {
  if (!firm) return null;
  const { custom } = firm;
  switch (name) {
    case "industry":
      return industryIn(firm.industry ?? textIn(custom, "industry", "sector", "vertical"));
    case "employee_count":
      return firm.employeeCount ?? sizeIn(custom, "employee_count", "employees", "company_size", "headcount");
    case "country":
      return countryIn(firm.country ?? textIn(custom, "country", "location"));
    case "region":
      return regionIn(firm.country ?? textIn(custom, "country", "location"), textIn(custom, "region"));
    case "technologies":
      return listIn(custom, "technologies", "tech_stack", "tools");
    default:
      return null;
  }
}

const ownFirm = (custom: Readonly<Record<string, unknown>>): CompanyFacts => ({
  name: null,
  industry: null,
  employeeCount: null,
  country: null,
  custom,
});

/** Titles and industries repeat among people: each is read once, up to a bound. */
function cached<T>(read: (text: string) => T): (text: string) => T {
  const remembered = new Map<string, T>();
  return (text) => {
    let value = remembered.get(text);
    if (value === undefined) {
      if (remembered.size >= 20_000) remembered.clear();
      value = read(text);
      remembered.set(text, value);
    }
    return value;
  };
}

const seniorityOfTitle = cached(seniorityOf);
const departmentsOfTitle = cached((title: string): readonly Department[] => departmentsOf(wordsOf(title)));
const industries = cached((text: string): readonly string[] => [...new Set([fold(text), ...sectorsOf(wordsOf(text))])]);
const countries = cached(countriesOfValue);
const regionsNamed = cached((text: string): readonly string[] => regionsOf(wordsOf(text)));

function seniorityIn({ custom, jobTitle }: PersonFacts): string | null {
  const seniority = textIn(custom, "seniority");
  if (seniority !== null) return seniorityGiven(seniority);
  return jobTitle === null ? null : seniorityOfTitle(jobTitle);
}

/** A word for a seniority as other systems have it: `vp`, `VP`, `C-Suite`, `cxo`. */
const seniorityGiven = cached((seniority: string): string => {
  const plain = fold(seniority).replaceAll(/[\s-]+/g, "_");
  if (seniorities.includes(plain as Seniority)) return plain;
  if (["c_suite", "cxo", "c_level", "executive"].includes(plain)) return "c_level";
  if (["owner", "partner"].includes(plain)) return "founder";
  if (["entry", "intern", "training"].includes(plain)) return "junior";
  const read = seniorityOf(seniority);
  return read === null || read === "individual" ? plain : read;
});

function departmentIn({ custom, jobTitle }: PersonFacts): readonly string[] | null {
  const departments = listIn(custom, "department", "departments");
  if (departments !== null)
    return [...new Set(departments.flatMap((text) => [fold(text), ...departmentsOfTitle(text)]))];
  const read = jobTitle === null ? [] : departmentsOfTitle(jobTitle);
  return read.length > 0 ? read : null;
}

const industryIn = (text: string | null): readonly string[] | null => (text === null ? null : industries(text));

function countryIn(text: string | null): readonly string[] | null {
  if (text === null) return null;
  const codes = countries(text);
  return codes.length === 0 ? [text] : codes.flatMap((code) => [countryNames.get(code) ?? code, code]);
}

function regionIn(country: string | null, region: string | null): readonly string[] | null {
  const codes = country === null ? [] : countries(country);
  const named = codes.flatMap((code) => [countryNames.get(code) ?? code, ...regionsWith(code)]);
  const ofCountry = country === null ? [] : [...named, ...regionsNamed(country)];
  const regions = region === null ? [] : [region, ...regionsNamed(region)];
  const all = [...new Set([...ofCountry, ...regions])];
  return all.length > 0 ? all : null;
}

const textIn = (custom: Readonly<Record<string, unknown>>, ...names: string[]): string | null => {
  for (const name of names) {
    const value = custom[name];
    if (typeof value === "string" && value.trim() !== "") return value;
    if (typeof value === "number") return String(value);
    if (Array.isArray(value) && value.length > 0) return value.join(", ");
  }
  return null;
};

const listIn = (custom: Readonly<Record<string, unknown>>, ...names: string[]): readonly string[] | null => {
  for (const name of names) {
    const value = custom[name];
    if (Array.isArray(value) && value.length > 0) return value as string[];
    if (typeof value === "string" && value.trim() !== "")
      return value
        .split(/[,;|]/)
        .map((item) => item.trim())
        .filter((item) => item !== "");
  }
  return null;
};

const sizeIn = (custom: Readonly<Record<string, unknown>>, ...names: string[]): number | null => {
  for (const name of names) {
    const value = custom[name];
    if (typeof value === "number") return value;
    const size = typeof value === "string" ? sizeOf(value) : null;
    if (size !== null) return size;
  }
  return null;
};

/** How many: `120`, `1,000+`, or the middle of `51-200` and `1k to 5k`. */
function sizeOf(text: string): number | null {
  const numbers = [...text.matchAll(/(\d[\d.,' ]*)\s*(k\b)?/gi)].flatMap(([, digits = "", thousand]) => {
    const number = Number(digits.replaceAll(/[,'\s]|\.(?=\d{3}\b)/g, "").replace(/\.$/, ""));
    return Number.isFinite(number) ? [number * (thousand ? 1000 : 1)] : [];
  });
  const [low, high] = numbers;
  if (low === undefined) return null;
  return high === undefined ? low : Math.round((low + high) / 2);
}

const customValue = (value: unknown): FeatureValue | null =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : Array.isArray(value)
      ? (value as string[])
      : null;
