/**
 * Erasing someone while others write about them: every call is answered, none fails through a fault of ours, and there
 * is no deadlock.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { lock, tryLock } from "#lib/db/locks.ts";
import { sql } from "#lib/db/statement.ts";
import { withErasure, withWorkspace } from "#lib/db/transaction.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { deleteEntities } from "#lib/domain/records/entities/service.ts";
import { loadSampleData, removeSampleData } from "#lib/domain/workspace/sample-data/service.ts";
import { CHECKED_TABLES, insertAbout } from "#lib/testing/about.fixture.ts";
import { createStage } from "#lib/testing/conformance/stage.ts";
import { headersOf } from "#lib/testing/conformance/surface.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { connectProvider, recorded } from "#lib/testing/inbound.fixture.ts";
import { useLog } from "#lib/testing/log.fixture.ts";
import { watchConnections } from "#lib/testing/pool.fixture.ts";
import fathomSample from "#lib/testing/samples/fathom/webhook.minimal.json" with { type: "json" };
import { useServer } from "#lib/testing/server.fixture.ts";
import { deadlocks, waiting } from "#lib/testing/waits.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { erasePerson } from "./service.ts";

beforeAll(() => bootWith({ RATE_LIMIT_PER_MINUTE: "0", DATABASE_POOL_SIZE: "10" }));
const { call, url } = useServer();
const log = useLog();
const connections = watchConnections();

type Call = [method: string, path: string, body: object];
type CallAnswer = { what: string; status: number; error: unknown };

/** Sends everything at once. */
async function together(key: string, calls: readonly Call[]): Promise<CallAnswer[]> {
  return Promise.all(
    calls.map(async ([method, path, body]) => {
      const { status, body: answer } = await call(path, { key, method, ...(method === "GET" ? {} : { body }) });
      return { what: `${method} ${path} ${JSON.stringify(body)}`, status, error: answer.error };
    }),
  );
}

const emailOf = (round: number, name: string) => `${name}${round}@acme.com`;

async function person(key: string, email: string): Promise<string> {
  const { body } = await call("/v2/people", { key, body: { email, first_name: "Anna" } });
  return (body.person as { id: string }).id;
}

const faults = (answers: readonly CallAnswer[]) => answers.filter(({ status }) => status >= 500);
const known = [200, 201, 404];

const ROUNDS = 12;

describe("while a person is erased", () => {
  test("any other write about them, and about their colleagues, is answered", async () => {
    const workspace = await createTestWorkspace();
    const key = await workspace.key();
    const before = await deadlocks();
    const answers: CallAnswer[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b] = [emailOf(round, "anna"), emailOf(round, "ben")];
      const [anna, ben] = [await person(key, a), await person(key, b)];
      const visit = { kind: "event", property: "interaction.website_visit", value: {} };
      const title = { kind: "state", property: "job_title", value: `Title ${round}` };
      const erase: Call = ["POST", "/v2/accounts/erase", { focus: anna }];
      const others: Call[] = [
        ["PATCH", `/v2/people/${anna}`, { status: "archived", job_title: "CEO" }],
        ["PATCH", `/v2/people/${anna}`, { email: null }],
        ["PATCH", `/v2/people/${ben}`, { status: "archived" }],
        ["POST", "/v2/people", { email: a, last_name: "Smith", status: "active" }],
        [
          "POST",
          "/v2/people/bulk",
          {
            people: [
              { email: b, last_name: "B" },
              { email: a, last_name: "A" },
            ],
          },
        ],
        ["POST", "/v2/observations", { focus: anna, observations: [visit, title] }],
        ["POST", "/v2/observations", { focus: a, observations: [visit] }],
        ["POST", "/api/v1/capture", { contact_id: anna, type: "call" }],
        ["POST", "/api/v1/capture", { email: a, type: "call" }],
        ["POST", "/v2/notes", { focus: anna, content: `A note of round ${round}.` }],
        ["PATCH", "/v2/companies/acme.com", { industry: `Payments ${round}` }],
        ["POST", "/v2/accounts/erase", { focus: anna }],
        ["POST", "/v2/accounts/erase", { focus: ben }],
      ];
      const at = round % others.length; // each goes first sometimes
      answers.push(...(await together(key, [...others.slice(at), erase, ...others.slice(0, at)])));
    }
    expect(faults(answers)).toEqual([]);
    expect(answers.filter(({ status }) => !known.includes(status))).toEqual([]);
    expect(await deadlocks()).toBe(before);
    expect(connections.destroyed()).toBe(0);
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
  });

  test("merging them, and undoing it, finds them or not", async () => {
    const workspace = await createTestWorkspace();
    const key = await workspace.key();
    const before = await deadlocks();
    const answers: CallAnswer[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [anna, ben, cleo] = [
        await person(key, emailOf(round, "anna")),
        await person(key, emailOf(round, "ben")),
        await person(key, emailOf(round, "cleo")),
      ];
      const merged = await call("/v2/accounts/merge", { key, body: { keep: anna, drop: cleo } });
      const calls: Call[] = [
        ["POST", "/v2/accounts/merge", { keep: anna, drop: ben }],
        ["POST", "/v2/accounts/merge", { keep: ben, drop: anna }],
        ["POST", "/v2/accounts/merge", { keep: anna, drop: ben, dry_run: true }],
        ["POST", "/v2/accounts/unmerge", { merge_id: merged.body.merge_id }],
        ["POST", "/v2/accounts/erase", { focus: round % 2 === 0 ? anna : cleo }],
        ["PATCH", `/v2/people/${anna}`, { email: null, status: "archived" }],
        ["GET", "/v2/accounts/duplicates", {}],
      ];
      const at = round % calls.length;
      answers.push(...(await together(key, [...calls.slice(at), ...calls.slice(0, at)])));
    }
    expect(faults(answers)).toEqual([]);
    expect(answers.filter(({ status }) => ![...known, 409, 400].includes(status))).toEqual([]);
    expect(await deadlocks()).toBe(before);
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
  });

  test("a delivery that names them is recorded again before or after, not in between", async () => {
    const workspace = await createTestWorkspace();
    const key = await workspace.key();
    await connectProvider(workspace.id, "fathom");
    const before = await deadlocks();
    const answers: CallAnswer[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const email = emailOf(round, "jane");
      const anna = await person(key, email);
      const sample = { ...fathomSample, recording_id: 1_000 + round, calendar_invitees: [{ name: "Jane", email }] };
      const { body, headers } = recorded(sample);
      await call(`/inbound/fathom/${workspace.id}`, { raw: body, headers });
      const [delivery] = await inspect<{ id: string }>(
        "SELECT id FROM inbound_deliveries WHERE workspace_id = $1 ORDER BY received_at DESC, id DESC LIMIT 1",
        [workspace.id],
      );
      const replay: Call = ["POST", `/v2/workspace/inbound-deliveries/${delivery?.id}/replay`, {}];
      const erase: Call = ["POST", "/v2/accounts/erase", { focus: anna }];
      answers.push(...(await together(key, round % 2 === 0 ? [replay, erase, replay] : [erase, replay, replay])));
    }
    expect(answers.filter(({ status }) => !known.includes(status))).toEqual([]);
    expect(await deadlocks()).toBe(before);
  });
});

test("captures go on while the same person is erased again and again", async () => {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const before = await deadlocks();
  const CAPTURES = 400;
  const answers: CallAnswer[] = [];
  let number = 0;
  const capturing = Array.from({ length: 6 }, async () => {
    while (number < CAPTURES) {
      const body = { email: "anna@race.example", type: "call", source: "s", external_id: String(number++) };
      answers.push(...(await together(key, [["POST", "/api/v1/capture", body]])));
    }
  });
  const erasing = async () => {
    for (; number < CAPTURES; await sleep(5))
      answers.push(...(await together(key, [["POST", "/v2/accounts/erase", { focus: "anna@race.example" }]])));
  };
  await Promise.all([...capturing, erasing()]);
  expect(answers.filter(({ status }) => !known.includes(status))).toEqual([]);
  expect(await deadlocks()).toBe(before);
  expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
});

describe.each(CHECKED_TABLES)("what is written to %s about a person who is erased meanwhile", (table) => {
  const find = sql("", "SELECT id FROM entities WHERE workspace_id = $workspace AND id = $1");
  const insert = (db: Db, id: string) => db.query(insertAbout(table), [[id]]);
  async function setUp() {
    const { id, caller, key } = await createTestWorkspace();
    const anna = await person(await key(), "anna@acme.com");
    /** Writes if Anna is there; `between` runs after the look-up. Resolves with what each attempt found. */
    const write = async (between?: (attempt: number) => unknown): Promise<boolean[]> => {
      const found: boolean[] = [];
      await withWorkspace(id, async (db) => {
        found.push((await db.query(find, [anna])).length > 0);
        await between?.(found.length);
        if (found.at(-1)) await insert(db, anna);
      });
      return found;
    };
    const remaining = () =>
      inspect(`SELECT FROM ${table} WHERE workspace_id = $1 AND entity_id = $2`, [id, anna]).then(
        (rows) => rows.length,
      );
    return { id, caller, anna, write, remaining };
  }

  test("is not kept when the erasure ends between the look-up and the write, which is tried again", async () => {
    const { caller, anna, write, remaining } = await setUp();
    const found = await write((attempt) => attempt === 1 && erasePerson.execute(caller, { focus: anna }));
    expect(found).toEqual([true, false]);
    expect(await remaining()).toBe(0);
  });

  test("waits for an erasure that has begun, and other tenants do not", async () => {
    const { id, anna, write, remaining } = await setUp();
    const other = await setUp();
    let writing: Promise<boolean[]> = Promise.resolve([]);
    await withErasure(id, async (db) => {
      await deleteEntities(db, [anna]);
      writing = write();
      await waiting();
      expect(await other.write()).toEqual([true]);
    });
    expect(await writing).toEqual([true, false]);
    expect(await remaining()).toBe(0);
    expect(await other.remaining()).toBeGreaterThan(0);
  });

  test("is erased too when it was written first", async () => {
    const { id, anna, remaining } = await setUp();
    let erasing: Promise<void> = Promise.resolve();
    await withWorkspace(id, async (db) => {
      await insert(db, anna);
      erasing = withErasure(id, (erasure) => deleteEntities(erasure, [anna]));
      await waiting();
    });
    await erasing;
    expect(await remaining()).toBe(0);
  });
});

test("any call made while its workspace is deleted finds it or gets an error that says it is gone", async () => {
  for (let round = 0; round < 4; round++) {
    const stage = await createStage();
    const [key, { cookie }] = [await stage.key(), await stage.person("owner")];
    const anna = await person(key, "anna@acme.com");
    const headers = headersOf({ cookie, workspace: stage.id }, url());
    const remove = () => call(`/api/app/${stage.id}/workspace/delete`, { headers, body: { confirm: "Test" } });
    const writing = () =>
      together(key, [
        ["POST", "/v2/people", { email: `${newId()}@acme.com` }],
        [
          "POST",
          "/v2/observations",
          { focus: "bo@other.com", observations: [{ kind: "event", property: "seen", value: 1 }] },
        ],
        ["POST", "/api/v1/capture", { contact_id: anna, type: "call" }],
        ["POST", "/v2/notes", { focus: anna, content: "A note." }],
        ["POST", "/v2/workspace/facts", { section: "ICP", content: "Fintechs" }],
        ["PATCH", `/v2/people/${anna}`, { status: "archived", job_title: "CEO" }],
        ["GET", "/v2/people", {}],
      ]);
    const [first, one, two, other, three] = await Promise.all([writing(), remove(), writing(), remove(), writing()]);
    const removed = [one, other].map(({ status, body }) => [status, body.error ?? null]);
    expect(removed).toContainEqual([200, null]);
    expect([
      [200, null],
      [404, "not_found"],
    ]).toContainEqual(removed.find(([status]) => status !== 200) ?? [200, null]);
    const answers = [...first, ...two, ...three];
    expect(answers.filter(({ status, error }) => !(known.includes(status) || error === "unauthorized"))).toEqual([]);
    expect(Object.values(await stage.rows()).reduce((sum, rows) => sum + rows, 0)).toBe(0);
  }
});

test("the sample data is removed while someone works with it", async () => {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const before = await deadlocks();
  await loadSampleData.execute(workspace.caller, {});
  const people = await inspect<{ id: string }>(
    "SELECT id FROM people WHERE workspace_id = $1 ORDER BY id DESC LIMIT 20",
    [workspace.id],
  );
  const { company_id } = (
    await inspect<{ company_id: string }>(
      "SELECT company_id FROM people WHERE workspace_id = $1 AND company_id IS NOT NULL LIMIT 1",
      [workspace.id],
    )
  )[0] as { company_id: string };
  const [company] = await inspect<{ domain: string }>("SELECT domain FROM companies WHERE id = $1", [company_id]);
  const own = await person(key, `own@${company?.domain}`); // works at a company of the sample
  const removing = removeSampleData.execute(workspace.caller, {});
  const answers = await together(
    key,
    [...people, { id: own }].flatMap(({ id }): Call[] => [
      ["POST", "/api/v1/capture", { contact_id: id, type: "call" }],
      ["PATCH", `/v2/people/${id}`, { status: "archived", job_title: newId() }],
    ]),
  );
  await removing;
  expect(answers.filter(({ status }) => !known.includes(status))).toEqual([]);
  expect(await deadlocks()).toBe(before);
  expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
});

test("erasing someone waits while messages are stored, and is not begun again", async () => {
  const { id, key: keyOf } = await createTestWorkspace();
  const key = await keyOf();
  const anna = await person(key, "anna@acme.com");
  let erasing: Promise<{ status: number }> | undefined;
  const isFree = await withWorkspace(id, async (db) => {
    await lock(db, "mail");
    erasing = call("/v2/accounts/erase", { key, body: { focus: anna } });
    await waiting();
    return tryLock(db, "entity", anna);
  });
  expect({ isFree, status: (await erasing)?.status }).toEqual({ isFree: true, status: 200 });
  expect(log.text()).not.toContain("begins again");
});
