/** Filters by properties: what they find is what the same rule finds in plain code over all rows. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { inspect } from "#lib/testing/database.ts";
import { filteredLists } from "#lib/testing/filtered-lists.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { fold } from "#lib/text/fold.ts";
import { DAY_MS, parseTime } from "#lib/text/time.ts";
import type { Person } from "./contract.ts";

const { setUp } = filteredLists(useServer());

// The rule in plain code, over rows as the API shows them.
type Row = { properties: Record<string, unknown> };
type FilterCase = {
  name: string;
  operator: "not" | "eq" | "gte" | "lte" | "contains" | "exists" | "in";
  value: string;
};

const itemsOf = (shown: unknown): string[] => [shown].flat().map((item) => fold(String(item)));
const numberOf = (text: string) => (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : null);

function holds(row: Row, { name, operator, value }: FilterCase): boolean {
  const shown = name in row ? (row as Record<string, unknown>)[name] : row.properties[name];
  const there = shown !== null && shown !== undefined;
  if (operator === "exists") return there === (value === "true");
  if (operator === "not") return !holds(row, { name, operator: "in", value });
  if (!there) return false;
  if (operator === "contains") return itemsOf(shown).some((item) => item.includes(fold(value)));
  if (operator === "eq" || operator === "in")
    return (operator === "in" ? value.split(",") : [value]).some((wanted) => {
      const number = Array.isArray(shown) ? null : numberOf(String(shown));
      return itemsOf(shown).includes(fold(wanted)) || (number !== null && number === numberOf(wanted.trim()));
    });
  if (Array.isArray(shown) || typeof shown === "boolean") return false;
  const [bound, moment] = [numberOf(value), parseTime(value)];
  const [actual, at] = [numberOf(String(shown)), parseTime(String(shown))];
  if (bound !== null) return actual !== null && (operator === "gte" ? actual >= bound : actual <= bound);
  if (moment === null || at === null) return false;
  return operator === "gte" ? at >= moment : at <= moment;
}

const text = fc.constantFrom("CFO", "cfo", "Head of Sales", "Ünïcode %", "a_b", "A\\B", "5", "x:y", "日本", "50%");
const anyValue = fc.oneof(
  text,
  fc.constantFrom<unknown>("2026-06-03", "2026-06-03T10:00:00Z", "2026-13-40", "007", "-3.5", "1e3", true, false),
  fc.integer({ min: -5, max: 60 }),
  fc.constantFrom<unknown>(0.1, 123456.75, -2.25),
  fc.array(text, { minLength: 1, maxLength: 3 }),
);
const someone = fc.record(
  { job_title: text, first_name: text, last_name: text, company: text, alpha: anyValue, beta: anyValue },
  { requiredKeys: [] },
);
const names = ["job_title", "first_name", "last_name", "company", "email", "alpha", "beta"] as const;
const custom = ["alpha", "beta"] as const;
const asked: fc.Arbitrary<FilterCase> = fc.oneof(
  fc.record({
    name: fc.constantFrom(...names),
    operator: fc.constantFrom("eq", "contains"),
    value: fc.oneof(text, fc.constantFrom("f", "_", "%", "\\", "e", "ü", "2026", "1", "true")),
  }),
  fc.record({
    name: fc.constantFrom(...names),
    operator: fc.constant("exists"),
    value: fc.constantFrom("true", "false"),
  }),
  fc.record({
    name: fc.constantFrom(...custom),
    operator: fc.constantFrom("gte", "lte", "eq"),
    value: fc.constantFrom("5", "0", "-2.25", "10", "1000", "2026-06-03", "2026-06-03T09:59:59Z"),
  }),
  fc.record({
    name: fc.constantFrom(...names),
    operator: fc.constantFrom("in", "not"),
    value: fc.constantFrom("CFO,5", "a_b , x:y", "true,7"),
  }),
);

/** Of companies, by a field and by custom properties. */
const aCompany = fc.record({ industry: text, alpha: anyValue, beta: anyValue }, { requiredKeys: [] });
const askedOfCompany = asked.map(({ name, ...rest }) => ({
  ...rest,
  name:
    (custom as readonly string[]).includes(name) || rest.operator === "gte" || rest.operator === "lte"
      ? name
      : "industry",
}));
/** People who work at one of three companies, or at none; `silent`: the days since they were contacted. */
const worker = fc.record({ firm: fc.constantFrom(0, 1, 2, null), silent: fc.constantFrom(null, 5, 20) });
const beyond = fc.record({
  company: fc.array(askedOfCompany, { maxLength: 2 }),
  silent: fc.constantFrom(null, null, "10d", "30d"),
  title: fc.constantFrom(null, null, "CFO", "not:CFO", "in:CFO,Head of Sales"),
});
const titleHolds = (filter: string, title: string | null) => {
  const [, not, words = ""] = /^(not:|in:)?(.*)$/.exec(filter) ?? [];
  return words.split(",").some((wanted) => fold(wanted) === fold(title ?? "")) !== (not === "not:");
};

test("a filter finds what its rule finds in all rows, whatever the values, and pages of any size are the whole", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(someone, worker), { minLength: 1, maxLength: 12 }),
      fc.tuple(aCompany, aCompany, aCompany),
      fc.array(fc.tuple(fc.array(asked, { maxLength: 2 }), beyond), { minLength: 12, maxLength: 12 }),
      async (everyone, firms, questions) => {
        const { post, people, companies } = await setUp();
        const addressOf = (index: number, firm: number | null) =>
          `p${index}@${firm === null ? "gmail" : `firm${firm}`}.com`;
        await post("/v2/companies/bulk", {
          companies: firms.map((fields, n) => ({ ...fields, domain: `firm${n}.com` })),
        });
        await post("/v2/people/bulk", {
          people: everyone.map(([{ company: _, ...fields }, { firm }], index) => ({
            ...fields,
            email: addressOf(index, firm),
          })),
        });
        const calls = everyone.flatMap(([, { firm, silent }], index) =>
          silent === null
            ? []
            : [
                {
                  email: addressOf(index, firm),
                  type: "call",
                  occurred_at: new Date(Date.now() - silent * DAY_MS).toISOString(),
                },
              ],
        );
        if (calls.length > 0) await post("/api/v1/capture/batch", calls);
        const [rows, employers] = [await people(), await companies()];
        expect(rows).toHaveLength(everyone.length);
        const silenceOf = ({ email }: Person) =>
          everyone[Number(/^p(\d+)/.exec(email ?? "")?.[1])]?.[1].silent ?? Infinity;
        for (const [own, { company, silent, title }] of questions) {
          const once = (all: readonly FilterCase[]) => [...new Map(all.map((each) => [each.name, each])).values()];
          const [mine, theirs] = [once(own), once(company)];
          const query = [
            ...mine.map((each) => ["property", each] as const),
            ...theirs.map((each) => ["company", each] as const),
          ].map(
            ([whose, { name, operator, value }]) => `${whose}.${name}=${encodeURIComponent(`${operator}:${value}`)}`,
          );
          if (silent !== null) query.push(`not_contacted_for=${silent}`);
          if (title !== null) query.push(`title=${title}`);
          const expected = rows.filter((row) => {
            const employer = employers.find(({ id }) => id === row.company_id) ?? { properties: {} };
            return (
              mine.every((each) => holds(row as unknown as Row, each)) &&
              theirs.every((each) => holds(employer as unknown as Row, each)) &&
              (silent === null || silenceOf(row) > Number.parseInt(silent, 10)) &&
              (title === null || titleHolds(title, row.job_title))
            );
          });
          const found = await people(`limit=2&sort=created_asc&${query.join("&")}`);
          expect(found.map(({ id }) => id).sort(), query.join("&")).toEqual(expected.map(({ id }) => id).sort());
        }
      },
    ),
    { numRuns: 12 },
  );
});

test("who has neither a standard field nor a custom property is found, in either order, on pages of any size", async () => {
  const { post, people } = await setUp();
  await post("/v2/people/bulk", {
    people: [{}, { beta: 0 }, { job_title: "CFO" }, {}].map((fields, index) => ({
      ...fields,
      email: `p${index}@gmail.com`,
    })),
  });
  const names = ["job_title", "beta"];
  for (const limit of [1, 2, 3, 100])
    for (const order of [names, names.toReversed()]) {
      const query = order.map((name) => `property.${name}=exists:false`).join("&");
      const found = await people(`limit=${limit}&sort=created_asc&${query}`);
      expect(found.map(({ email }) => email).sort(), `${limit} ${query}`).toEqual(["p0@gmail.com", "p3@gmail.com"]);
    }
});

test("a walk of small pages shows, in the list's order, all that the filter means, frequent or rare", async () => {
  const { post, people } = await setUp();
  await post("/v2/people/bulk", {
    people: Array.from({ length: 130 }, (_, index) => ({
      email: `p${index}@gmail.com`,
      ...(index % 2 === 0 ? { often: "yes" } : {}),
      ...(index % 60 === 59 ? { rare: "yes" } : {}),
    })),
  });
  const signals = Array.from({ length: 70 }, (_, index) => ({
    email: `p${index}@gmail.com`,
    type: "email_sent",
    occurred_at: new Date(Date.UTC(2026, 0, 1 + ((index * 7) % 70))).toISOString(),
  }));
  await post("/api/v1/capture/batch", signals);
  for (const sort of [
    "last_activity_desc",
    "last_activity_asc",
    "created_desc",
    "icp_score_asc",
    "name_asc",
    "stage_desc",
  ]) {
    const all = await people(`sort=${sort}`);
    for (const name of ["often", "rare"]) {
      for (const [filter, has] of [
        ["yes", true],
        ["exists:false", false],
      ] as const) {
        const expected = all.filter(({ properties }) => (properties[name] === "yes") === has);
        expect(expected.length).toBeGreaterThan(1);
        for (const limit of [1, 7]) {
          const found = await people(`sort=${sort}&limit=${limit}&property.${name}=${filter}`);
          expect(
            found.map(({ email }) => email),
            `${name}=${filter} by ${sort}, ${limit} at a time`,
          ).toEqual(expected.map(({ email }) => email));
        }
      }
    }
  }
  const updated = await people("sort=last_activity_desc&limit=1&updated_before=1d");
  expect(updated).toEqual([]);
});

test("who lacks a property is found where records have more different sets of properties than are looked through", async () => {
  const { post, people } = await setUp();
  const everyone = Array.from({ length: 1_040 }, (_, index) => ({
    email: `p${index}@gmail.com`,
    ...Object.fromEntries(
      Array.from({ length: 11 }, (_, bit) => bit).flatMap((bit) => ((index >> bit) & 1 ? [[`bit_${bit}`, true]] : [])),
    ),
  }));
  await post("/v2/people/bulk", { people: everyone.slice(0, 1_000) });
  const lacking = async () =>
    (await people("limit=1000&property.bit_3=exists:false&property.bit_7=exists:false")).length;
  const expected = (most: number) => everyone.slice(0, most).filter((_, index) => (index & 0b10001000) === 0).length;
  expect(await lacking()).toBe(expected(1_000));
  await post("/v2/people/bulk", { people: everyone.slice(1_000) });
  expect(await lacking()).toBe(expected(1_040));
});

test("records of a property set have the same properties, and those of different sets others", async () => {
  const rows = await inspect<{ sets: number; kinds: number; both: number }>(
    `SELECT count(DISTINCT (workspace_id, subject, property_set))::int AS sets, count(DISTINCT (workspace_id, subject, names))::int AS kinds,
       count(DISTINCT (workspace_id, subject, property_set, names))::int AS both
     FROM (
       SELECT p.workspace_id, p.subject, p.property_set, array(SELECT v.property FROM property_values v WHERE v.workspace_id = p.workspace_id AND v.entity_id = p.id ORDER BY 1) AS names
       FROM (SELECT workspace_id, id, 'person' AS subject, property_set FROM people UNION ALL SELECT workspace_id, id, 'company', property_set FROM companies) AS p
     ) AS each`,
  );
  const [{ sets, kinds, both } = { sets: 0, kinds: 0, both: 0 }] = rows;
  expect(sets).toBeGreaterThan(10);
  expect([kinds, both]).toEqual([sets, sets]);
});
