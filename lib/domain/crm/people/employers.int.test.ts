/** A company's row says how many active people are linked to it, and when something last happened with them or with itself. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Statement } from "#lib/core/context.ts";
import { isFault } from "#lib/core/errors.ts";
import { declared, sql } from "#lib/db/statement.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { capture, captureSignals, removeActivity, type Signal } from "#lib/domain/crm/activities/service.ts";
import type { BulkAction } from "#lib/domain/crm/bulk-actions/contract.ts";
import { createBulkAction, getBulkAction, undoBulkAction } from "#lib/domain/crm/bulk-actions/service.ts";
import { type Report, record, recordOne } from "#lib/domain/crm/recording/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { addIdentifier } from "#lib/domain/knowledge/contacts/service.ts";
import { mergeAccounts, unmergeAccounts } from "#lib/domain/knowledge/merges/service.ts";
import { recordObservations } from "#lib/domain/knowledge/observations/service.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { findEntity } from "#lib/domain/records/entities/service.ts";
import { ownEvents } from "#lib/domain/records/evidence/contract.ts";
import { lockEntity, readClock } from "#lib/domain/records/evidence/service.ts";
import type { Import } from "#lib/domain/workspace/imports/contract.ts";
import { createImport, getImport, patchImport, runImport, undoImport } from "#lib/domain/workspace/imports/service.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { clockGoesBack, ownClock } from "#lib/testing/clock.fixture.ts";
import { inspect } from "#lib/testing/database.ts";
import { stateOf } from "#lib/testing/state.fixture.ts";
import { deadlocks, endedOrWaiting, waiting } from "#lib/testing/waits.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import { patchPerson, upsertCompany } from "./service.ts";

beforeAll(async () => {
  await ownClock();
  await startWorker();
});
afterAll(() => stopWorker());

const [early, middle, late] = ["2026-01-01", "2026-02-01", "2026-03-01"].map((day) => `${day}T00:00:00.000Z`) as [
  string,
  string,
  string,
];

/** A workspace with what one does in it; each returns what it takes to undo it. */
async function house() {
  const workspace = await createTestWorkspace();
  const { caller } = workspace;
  const until = (state: string, now: () => Promise<string>) =>
    expect.poll(now, { timeout: 30_000, interval: 10 }).toBe(state);
  const importIs = (id: string, state: string) =>
    until(state, async () => ((await getImport.execute(caller, { id })) as { import: Import }).import.state);
  const actionIs = (id: string, state: string) =>
    until(
      state,
      async () => ((await getBulkAction.execute(caller, { id })) as { bulk_action: BulkAction }).bulk_action.state,
    );
  const observe = (focus: string, observation: object) =>
    recordObservations.execute(caller, { focus, observations: [observation] });
  return {
    workspace,
    call: async (email: string, at: string) =>
      (await capture.execute(caller, { email, type: "call", occurred_at: at })).activity_id,
    removeCall: (id: string) => removeActivity.execute(caller, { id }),
    add: (focus: string, email: string) => addIdentifier.execute(caller, { focus, kind: "email", value: email }),
    company: async (domain: string) => (await upsertCompany.execute(caller, { domain })).company.id,
    worksAt: (email: string, company: string | null) =>
      observe(email, { kind: "state", property: "works_at", value: company, method: "asserted" }),
    visit: (domain: string, at: string) =>
      observe(domain, { kind: "event", property: "page.visited", observed_at: at }),
    archive: (email: string) => patchPerson.execute(caller, { focus: email, status: "archived" }),
    merge: async (keep: string, drop: string) =>
      (await mergeAccounts.execute(caller, { keep, drop })).merge_id as string,
    unmerge: (merge_id: string) => unmergeAccounts.execute(caller, { merge_id }),
    erase: (focus: string) => erasePerson.execute(caller, { focus }),
    importFile: async (content: string) => {
      const { id } = ((await createImport.execute(caller, { content })) as { import: Import }).import;
      await patchImport.execute(caller, { id, policy: "overwrite" });
      await runImport.execute(caller, { id });
      await importIs(id, "done");
      return id;
    },
    undoImport: async (id: string) => {
      await undoImport.execute(caller, { id });
      await importIs(id, "undone");
    },
    archiveAll: async () => {
      const input = { what: "people", filters: {}, action: "archive" };
      const { id } = ((await createBulkAction.execute(caller, input)) as { bulk_action: BulkAction }).bulk_action;
      await actionIs(id, "done");
      return id;
    },
    undoAction: async (id: string) => {
      await undoBulkAction.execute(caller, { id });
      await actionIs(id, "undone");
    },
  };
}
type House = Awaited<ReturnType<typeof house>>;

type EmployerRow = { domain: string; people: number; at: string | null };

/** What the rows say, and what follows from the rows of people and from the companies' own evidence. */
async function employersOf({ workspace: { id } }: House): Promise<{ shown: EmployerRow[]; derived: EmployerRow[] }> {
  const time = (value: string) => `to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const shown = await inspect<EmployerRow>(
    `SELECT domain, people_count AS people, ${time("last_activity_at")} AS at FROM companies WHERE workspace_id = $1 ORDER BY domain`,
    [id],
  );
  const derived = await inspect<EmployerRow>(
    `SELECT c.domain, (SELECT count(*)::int FROM people p WHERE p.company_id = c.id AND p.status = 'active') AS people,
       ${time(`(SELECT max(at) FROM (
         SELECT p.last_activity_at AS at FROM people p WHERE p.company_id = c.id
         UNION ALL SELECT least(o.observed_at, o.recorded_at) FROM observations o JOIN entities e ON e.id = o.entity_id
           WHERE coalesce(e.merged_into, e.id) = c.id AND o.kind = 'event') AS happened)`)} AS at
     FROM companies c WHERE c.workspace_id = $1 ORDER BY domain`,
    [id],
  );
  return { shown, derived };
}

const rowsOf = ({ workspace: { id } }: House) =>
  inspect<{ row: string }>(
    `SELECT to_jsonb(p)::text AS row FROM people p WHERE workspace_id = $1
     UNION ALL SELECT to_jsonb(c)::text FROM companies c WHERE workspace_id = $1 ORDER BY 1`,
    [id],
  );

/** The rows are right, and deriving them again changes no byte. */
async function expectRight(home: House): Promise<EmployerRow[]> {
  const { shown, derived } = await employersOf(home);
  expect(shown).toEqual(derived);
  const before = await rowsOf(home);
  expect((await rebuildWorkspace(home.workspace.caller)).differences).toEqual([]);
  expect(await rowsOf(home)).toEqual(before);
  return shown;
}

type Story = [name: string, tell: (home: House) => Promise<unknown>, expected: Record<string, [number, string | null]>];

const stories: Story[] = [
  [
    "a person who gets an address of another company takes their activity along",
    async ({ call, add }) => {
      await call("p@one.example", early);
      await add("p@one.example", "q@two.example");
    },
    { "one.example": [0, null], "two.example": [1, early] },
  ],
  [
    "nothing is left of a person who moved and is erased",
    async ({ call, add, erase }) => {
      await call("p@one.example", early);
      await add("p@one.example", "q@two.example");
      await erase("q@two.example");
    },
    { "one.example": [0, null], "two.example": [0, null] },
  ],
  [
    "a company that someone leaves keeps the time of those who stay",
    async ({ call, add }) => {
      await call("p@one.example", late);
      await call("r@one.example", early);
      await call("s@two.example", middle);
      await add("p@one.example", "q@two.example");
    },
    { "one.example": [1, early], "two.example": [2, late] },
  ],
  [
    "someone who moves by an observation and back leaves both as they were",
    async ({ call, company, worksAt }) => {
      const [one, two] = [await company("one.example"), await company("two.example")];
      await call("p@one.example", early);
      await worksAt("p@one.example", two);
      await worksAt("p@one.example", one);
    },
    { "one.example": [1, early], "two.example": [0, null] },
  ],
  [
    "someone without a company any more leaves it nothing",
    async ({ call, worksAt }) => {
      await call("p@one.example", early);
      await worksAt("p@one.example", null);
    },
    { "one.example": [0, null] },
  ],
  [
    "an archived person is not counted, and their activity counts where they are",
    async ({ call, archive, add }) => {
      await call("p@one.example", early);
      await archive("p@one.example");
      await add("p@one.example", "q@two.example");
    },
    { "one.example": [0, null], "two.example": [0, early] },
  ],
  [
    "what happened with the company itself stays",
    async ({ call, visit, company, add }) => {
      await company("one.example");
      await visit("one.example", early);
      await call("p@one.example", late);
      await add("p@one.example", "q@two.example");
    },
    { "one.example": [0, early], "two.example": [1, late] },
  ],
  [
    "an activity that is removed after a move is nowhere",
    async ({ call, add, removeCall }) => {
      const id = await call("p@one.example", late);
      await call("p@one.example", early);
      await add("p@one.example", "q@two.example");
      await removeCall(id);
    },
    { "one.example": [0, null], "two.example": [1, early] },
  ],
  [
    "people who are merged count once, where the one who stays works",
    async ({ call, merge }) => {
      await call("p@one.example", early);
      await call("r@two.example", late);
      await merge("p@one.example", "r@two.example");
    },
    { "one.example": [1, late], "two.example": [0, null] },
  ],
  [
    "people whose merge is undone are each with their company",
    async ({ call, merge, unmerge }) => {
      await call("p@one.example", early);
      await call("r@two.example", late);
      await unmerge(await merge("p@one.example", "r@two.example"));
    },
    { "one.example": [1, early], "two.example": [1, late] },
  ],
  [
    "companies whose merge is undone after someone moved have those who are left",
    async ({ call, merge, add, unmerge }) => {
      await call("p@one.example", late);
      await call("r@two.example", early);
      const merged = await merge("one.example", "two.example");
      await add("p@one.example", "q@three.example");
      await unmerge(merged);
    },
    { "one.example": [0, null], "three.example": [1, late], "two.example": [1, early] },
  ],
  [
    "two who change places by a file take their times along",
    async ({ call, importFile }) => {
      await call("p@one.example", late);
      await call("r@two.example", early);
      await importFile("Email,Company Domain\np@one.example,two.example\nr@two.example,one.example\n");
    },
    { "one.example": [1, early], "two.example": [1, late] },
  ],
  [
    "those who were archived together and brought back are counted again",
    async ({ call, archiveAll, undoAction }) => {
      await call("p@one.example", late);
      await call("r@one.example", early);
      await undoAction(await archiveAll());
    },
    { "one.example": [2, late] },
  ],
];

describe("a company's count and last activity", () => {
  test.each(stories)("%s", async (_name, tell, expected) => {
    const home = await house();
    await tell(home);
    const rows = await expectRight(home);
    expect(Object.fromEntries(rows.map(({ domain, people, at }) => [domain, [people, at]]))).toEqual(expected);
  });

  test("an import that moved someone with activity is undone without a trace, also in the companies' times", async () => {
    const home = await house();
    await home.call("p@one.example", late);
    await home.call("r@one.example", early);
    await home.call("s@two.example", middle);
    await home.company("three.example");
    const before = await stateOf(home.workspace.id);
    const id = await home.importFile("Email,Company Domain\np@one.example,two.example\nr@one.example,three.example\n");
    await expectRight(home);
    await home.undoImport(id);
    expect(await stateOf(home.workspace.id)).toEqual(before);
  });

  test("is right after any history", async () => {
    const domains = ["one.example", "two.example", "three.example"];
    const emails = ["p@one.example", "q@two.example", "r@three.example", "s@one.example", "t@two.example"];
    const email = fc.constantFrom(...emails);
    const domain = fc.constantFrom(...domains);
    const at = fc.constantFrom(early, middle, late, "2035-01-01T00:00:00.000Z");
    const which = fc.nat(2);
    const steps = {
      call: fc.record({ email, at }),
      add: fc.record({ email, domain }),
      worksAt: fc.record({ email, domain: fc.option(domain) }),
      visit: fc.record({ domain, at }),
      archive: fc.record({ email }),
      removeCall: fc.record({ which }),
      merge: fc
        .oneof(email, domain)
        .chain((keep) =>
          fc.record({ keep: fc.constant(keep), drop: keep.includes("@") ? email : domain, undone: fc.boolean() }),
        ),
      unmerge: fc.record({ which }),
      erase: fc.record({ email }),
      importFile: fc.record({ email, domain, undone: fc.boolean() }),
      archiveAll: fc.record({}),
    };
    type Steps = typeof steps;
    type Step = { [K in keyof Steps]: Steps[K] extends fc.Arbitrary<infer V> ? { do: K } & V : never }[keyof Steps];
    const step = fc.oneof(
      ...Object.entries(steps).map(([name, more]) =>
        (more as fc.Arbitrary<object>).map((values) => ({ do: name, ...values }) as Step),
      ),
    );
    await clockGoesBack(20);
    onTestFinished(() => clockGoesBack(0));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (history) => {
        const home = await house();
        const [calls, merges, undo]: [string[], string[], (() => Promise<unknown>)[]] = [[], [], []];
        for (const each of emails) calls.push(await home.call(each, early));
        for (const [place, each] of history.entries())
          try {
            if (each.do === "call") calls.unshift(await home.call(each.email, each.at));
            else if (each.do === "add") await home.add(each.email, `a${place}@${each.domain}`);
            else if (each.do === "worksAt")
              await home.worksAt(each.email, each.domain === null ? null : await home.company(each.domain));
            else if (each.do === "visit") await home.visit(each.domain, each.at);
            else if (each.do === "archive") await home.archive(each.email);
            else if (each.do === "removeCall") await home.removeCall(calls[each.which] ?? home.workspace.id);
            else if (each.do === "merge") {
              const id = await home.merge(each.keep, each.drop);
              merges.unshift(id);
              if (each.undone) undo.push(() => home.unmerge(id));
            } else if (each.do === "unmerge") await home.unmerge(merges[each.which] ?? home.workspace.id);
            else if (each.do === "erase") await home.erase(each.email);
            else if (each.do === "importFile") {
              const id = await home.importFile(`Email,Company Domain\n${each.email},${each.domain}\n`);
              if (each.undone) undo.push(() => home.undoImport(id));
            } else {
              const id = await home.archiveAll();
              undo.push(() => home.undoAction(id));
            }
          } catch (error) {
            unlessRefused(error);
          }
        await expectRight(home);
        for (const back of undo.toReversed()) await back().catch(unlessRefused);
        await expectRight(home);
      }),
      { numRuns: 20, interruptAfterTimeLimit: 120_000 },
    );
  }, 300_000);
});

/** Nothing else may go wrong with a step about someone who is not there any more. */
function unlessRefused(error: unknown): void {
  if (!isFault(error)) throw error;
}

/** Does `first` in a transaction that ends only when `second`, which began after it, is done or waits for a row. */
async function overlapping(
  { workspace: { caller } }: House,
  first: (ctx: Ctx) => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<void> {
  const [written, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = withWorkspace(caller.workspaceId, async (db) => {
    await first({ ...caller, db });
    await readClock(db); // what was deferred is sent
    written.resolve();
    await mayEnd.promise;
  });
  await Promise.race([written.promise, holding]);
  const other = second();
  await endedOrWaiting(other);
  mayEnd.resolve();
  await Promise.all([holding, other]);
}

const callOf = (email: string, at: string): Signal => ({
  ...{ email, createContact: true, type: "call", source: "api" },
  occurredAt: new Date(at),
});

describe("beside another writer, a company's count and last activity", () => {
  test("know of a colleague who joins while someone is erased", async () => {
    const home = await house();
    await home.call("p@one.example", early);
    await overlapping(
      home,
      (ctx) => captureSignals(ctx, [callOf("r@one.example", middle)]),
      () => home.erase("p@one.example"),
    );
    expect(await expectRight(home)).toEqual([{ domain: "one.example", people: 1, at: middle }]);
  });

  test("know what happened earlier with a colleague while someone leaves", async () => {
    const home = await house();
    await home.call("p@one.example", late);
    await home.call("r@one.example", early);
    await overlapping(
      home,
      (ctx) => captureSignals(ctx, [callOf("r@one.example", middle)]),
      () => home.add("p@one.example", "q@two.example"),
    );
    expect((await expectRight(home))[0]).toEqual({ domain: "one.example", people: 1, at: middle });
  });

  test("know what is recorded about a colleague while someone leaves", async () => {
    const home = await house();
    await home.call("p@one.example", late);
    const { contact_id } = await capture.execute(home.workspace.caller, { email: "r@one.example", type: "note" });
    await overlapping(
      home,
      async (ctx) => {
        const entity = await findEntity(ctx.db, contact_id);
        if (!entity) throw new Error("no such person");
        await lockEntity(ctx.db, contact_id);
        const event = { kind: "event", property: "page.visited", value: null, source: "api" } as const;
        const draft = { ...event, method: "observed", observedAt: new Date(early) } as const;
        await recordOne(ctx, { about: { id: entity.id }, drafts: [draft] });
      },
      () => home.add("p@one.example", "q@two.example"),
    );
    expect((await expectRight(home))[0]).toEqual({ domain: "one.example", people: 1, at: early });
  });
});

type Node = { "Index Name"?: string; "Actual Rows": number; Plans?: Node[] };
const nodesIn = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesIn)];

test("of 50,000 people one is looked at when someone leaves, and all are counted by the company's index", async () => {
  const home = await house();
  const { id } = home.workspace;
  await home.call("p@one.example", late);
  const company = await home.company("one.example");
  await inspect(
    `WITH made AS (INSERT INTO entities (workspace_id, id, type) SELECT $1, gen_random_uuid(), 'person' FROM generate_series(1, 50000) RETURNING id)
     INSERT INTO people (workspace_id, id, company_id, source, created_at, updated_at, last_activity_at, search, wire)
     SELECT $1, id, $2, 'api', now(), now(), timestamptz '2025-01-01' + random() * interval '300 days', '', '{' FROM made`,
    [id, company],
  );
  await inspect("UPDATE companies SET people_count = 50001 WHERE workspace_id = $1", [id]);
  await inspect("ANALYZE people");
  const readBy = (name: string) =>
    withWorkspace(id, async (db) => {
      const { text } = declared.find((statement) => statement.name === name) as Statement;
      const rows = await db.query<{ "QUERY PLAN": { Plan: Node }[] }>(
        sql("", `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`),
        [[company], new Date(), ownEvents],
      );
      const nodes = rows.flatMap((row) => row["QUERY PLAN"]).flatMap(({ Plan }) => nodesIn(Plan));
      return nodes
        .filter((node) => node["Index Name"]?.startsWith("people_"))
        .map((node) => `${node["Index Name"]} ${node["Actual Rows"]}`)
        .sort();
    });
  expect(await readBy("companies_derive_latest")).toEqual(["people_company_idx 1"]);
  expect(await readBy("companies_derive")).toEqual(["people_company_idx 1", "people_company_idx 50001"]);
  await home.add("p@one.example", "q@two.example");
  const { shown, derived } = await employersOf(home);
  expect(shown).toEqual(derived);
  await home.add("q@two.example", "p2@one.example");
  await home.erase("q@two.example");
  const after = await employersOf(home);
  expect(after.shown).toEqual(after.derived);
  expect(after.shown[0]?.people).toBe(50_000);
}, 180_000);

const holdOne = sql(
  "test_hold_one_company",
  "SELECT FROM companies WHERE workspace_id = $workspace AND id = $1 FOR UPDATE",
);

describe("two batches about the same companies lock the rows in one order", () => {
  const state = { kind: "state", property: "industry", value: "Fintech", source: "api", method: "observed" } as const;
  const isFintech = (id: string): Report => ({ about: { id }, drafts: [{ ...state, observedAt: null }] });

  test.each<[string, (ctx: Ctx, companies: [string, string, string]) => Promise<unknown>]>([
    ["of several companies", (ctx, [a, b, c]) => record(ctx, [c, a, b].map(isFintech))],
    [
      "of someone new at one, and calls with people of the others",
      (ctx) =>
        captureSignals(
          ctx,
          [`new@c.example`, "known@a.example", "known@b.example"].map((who) => callOf(who, late)),
        ),
    ],
  ])("%s", async (_, work) => {
    const home = await house();
    const { caller, id } = home.workspace;
    const companies: string[] = [];
    for (const domain of ["a.example", "b.example", "c.example"]) companies.push(await home.company(domain));
    for (const company of "abc")
      for (const who of ["known", "other"]) await home.call(`${who}@${company}.example`, early);
    const before = await deadlocks();
    const both: Promise<unknown>[] = [];
    await withWorkspace(id, async (db) => {
      await db.query(holdOne, [companies[0]]);
      both.push(withWorkspace(id, (own) => work({ ...caller, db: own }, companies as [string, string, string])));
      await waiting(1);
      const calls = ["other@b.example", "other@c.example"].map((who) => callOf(who, middle));
      const second = withWorkspace(id, (own) => captureSignals({ ...caller, db: own }, calls));
      both.push(second);
      await endedOrWaiting(second, 2);
    });
    await Promise.all(both);
    expect(await deadlocks()).toBe(before);
    await expectRight(home);
  });
});
