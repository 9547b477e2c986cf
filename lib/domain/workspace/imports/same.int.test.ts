/** A file gives the same records as the same rows sent to the API one by one. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listCompanies, listPeople, upsertPerson } from "#lib/domain/crm/people/service.ts";
import { ran, upload } from "#lib/testing/imports.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import { patchImport } from "./service.ts";

beforeAll(() => startWorker());
afterAll(() => stopWorker());

const columns = ["email", "linkedin_url", "first_name", "job_title", "company", "property.region"] as const;
const row = fc.record({
  email: fc.constantFrom("anna@acme.com", "ben@acme.com", "carla@gmail.com", "dora@fernhill.eu", "eve@acme.com"),
  linkedin_url: fc.constantFrom("", "", "linkedin.com/in/anna", "linkedin.com/in/ben"),
  first_name: fc.constantFrom("", "Anna", "Ben"),
  job_title: fc.constantFrom("", "CTO", "CEO, founder"),
  company: fc.constantFrom("", 'The "Acme"'),
  "property.region": fc.constantFrom("", "DACH"),
});
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never;

const plain = ({ id, entity_id, company_id, created_at, updated_at, ...rest }: Record<string, unknown>) =>
  JSON.stringify(rest);

async function recordOf({ caller }: TestWorkspace): Promise<string[]> {
  const { people } = (await listPeople.execute(caller, { limit: 1000 })) as { people: Record<string, unknown>[] };
  const { companies } = (await listCompanies.execute(caller, { limit: 1000 })) as {
    companies: Record<string, unknown>[];
  };
  // A file creates companies by their names too.
  const named = companies.filter(({ domain }) => domain !== null);
  return [...people, ...named].map(plain).sort();
}

async function byFile({ caller }: TestWorkspace, rows: readonly Row[]): Promise<void> {
  const line = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
  const headers = ["Email", "LinkedIn", "First Name", "Job Title", "Company", "Region"];
  const content = [line(headers), ...rows.map((one) => line(columns.map((column) => one[column])))].join("\n");
  const made = await upload(caller, content);
  const mapping = columns.map((to, place) => ({ column: place + 1, to }));
  await patchImport.execute(caller, { id: made.id, mapping, policy: "overwrite" });
  await ran(caller, made);
}

async function oneByOne({ caller }: TestWorkspace, rows: readonly Row[]): Promise<void> {
  for (const one of rows) {
    const given = Object.entries(one).filter(([, value]) => value !== "");
    const fields = Object.fromEntries(given.map(([name, value]) => [name.replace("property.", ""), value]));
    await upsertPerson.execute(caller, { ...fields, source: "csv_import" }).catch(() => undefined); // a conflict
  }
}

test("whatever the rows are", { timeout: 300_000 }, async () => {
  await fc.assert(
    // A second row about someone has a rule of its own.
    fc.asyncProperty(
      fc.uniqueArray(row, { minLength: 1, maxLength: 5, selector: ({ email }) => email }),
      async (rows) => {
        const distinct = rows.filter(
          ({ linkedin_url: url }, place) =>
            url === "" || rows.findIndex((other) => other.linkedin_url === url) === place,
        );
        const [file, api] = [await createTestWorkspace(), await createTestWorkspace()];
        await byFile(file, distinct);
        await oneByOne(api, distinct);
        expect(await recordOf(file)).toEqual(await recordOf(api));
      },
    ),
    { numRuns: 8 },
  );
});
