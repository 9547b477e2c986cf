/** What files of people leave of companies' times and of the place their rows take, in a database without other writes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { listCompanies, upsertCompanies, upsertPerson } from "#lib/domain/crm/people/service.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { ran, undone, upload } from "#lib/testing/imports.fixture.ts";
import { stateOf } from "#lib/testing/state.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import type { Import } from "./contract.ts";
import { patchImport } from "./service.ts";

beforeAll(() => startWorker());
afterAll(() => stopWorker());

/** Imports people, where what the file says counts. */
async function overwritten(caller: Caller, content: string): Promise<Import> {
  const made = await upload(caller, content);
  await patchImport.execute(caller, { id: made.id, policy: "overwrite" });
  return ran(caller, made);
}

type CompanyCounts = { domain: string; people_count: number; updated_at: string };
const companiesOf = async (caller: Caller): Promise<CompanyCounts[]> =>
  ((await listCompanies.execute(caller, { limit: 1000, sort: "name_asc" })) as { companies: CompanyCounts[] })
    .companies;

/** How many updates of companies' rows there were, and how many of them wrote no index. A session tells its numbers within some seconds. */
async function updatesOfCompanies(atLeast: number) {
  const numbers = async () => {
    const [row] = await inspect<{ all: number; hot: number }>(
      "SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables WHERE relname = 'companies'",
    );
    return row ?? { all: 0, hot: 0 };
  };
  await expect.poll(async () => (await numbers()).all, { interval: 100 }).toBeGreaterThanOrEqual(atLeast);
  return numbers();
}

test("people who join known companies leave the companies' times and indexes alone", async () => {
  const workspace = await createTestWorkspace();
  const { caller } = workspace;
  const domains = Array.from({ length: 60 }, (_, index) => `known${index}.com`);
  await upsertCompanies.execute(caller, { companies: domains.map((domain) => ({ domain, name: `Known ${domain}` })) });
  const before = await companiesOf(caller);
  const state = await stateOf(workspace.id);
  // Some of each page, so that there is room beside them for certain.
  const joined = new Set(domains.filter((_, index) => index % 3 === 0));
  const emails = [...joined].flatMap((domain) => [`anna@${domain}`, `ben@${domain}`]);
  const done = await overwritten(caller, ["Email", ...emails].join("\n"));
  expect(await companiesOf(caller)).toEqual(
    before.map((company) => ({ ...company, people_count: joined.has(company.domain) ? 2 : 0 })),
  );
  const { all, hot } = await updatesOfCompanies(joined.size);
  expect(hot).toBe(all);
  await undone(caller, done);
  expect(await stateOf(workspace.id)).toEqual(state);
});

test("someone who gets another company by a file is back in theirs after the undoing, and no time tells of it", async () => {
  const workspace = await createTestWorkspace();
  const { caller } = workspace;
  await upsertCompanies.execute(caller, { companies: [{ domain: "globex.com", name: "Globex" }] });
  for (const email of ["anna@acme.com", "ben@acme.com"]) await upsertPerson.execute(caller, { email });
  const before = await stateOf(workspace.id);
  const done = await overwritten(caller, "Email,Company Domain\nanna@acme.com,globex.com\n");
  expect((await companiesOf(caller)).map(({ domain, people_count }) => `${domain} ${people_count}`)).toEqual([
    "acme.com 1",
    "globex.com 1",
  ]);
  expect((await rebuildWorkspace(caller)).differences).toEqual([]);
  await undone(caller, done);
  expect(await stateOf(workspace.id)).toEqual(before);
});
