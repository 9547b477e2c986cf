import { describe, expect, test } from "vitest";
import { Signals } from "#lib/domain/crm/scores/contract.ts";
import { featuresOfPerson, scorerOf } from "#lib/domain/crm/scores/service.ts";
import { readSections } from "./read.ts";

type SignalLine = { weight: number; value: unknown; op: string; disqualify?: boolean };

/** The signals read from an ICP, by key. */
const read = (content: string, name = "ICP"): Record<string, SignalLine> =>
  Object.fromEntries(
    readSections([{ name, content }]).signals.map(({ key, weight, rule }) => [
      key,
      { weight, op: rule.op, value: rule.value, ...(rule.disqualify ? { disqualify: true } : {}) },
    ]),
  );

const values = (content: string, name?: string) =>
  Object.fromEntries(
    Object.entries(read(content, name))
      .filter(([key]) => !key.endsWith("_other"))
      .map(([key, { value, op }]) => [key, Array.isArray(value) ? value.join(", ") : `${op} ${value}`]),
  );

test.each<[string, Record<string, string>]>([
  [
    "Series A fintechs in the EU, 20 to 200 people.",
    {
      industry_fit: "fintech",
      region_fit: "EU",
      size_fit: "20, 200",
      size_above: "> 200",
      size_below: "< 20",
      funding_fit: "series a",
    },
  ],
  [
    "B2B SaaS companies with 50–500 employees in North America",
    {
      industry_fit: "software",
      region_fit: "North America",
      size_fit: "50, 500",
      size_above: "> 500",
      size_below: "< 50",
    },
  ],
  ["We sell to CFOs and Heads of Finance.", { seniority_fit: "c_level, head", department_fit: "finance" }],
  [
    "VP Sales, sales directors and revenue leaders",
    { seniority_fit: "c_level, vp, head, director", department_fit: "sales" },
  ],
  ["Founders and owners", { seniority_fit: "founder" }],
  ["Marketing teams", { department_fit: "marketing" }],
  [
    "Directors and above in security",
    { seniority_fit: "founder, c_level, vp, head, director", department_fit: "security" },
  ],
  ["Companies with at least 1,000 employees", { size_fit: ">= 1000", size_below: "< 1000" }],
  ["Teams of up to 50 people", { size_fit: "<= 50", size_above: "> 50" }],
  ["200+ employees in Germany", { region_fit: "Germany", size_fit: ">= 200", size_below: "< 200" }],
  ["Company size: 11-50", { size_fit: "11, 50", size_above: "> 50", size_below: "< 11" }],
  ["1k to 5k employees", { size_fit: "1000, 5000", size_above: "> 5000", size_below: "< 1000" }],
  [
    "Mid-market manufacturers",
    { industry_fit: "manufacturing", size_fit: "100, 1000", size_above: "> 1000", size_below: "< 100" },
  ],
  ["$10 to 50 million in revenue", {}],
  [
    "Law firms in the UK and Ireland",
    { industry_fit: "legal services", region_fit: "UK and Ireland, United Kingdom, Ireland" },
  ],
  ["Retailers in the US", { industry_fit: "retail", region_fit: "United States" }],
  ["It helps us to sell", {}],
  ["German and Austrian insurers", { industry_fit: "insurance", region_fit: "Germany, Austria" }],
  ["They use Salesforce or HubSpot", { technologies_fit: "Salesforce, HubSpot" }],
  ["People who react to outreach", {}],
  ["Healthcare, but not hospitals in France", { industry_fit: "", not_industry: "healthcare", not_region: "France" }],
])("%s", (content, expected) => {
  const { industry_fit, ...rest } = expected;
  expect(values(content)).toMatchObject(industry_fit === "" ? rest : expected);
  if (Object.keys(expected).length === 0) expect(values(content)).toEqual({});
});

describe("what they do not sell to", () => {
  test.each<[string, Record<string, string>]>([
    ["Not agencies.", { not_industry: "agencies" }],
    ["We do not sell to consultancies or government", { not_industry: "consulting, government" }],
    ["We don't work with gambling and crypto.", { not_industry: "gambling, crypto" }],
    ["Fintechs, except neobanks in India", { not_region: "India" }],
    ["No companies with fewer than 20 employees.", { not_small: "< 20" }],
    ["Never companies over 5,000 employees", { not_large: ">= 5000" }],
    ["No students, interns or freelancers", { not_title: "student, intern, freelance" }],
    ["Not a fit:\n- Recruiting agencies\n- Schools\n", { not_industry: "agencies, recruiting, education" }],
    ["Rarely nonprofits", { less_industry: "nonprofit" }],
    ["We sell everywhere outside of China", { not_region: "China" }],
  ])("%s", (content, expected) => expect(values(content)).toMatchObject(expected));

  test.each([
    ["We do not sell outside the EU", "EU"],
    ["We never sell to banks, only to insurers in Spain", "Spain"],
    ["No agencies, but brands in Italy", "Italy"],
  ])("and after it who they do: %s", (content, region) => expect(values(content).region_fit).toBe(region));

  test("rules out where it is said plainly, and counts against where it is not", () => {
    expect(read("Not agencies. Rarely schools.")).toMatchObject({
      not_industry: { weight: -10, disqualify: true },
      less_industry: { weight: -6 },
    });
    expect(read("Rarely schools.").less_industry).not.toHaveProperty("disqualify");
  });

  test("wins over what another sentence seems to want", () => {
    expect(values("Agencies and brands. We stopped: no agencies.").industry_fit).toBeUndefined();
  });
});

describe("sections", () => {
  test.each([
    [
      "Product",
      "Our software integrates with Salesforce and Slack. It helps sales teams.",
      { technologies_fit: "Salesforce, Slack", department_fit: "sales" },
    ],
    ["Competitors", "We are up against Pipedrive and Zoho.", { rival_in_use: "Pipedrive, Zoho" }],
    ["Pricing", "From $50 a seat. Not for companies with fewer than 10 employees.", { not_small: "< 10" }],
    ["Positioning", "The workspace built for finance teams.", { department_fit: "finance" }],
  ])("%s", (name, content, expected) => expect(values(content, name)).toEqual(expected));

  test.each([
    ["50 to 500 employees", "between 50, 500"],
    ["Mid-market and small businesses", "between 10, 1000"],
    ["Companies with 50 to 100 employees. Also those with 200 to 500 employees", "between 50, 500"],
  ])("a size in numbers is not widened by one in words elsewhere: %s", (content, size) => {
    const sections = [
      { name: "ICP", content: `Fintechs, ${content}.` },
      { name: "Market", content: "European mid-market companies." },
    ];
    const fit = readSections(sections).signals.find(({ key }) => key === "size_fit");
    expect(`${fit?.rule.op} ${[fit?.rule.value].flat().join(", ")}`).toBe(size);
  });

  test("of a product do not say what industry a customer is in", () => {
    expect(values("Payments software for everybody", "Product")).toEqual({});
  });
});

const icp =
  "Fintechs and banks in Europe, 50 to 500 employees. We sell to CFOs and Heads of Finance. Not agencies, no students.";
const somebody = (title: string, industry: string, employees: number, country: string) =>
  featuresOfPerson({
    jobTitle: title,
    company: null,
    custom: {},
    employer: { name: "x", industry, employeeCount: employees, country, custom: {} },
  });

describe("the model that is read", () => {
  const { signals, notes } = readSections([{ name: "ICP", content: icp }]);
  const scorer = scorerOf(signals);
  test("is one that the API takes", () => {
    expect(Signals.safeParse(signals).error).toBeUndefined();
    expect(notes).toEqual([]);
  });
  test.each([
    ["a full match", somebody("CFO", "Fintech", 120, "Germany"), 85, 100],
    ["one at a company of another size", somebody("CFO", "Fintech", 9_000, "Germany"), 60, 84],
    ["another person at a right company", somebody("Designer", "Banking", 120, "France"), 50, 84],
    ["a mismatch in everything", somebody("Designer", "Mining", 5, "Japan"), 0, 49],
    ["one that is ruled out", somebody("CFO", "Advertising agency", 120, "Germany"), 0, 15],
    ["a student", somebody("Student of Finance", "Fintech", 120, "Germany"), 0, 15],
  ])("scores %s from %#", (_, features, least, most) => {
    const score = scorer.score(features)?.score ?? -1;
    expect(score).toBeGreaterThanOrEqual(least);
    expect(score).toBeLessThanOrEqual(most);
  });
  test.each([
    [49, 0],
    [50, 1],
    [500, 1],
    [600, 0],
  ])("gives %i people %i signals for the size", (employees, count) => {
    const features = somebody("CFO", "Fintech", employees, "Germany");
    const points = scorer.score(features)?.points ?? [];
    const ofSize = signals.flatMap(({ rule }, index) =>
      rule.feature === "employee_count" ? [points[index] ?? 0] : [],
    );
    expect(ofSize.filter((given) => given > 0)).toHaveLength(count);
  });
  test("says what was not found", () => {
    expect(readSections([{ name: "ICP", content: "Fintechs" }]).notes).toEqual([
      "A title was not found. Name titles in the ICP, such as VP of Sales or CFO.",
      "A company size was not found. Write it with the word employees, such as 50 to 500 employees.",
      "A country or region was not found. Name where customers are, such as Germany or the EU.",
    ]);
  });
});
