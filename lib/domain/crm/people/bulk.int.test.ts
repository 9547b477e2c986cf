/** Many rows written in few statements give the same result as the rows one by one. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { isFault } from "#lib/core/errors.ts";
import { mergeAccounts } from "#lib/domain/knowledge/merges/service.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { listCompanies, listPeople, upsertCompanies, upsertPeople, upsertPerson } from "./service.ts";

const email = fc.constantFrom(
  "anna@acme.com",
  "a.smith@acme.com",
  "ben@acme.com",
  "carla@gmail.com",
  "dora@fernhill.eu",
  "nope",
);
const profile = fc.constantFrom("linkedin.com/in/anna", "linkedin.com/in/ben", "linkedin.com/company/acme");
const row = fc.record(
  {
    email: fc.oneof({ weight: 6, arbitrary: email }, { weight: 1, arbitrary: fc.constant(null) }),
    linkedin_url: fc.oneof({ weight: 3, arbitrary: profile }, { weight: 1, arbitrary: fc.constant(null) }),
    first_name: fc.constantFrom("Anna", "Ben", null),
    job_title: fc.constantFrom("CTO", "CEO"),
    pipeline_stage: fc.constantFrom("aware", "client", "won"),
    status: fc.constantFrom("active", "archived"),
    source: fc.constantFrom("csv_import", "crm"),
    region: fc.constantFrom("DACH", 3, true, null),
  },
  { requiredKeys: ["email"] },
);

/** The answer to a row, without the ids that differ. */
type Answer = string;

async function oneByOne(caller: Caller, people: readonly object[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const person of people)
    answers.push(
      await upsertPerson.execute(caller, person).then(
        ({ created }) => (created ? "created" : "updated"),
        (error) => {
          if (isFault(error)) return error.code;
          throw error;
        },
      ),
    );
  return answers;
}

async function atOnce(caller: Caller, people: readonly object[]): Promise<Answer[]> {
  const { results } = await upsertPeople.execute(caller, { people });
  return results.map(({ status, error }) => error ?? status);
}

/** Everything the record holds, without ids and times. */
async function recordOf(caller: Caller) {
  const plain = ({ id, entity_id, company_id, created_at, updated_at, ...rest }: Record<string, unknown>) =>
    JSON.stringify(rest);
  const pages = await Promise.all(
    ["active", "archived"].flatMap((status) => [
      listPeople.execute(caller, { status }).then(({ people }) => people.map(plain)),
      listCompanies.execute(caller, { status }).then(({ companies }) => companies.map(plain)),
    ]),
  );
  const evidence = await inspect<{ text: string }>(
    `SELECT p.email || ' ' || coalesce(p.linkedin_url, '') || ' ' || o.property || ' ' || CASE WHEN o.property = 'works_at' THEN '' ELSE o.value::text END || ' ' || o.source || ' ' || o.method AS text
     FROM observations o JOIN people p ON p.workspace_id = o.workspace_id AND p.id = o.entity_id WHERE o.workspace_id = $1`,
    [caller.workspaceId],
  );
  const events = await inspect<{ text: string }>(
    "SELECT type || ' ' || (data - 'activity_id')::text AS text FROM outbox WHERE workspace_id = $1",
    [caller.workspaceId],
  );
  return [...pages, evidence.map(({ text }) => text), events.map(({ text }) => text)].map((lines) => lines.sort());
}

describe("many people at once", () => {
  test("give the same result as one by one, and deriving everything again gives the same bytes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(row, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
        async (batches) => {
          const [single, many] = await Promise.all([
            createTestWorkspace({ listening: true }),
            createTestWorkspace({ listening: true }),
          ]);
          for (const people of batches) {
            const expected = await oneByOne(single.caller, people);
            expect(await atOnce(many.caller, people)).toEqual(expected);
          }
          expect(await recordOf(many.caller)).toEqual(await recordOf(single.caller));
          expect(await rebuildWorkspace(many.caller)).toMatchObject({ different: 0 });
        },
      ),
      {
        numRuns: 40,
        // One person several times, whose evidence is read once.
        examples: [
          [
            [
              [{ email: "anna@acme.com" }],
              [
                { email: "anna@acme.com", linkedin_url: "linkedin.com/in/ben" },
                { email: "ben@acme.com", linkedin_url: "linkedin.com/in/ben" },
                { email: "anna@acme.com" },
              ],
            ],
          ],
        ],
      },
    );
  });

  test("a row whose identifiers name two people is refused alone, with its reason", async () => {
    const { caller } = await createTestWorkspace();
    const anna = { email: "anna@acme.com" };
    const both = { ...anna, linkedin_url: "linkedin.com/in/ben", first_name: "Wrong" };
    const people = [anna, { linkedin_url: "linkedin.com/in/ben" }, both, { ...anna, first_name: "Anna" }];
    const { results, ...counts } = await upsertPeople.execute(caller, { people });
    expect(counts).toEqual({ created: 2, updated: 1, failed: 1 });
    expect(results[2]).toMatchObject({ index: 2, entity_id: null, error: "identifier_conflict" });
    expect(results[3]?.entity_id).toBe(results[0]?.entity_id);
    const { people: listed } = await listPeople.execute(caller, {});
    expect(listed.map(({ first_name }) => first_name).sort()).toEqual(["Anna", null]);
  });

  test("a hundred batches with one e-mail at once make one person and one company", async () => {
    const { caller } = await createTestWorkspace();
    const batches = Array.from({ length: 100 }, (_, batch) => ({
      people: [`own${batch}@acme.com`, "race@acme.com", `own${batch + 1}@acme.com`].map((email) => ({
        email,
        job_title: `t${batch}`,
      })),
    }));
    // As many at a time as there are connections: no more can meet in the database, and none waits for a connection.
    const answers: Awaited<ReturnType<typeof upsertPeople.execute>>[] = [];
    const waiting = batches.values();
    const sender = async () => {
      for (const batch of waiting) answers.push(await upsertPeople.execute(caller, batch));
    };
    await Promise.all(Array.from({ length: getBoot().env.DATABASE_POOL_SIZE }, sender));
    expect(answers).toHaveLength(100);
    const raced = answers.map(({ results }) => results[1]);
    expect(new Set(raced.map((result) => result?.entity_id)).size).toBe(1);
    expect(raced.filter((result) => result?.status === "created")).toHaveLength(1);
    const { people } = await listPeople.execute(caller, { limit: 1000 });
    expect(people).toHaveLength(102);
    expect((await listCompanies.execute(caller, {})).companies).toMatchObject([{ people_count: 102 }]);
    expect(await rebuildWorkspace(caller)).toMatchObject({ different: 0 });
  });

  test("batches in opposite order, and a merge of two of their people, end without a fault", async () => {
    const { caller } = await createTestWorkspace();
    const people = Array.from({ length: 60 }, (_, index) => ({
      email: `p${index}@company${index % 7}.com`,
      job_title: "CTO",
    }));
    await upsertPeople.execute(caller, { people });
    const again = (title: string, rows: typeof people) =>
      upsertPeople.execute(caller, { people: rows.map((person) => ({ ...person, job_title: title })) });
    const [merged, ...answers] = await Promise.all([
      mergeAccounts.execute(caller, { keep: "p1@company1.com", drop: "p8@company1.com" }),
      ...Array.from({ length: 6 }, (_, round) => again(`t${round}`, round % 2 ? people.toReversed() : people)),
    ]);
    expect(merged.merge_id).not.toBeNull();
    for (const { failed, updated } of answers) expect([failed, updated]).toEqual([0, 60]);
    expect((await listPeople.execute(caller, {})).people).toHaveLength(59);
    expect(await rebuildWorkspace(caller)).toMatchObject({ different: 0 });
  });
});

test("many companies at once are created, completed and renamed beside their people", async () => {
  const { caller } = await createTestWorkspace();
  await upsertPeople.execute(caller, { people: [{ email: "anna@acme.com" }, { email: "ben@kestrel.app" }] });
  const companies = [
    { domain: "acme.com", name: "Acme" },
    { domain: "https://www.kestrel.app/about", name: "Kestrel", employee_count: 12 },
    { domain: "new.io" },
    { domain: "gmail" },
    { name: "Nameless" },
  ];
  const { results } = await upsertCompanies.execute(caller, { companies });
  expect(results.map(({ status, error }) => error ?? status)).toEqual([
    "updated",
    "updated",
    "created",
    "invalid_domain",
    "identifier_required",
  ]);
  const { people } = await listPeople.execute(caller, {});
  expect(people.map(({ company }) => company).sort()).toEqual(["Acme", "Kestrel"]);
  expect(await rebuildWorkspace(caller)).toMatchObject({ different: 0 });
});
