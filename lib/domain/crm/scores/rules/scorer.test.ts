import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Rule, type Signal, Signals } from "../contract.ts";
import { contributionsOf } from "./contributions.ts";
import { type FeatureValue, featuresOfCompany, featuresOfPerson } from "./features.ts";
import { degreeOf, scorerOf, tierOf } from "./scorer.ts";
import { reasonOf } from "./words.ts";

const signal = (key: string, weight: number, rule: Rule): Signal => ({ key, label: key, weight, rule });
const of = (values: Readonly<Record<string, FeatureValue>>) => (name: string) => values[name] ?? null;

describe("a rule", () => {
  test.each<[Rule, FeatureValue | null, number | null]>([
    [{ feature: "company", op: "==", value: "Acme" }, "ACMÉ", 1],
    [{ feature: "company", op: "==", value: "Acme" }, "Acme Inc", 0],
    [{ feature: "company", op: "==", value: "Acme" }, null, null],
    [{ feature: "person.vip", op: "==", value: true }, true, 1],
    [{ feature: "person.code", op: "==", value: 7 }, "7", 1],
    [{ feature: "industry", op: "!=", value: ["fintech", "banking"] }, ["financial technology", "fintech"], 0],
    [{ feature: "industry", op: "!=", value: ["fintech", "banking"] }, ["retail"], 1],
    [{ feature: "industry", op: "!=", value: "retail" }, null, null],
    [{ feature: "industry", op: "in", value: ["Fintech"] }, ["fintech"], 1],
    [{ feature: "employee_count", op: ">=", value: 50 }, 50, 1],
    [{ feature: "employee_count", op: ">", value: 50 }, 50, 0],
    [{ feature: "employee_count", op: "<=", value: 50 }, "1,000", 0],
    [{ feature: "employee_count", op: "<", value: 50 }, "many", 0],
    [{ feature: "job_title", op: "contains_any", value: ["vp sales"] }, "VP of Sales, EMEA", 1],
    [{ feature: "job_title", op: "contains_any", value: ["it"] }, "Editor", 0],
    [{ feature: "technologies", op: "contains_any", value: ["node.js"] }, ["Node.js", "Go"], 1],
    [{ feature: "technologies", op: "exists" }, null, 0],
    [{ feature: "technologies", op: "exists", value: false }, null, 1],
    [{ feature: "technologies", op: "exists", value: true }, ["Go"], 1],
    [{ feature: "employee_count", op: "scaled", value: [0, 200] }, 50, 0.25],
    [{ feature: "employee_count", op: "scaled", value: [200, 0] }, 50, 0.75],
    [{ feature: "employee_count", op: "scaled", value: [0, 200] }, 900, 1],
    [{ feature: "employee_count", op: "between", value: [50, 500] }, 49, 0],
    [{ feature: "employee_count", op: "between", value: [50, 500] }, 50, 1],
    [{ feature: "employee_count", op: "between", value: [50, 500] }, "500", 1],
    [{ feature: "employee_count", op: "between", value: [50, 500] }, 600, 0],
    [{ feature: "employee_count", op: "between", value: [50, 500] }, null, null],
  ])("%j with %j gives %j", (rule, value, degree) => expect(degreeOf(rule)(value)).toBe(degree));
});

describe("a model", () => {
  test.each<[string, Signal[], Record<string, FeatureValue>, number | null]>([
    ["nothing met is 50", [signal("a", 5, { feature: "company", op: "==", value: "x" })], { company: "y" }, 50],
    ["a sum of 8", [signal("a", 8, { feature: "company", op: "==", value: "x" })], { company: "x" }, 73],
    ["a sum of -10", [signal("a", -10, { feature: "company", op: "==", value: "x" })], { company: "x" }, 22],
    ["nothing known is no score", [signal("a", 8, { feature: "company", op: "exists", value: false })], {}, null],
    [
      "a disqualifier caps at 15",
      [
        signal("a", 10, { feature: "company", op: "==", value: "x" }),
        signal("b", 0, { feature: "industry", op: "in", value: ["agencies"], disqualify: true }),
      ],
      { company: "x", industry: ["agencies"] },
      15,
    ],
    [
      "a disqualifier that is not met caps nothing",
      [
        signal("a", 10, { feature: "company", op: "==", value: "x" }),
        signal("b", 0, { feature: "industry", op: "in", value: ["agencies"], disqualify: true }),
      ],
      { company: "x", industry: ["retail"] },
      78,
    ],
  ])("%s", (_, signals, values, score) => expect(scorerOf(signals).score(of(values))?.score ?? null).toBe(score));

  test.each([
    [100, "tier_1"],
    [85, "tier_1"],
    [84, "tier_2"],
    [70, "tier_2"],
    [69, "tier_3"],
    [50, "tier_3"],
    [49, "not_icp"],
    [0, "not_icp"],
  ] as const)("a score of %i is %s", (score, tier) => expect(tierOf(score)).toBe(tier));

  test.each([
    [[], "at least one"],
    [[signal("a", 11, { feature: "company", op: "exists" })], "weight"],
    [[signal("A b", 1, { feature: "company", op: "exists" })], "snake_case"],
    [[signal("a", 1, { feature: "Shoe size", op: "exists" })], "must be job_title"],
    [[signal("a", 1, { feature: "company", op: "in", value: "x" })], "must be a list"],
    [[signal("a", 1, { feature: "company", op: "==", value: ["x"] })], "use in"],
    [[signal("a", 1, { feature: "employee_count", op: ">", value: "x" })], "must be a number"],
    [[signal("a", 1, { feature: "employee_count", op: "scaled", value: [1, 1] })], "two different numbers"],
    [[signal("a", 1, { feature: "employee_count", op: "between", value: [500, 50] })], "the least and the most"],
    [[signal("a", 1, { feature: "company", op: "==" })], "is required"],
    [[1, 2].map(() => signal("a", 1, { feature: "company", op: "exists" })), "same key twice"],
  ])("%j is refused", (signals, message) => {
    const read = Signals.safeParse(signals);
    expect(read.success).toBe(false);
    expect(JSON.stringify(read.error?.issues)).toContain(message);
  });
});

const feature = fc.constantFrom("company", "industry", "employee_count", "technologies", "person.vip");
const value: fc.Arbitrary<FeatureValue> = fc.oneof(
  fc.constantFrom("x", "y", "fintech"),
  fc.integer({ min: 0, max: 300 }),
  fc.boolean(),
  fc.array(fc.constantFrom("x", "y", "fintech"), { minLength: 1, maxLength: 3 }),
);
const rule: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({
    feature,
    op: fc.constantFrom("==" as const, "!=" as const),
    value: fc.constantFrom("x", "fintech", 7, true),
  }),
  fc.record({
    feature,
    op: fc.constantFrom(">=" as const, "<=" as const, ">" as const, "<" as const),
    value: fc.integer({ min: 0, max: 300 }),
  }),
  fc.record({
    feature,
    op: fc.constant("in" as const),
    value: fc.constant<string[]>(["x", "fintech"]),
    disqualify: fc.boolean(),
  }),
  fc.record({ feature, op: fc.constant("contains_any" as const), value: fc.constant<string[]>(["x", "y z"]) }),
  fc.record({ feature, op: fc.constant("exists" as const), value: fc.boolean(), disqualify: fc.boolean() }),
  fc.record({ feature, op: fc.constant("between" as const), value: fc.constantFrom<number[]>([0, 100], [7, 7]) }),
  fc.record({ feature, op: fc.constant("scaled" as const), value: fc.constantFrom<number[]>([0, 100], [250, 3]) }),
);
const weight = fc.double({ min: -10, max: 10, noNaN: true });
const model = fc
  .array(fc.record({ weight, rule }), { minLength: 1, maxLength: 20 })
  .map((signals) => signals.map((one, place) => signal(`s${place}`, one.weight, one.rule)));
const values = fc.dictionary(feature, value);

describe("for any model and anyone", () => {
  test("a score is a whole number from 0 to 100, and the same each time", () =>
    fc.assert(
      fc.property(model, values, (signals, known) => {
        const scored = scorerOf(signals).score(of(known));
        if (!scored) return;
        expect(Number.isInteger(scored.score) && scored.score >= 0 && scored.score <= 100).toBe(true);
        expect(scorerOf(signals).score(of(known))).toEqual(scored);
        expect(contributionsOf(scorerOf(signals), of(known), scored)).toHaveLength(signals.length);
        expect(reasonOf(signals, scored).length).toBeGreaterThan(0);
      }),
    ));

  test("the order of the signals changes nothing", () =>
    fc.assert(
      fc.property(model, values, fc.infiniteStream(fc.nat()), (signals, known, numbers) => {
        const shuffled = signals
          .map((one) => ({ one, place: numbers.next().value }))
          .sort((a, b) => a.place - b.place)
          .map(({ one }) => one);
        const [first, second] = [scorerOf(signals).score(of(known)), scorerOf(shuffled).score(of(known))];
        expect([second?.score, second?.disqualified]).toEqual([first?.score, first?.disqualified]);
      }),
    ));

  test("more weight on a positive signal never lowers a score", () =>
    fc.assert(
      fc.property(
        model,
        values,
        fc.nat(),
        fc.double({ min: 0, max: 10, noNaN: true }),
        (signals, known, place, more) => {
          const at = place % signals.length;
          const before = signals.map((one, index) => (index === at ? { ...one, weight: Math.abs(one.weight) } : one));
          const after = before.map((one, index) => (index === at ? { ...one, weight: one.weight + more } : one));
          const [low, high] = [scorerOf(before).score(of(known)), scorerOf(after).score(of(known))];
          if (low && high) expect(high.score).toBeGreaterThanOrEqual(low.score);
          else expect(high).toBe(low);
        },
      ),
    ));
});

describe("features", () => {
  const company = {
    name: "Acme",
    industry: "Financial Technology",
    employeeCount: null,
    country: "Deutschland",
    custom: {},
  };
  const person = { jobTitle: "VP of Sales", company: null, custom: {}, employer: company };
  test.each([
    ["seniority", "vp"],
    ["department", ["sales"]],
    ["industry", ["financial technology", "fintech"]],
    ["country", ["Germany", "DE"]],
    ["employee_count", null],
    ["technologies", null],
  ])("of a person and their company: %s is %j", (name, expected) =>
    expect(featuresOfPerson(person)(name)).toEqual(expected),
  );

  test("what the company does not say is taken from the person", () => {
    const own = {
      ...person,
      employer: null,
      custom: { company_size: "51-200", country: "US", tools: "Slack; Jira", vip: true },
    };
    const read = featuresOfPerson(own);
    expect(["employee_count", "country", "technologies", "person.vip"].map(read)).toEqual([
      126,
      ["United States", "US"],
      ["Slack", "Jira"],
      true,
    ]);
    expect(read("region")).toEqual(["United States", "North America"]);
  });

  test("a name that is not built in is the property of that name, of the person, else of the company", () => {
    const read = featuresOfPerson({
      ...person,
      custom: { vip: true },
      employer: { ...company, custom: { vip: false, team_size: 9 } },
    });
    expect(["vip", "team_size", "other"].map(read)).toEqual([true, 9, null]);
    expect(featuresOfCompany({ ...company, custom: { team_size: 9 } })("team_size")).toBe(9);
  });

  test("a company has none of a person", () => {
    const read = featuresOfCompany({ ...company, custom: { funding_stage: "Series A" } });
    expect(["job_title", "seniority", "company.funding_stage"].map(read)).toEqual([null, null, "Series A"]);
  });

  test.each([
    ["Executive Assistant to the CEO", "junior"],
    ["Vice President, Marketing", "vp"],
    ["President", "c_level"],
    ["Co-Founder & CTO", "founder"],
    ["Geschäftsführerin", "c_level"],
    ["Head of Growth", "head"],
    ["Chief of Staff", "head"],
    ["Senior Software Engineer", "senior"],
    ["Account Executive", "individual"],
    ["Sales Director DACH", "director"],
    ["Product Manager", "manager"],
  ])("%s is %s", (title, seniority) =>
    expect(featuresOfPerson({ ...person, jobTitle: title })("seniority")).toBe(seniority),
  );
});
