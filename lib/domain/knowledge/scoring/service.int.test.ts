import { describe, expect, test } from "vitest";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { administer } from "#lib/testing/postgres.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { queuePeopleOf, returnToQueue, takeQueued, writeScores } from "./queries.ts";
import { rescore, scoreSome } from "./service/rescore.ts";
import { rescoreAll } from "./service.ts";

const { call } = useServer();

const signals = [
  { key: "industry", label: "Fintech", weight: 8, rule: { feature: "industry", op: "in", value: ["fintech"] } },
  { key: "senior", label: "Decides", weight: 6, rule: { feature: "seniority", op: "in", value: ["c_level", "vp"] } },
  { key: "big", label: "50 employees or more", weight: 4, rule: { feature: "employee_count", op: ">=", value: 50 } },
  {
    key: "agency",
    label: "An agency",
    weight: -10,
    rule: { feature: "industry", op: "in", value: ["agencies"], disqualify: true },
  },
];

type Score = { score: number | null; history: Record<string, unknown>[]; to_reach: Record<string, unknown>[] } & Record<
  string,
  unknown
>;

async function inWorkspace() {
  const workspace = await createTestWorkspace({ listening: true });
  const key = await workspace.key();
  const send = (path: string, body?: unknown) => call(path, { key, ...(body === undefined ? {} : { body }) });
  return {
    workspace,
    send,
    build: async (given: unknown = signals, force = true) => {
      const answer = await send("/v2/workspace/scoring-model", { signals: given, force });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      await rescoreAll(workspace.id);
    },
    settle: () => rescoreAll(workspace.id),
    add: async (email: string, fields: object = {}) =>
      ((await send("/v2/people", { email, ...fields })).body.person as { id: string }).id,
    score: async (focus: string) => (await send(`/v2/accounts/${encodeURIComponent(focus)}/score`)).body as Score,
    row: async (focus: string) =>
      (await send(`/v2/people/${encodeURIComponent(focus)}`)).body.person as { icp_score: number | null },
  };
}

const events = ({ id }: TestWorkspace) =>
  inspect<{ entity_id: string; data: Record<string, unknown> }>(
    "SELECT entity_id, data FROM outbox WHERE workspace_id = $1 AND type = 'icp.changed' ORDER BY seq",
    [id],
  );

describe("a model", () => {
  test("is built once, and replaced with force; its versions are kept", async () => {
    const { send, build } = await inWorkspace();
    expect((await send("/v2/workspace/scoring-model")).body).toMatchObject({ model: null, builder: "rules" });
    expect(await send("/v2/workspace/scoring-model", {})).toMatchObject({
      status: 400,
      body: { error: "no_gtm_context" },
    });
    await send("/v2/workspace/facts", {
      section: "ICP",
      content: "Series A fintechs in the EU, 20 to 200 people, CFOs.",
    });
    const first = await send("/v2/workspace/scoring-model", {});
    expect(first).toMatchObject({ status: 201, body: { ok: true, version: 1, builder: "rules" } });
    expect(await send("/v2/workspace/scoring-model", {})).toMatchObject({
      status: 409,
      body: { error: "model_exists", signals: first.body.signals, message: expect.stringContaining("force") },
    });
    await build();
    expect((await send("/v2/workspace/scoring-model")).body).toMatchObject({
      model: { version: 2, builder: "given", signals },
    });
    const { versions } = (await send("/v2/workspace/scoring-model/versions")).body as { versions: object[] };
    expect(versions).toMatchObject([{ version: 2 }, { version: 1, signals: first.body.signals }]);
  });

  test("that is not valid is refused precisely, before anything is written", async () => {
    const { send } = await inWorkspace();
    const wrong = [{ ...signals[0], rule: { feature: "Shoe size", op: "in", value: ["x"] } }];
    expect(await send("/v2/workspace/scoring-model", { signals: wrong })).toMatchObject({
      status: 400,
      body: { error: "invalid_parameter", message: expect.stringMatching(/signals.*feature.*job_title/) },
    });
    expect((await send("/v2/workspace/scoring-model")).body).toMatchObject({ model: null });
  });

  test("needs no plan, and a key that may write", async () => {
    const workspace = await createTestWorkspace({ plan: "free" });
    const body = { signals };
    const path = "/v2/workspace/scoring-model";
    expect(await call(path, { key: await workspace.key(["read"]), body })).toMatchObject({
      status: 403,
      body: { error: "insufficient_scope", required_scope: "write" },
    });
    expect((await call(path, { key: await workspace.key(["write"]), body })).status).toBe(201);
  });

  test("saved by two at once gets two versions", async () => {
    const { send } = await inWorkspace();
    const answers = await Promise.all([1, 2].map(() => send("/v2/workspace/scoring-model", { signals, force: true })));
    expect(answers.map(({ body }) => body.version).sort()).toEqual([1, 2]);
  });

  test("a profile that names nothing it can read is told so", async () => {
    const { send } = await inWorkspace();
    await send("/v2/workspace/facts", { section: "ICP", content: "Nice folks." });
    expect(await send("/v2/workspace/scoring-model", {})).toMatchObject({
      status: 400,
      body: { error: "no_gtm_context", message: expect.stringContaining("names no titles") },
    });
  });
});

describe("scores", () => {
  test("follow the model and the evidence, with what moved them", async () => {
    const { workspace, send, build, settle, add, score, row } = await inWorkspace();
    const id = await add("anna@acme.com", { job_title: "Analyst" });
    await build();
    expect(await row("anna@acme.com")).toMatchObject({ icp_score: 50 });
    await send("/v2/people", { email: "anna@acme.com", job_title: "CFO" });
    await settle();
    expect(await row("anna@acme.com")).toMatchObject({ icp_score: 68 });
    await send("/v2/companies", { domain: "acme.com", industry: "Financial Technology", employee_count: 120 });
    await settle();
    const told = await score("anna@acme.com");
    expect(told).toMatchObject({ entity_id: id, score: 90, tier: "tier_1", fit: true, model_version: 1, to_reach: [] });
    expect(told.history).toMatchObject([
      {
        score: 90,
        previous: 68,
        cause: "evidence",
        moved: [
          { key: "industry", points: 8 },
          { key: "big", points: 4 },
        ],
      },
      { score: 68, previous: 50, cause: "evidence", evidence: { property: "job_title", value: "CFO" } },
      { score: 50, previous: null, cause: "model", evidence: null },
    ]);
    const { icp } = (await send("/v2/accounts/anna@acme.com")).body as { icp: object };
    expect(icp).toMatchObject({
      score: 90,
      tier: "tier_1",
      fit: true,
      reason: "For: Fintech, Decides, 50 employees or more.",
    });
    expect(icp).toHaveProperty("contributions.0", {
      ...{
        key: "industry",
        label: "Fintech",
        feature: "industry",
        weight: 8,
        points: 8,
        met: true,
        disqualifies: false,
      },
      found: ["financial technology", "fintech"],
    });
    expect((await send("/v2/context", { focus: "anna@acme.com" })).body.icp).toEqual({
      ...{ score: 90, tier: "tier_1", fit: true, reason: "For: Fintech, Decides, 50 employees or more." },
    });
    expect((await events(workspace)).filter(({ entity_id }) => entity_id === id).map(({ data }) => data)).toEqual([
      {
        previous: null,
        value: { score: 50, tier: "tier_3", reason: expect.any(String) },
        caused_by: null,
      },
      {
        previous: { score: 50, tier: "tier_3" },
        value: { score: 68, tier: "tier_3", reason: "For: Decides." },
        caused_by: expect.any(String),
      },
      expect.objectContaining({ previous: { score: 68, tier: "tier_3" } }),
    ]);
    expect((await send("/v2/workspace/status")).body.setup).toMatchObject({
      gtm_playbook: { model: { version: 1, signals: 4 } },
    });
  });

  test("sort and filter the lists", async () => {
    const { send, build, add } = await inWorkspace();
    await add("low@acme.com", { job_title: "Analyst" });
    await add("high@acme.com", { job_title: "CEO" });
    await add("none@gmail.com");
    await build();
    const emails = async (query: string) =>
      ((await send(`/v2/people?${query}`)).body.people as { email: string }[]).map(({ email }) => email);
    expect(await emails("sort=icp_score_desc")).toEqual(["high@acme.com", "low@acme.com", "none@gmail.com"]);
    expect(await emails("min_icp_score=60")).toEqual(["high@acme.com"]);
  });

  test("that a source reported show until there is a model, and never again", async () => {
    const { send, build, row } = await inWorkspace();
    const observations = [{ kind: "state", property: "icp_score", value: 91 }];
    await send("/v2/observations", { focus: "anna@acme.com", observations });
    expect(await row("anna@acme.com")).toMatchObject({ icp_score: 91 });
    await build([signals[1]]);
    expect(await row("anna@acme.com")).toMatchObject({ icp_score: null });
    await send("/v2/observations", { focus: "anna@acme.com", observations: [{ ...observations[0], value: 92 }] });
    expect(await row("anna@acme.com")).toMatchObject({ icp_score: null });
    expect((await send("/v2/accounts/anna@acme.com")).body.icp).toBeUndefined();
  });

  test("say what would make them 70", async () => {
    const { build, add, score } = await inWorkspace();
    await add("anna@acme.com", { job_title: "CFO", company_size: "10" });
    await build();
    expect(await score("anna@acme.com")).toMatchObject({
      score: 68,
      to_reach: [
        {
          target: 70,
          tier: "tier_2",
          score: 85,
          changes: [{ feature: "industry", from: "not known", to: "fintech", known: false }],
        },
      ],
    });
    await add("bob@acme.com", { job_title: "Clerk", industry: "Agency" });
    expect(await score("bob@acme.com")).toMatchObject({
      reason: "Ruled out: An agency.",
      to_reach: [{ target: 50 }, { target: 70, changes: [{ feature: "industry", to: "fintech", known: true }] }],
    });
  });

  test("at a time in the past are those of that time", async () => {
    const { send, build, settle, add } = await inWorkspace();
    await add("anna@acme.com", { job_title: "Analyst" });
    await build();
    const then = new Date().toISOString();
    await send("/v2/people", { email: "anna@acme.com", job_title: "CFO" });
    await settle();
    expect((await send(`/v2/accounts/anna@acme.com?known_at=${then}`)).body.icp).toEqual({
      score: 50,
      tier: "tier_3",
      fit: false,
    });
  });

  test("of sample data are given, and told no one", async () => {
    const { workspace, build, send, settle } = await inWorkspace();
    await build();
    await send("/v2/observations", {
      focus: "anna@acme.com",
      observations: [
        { kind: "state", property: "source", value: "sample" },
        { kind: "state", property: "job_title", value: "CFO" },
      ],
    });
    await settle();
    expect((await send("/v2/people/anna@acme.com")).body.person).toMatchObject({ icp_score: 68, source: "sample" });
    expect(await events(workspace)).toEqual([]);
  });

  test("stay in their workspace", async () => {
    const [mine, theirs] = [await inWorkspace(), await inWorkspace()];
    await mine.add("anna@acme.com", { job_title: "CFO" });
    await theirs.add("anna@acme.com", { job_title: "CFO" });
    await mine.build();
    expect(await mine.row("anna@acme.com")).toMatchObject({ icp_score: 68 });
    expect(await theirs.row("anna@acme.com")).toMatchObject({ icp_score: null });
    expect(await theirs.score("anna@acme.com")).toMatchObject({ model_version: null, score: null, history: [] });
    expect((await inspect("SELECT 1 FROM score_queue WHERE workspace_id = $1", [theirs.workspace.id])).length).toBe(0);
  });
});

describe("the job", () => {
  const people = async (count: number) => {
    const all = await inWorkspace();
    const rows = Array.from({ length: count }, (_, n) => ({
      email: `p${n}@acme.com`,
      job_title: n % 2 ? "CFO" : "Clerk",
    }));
    await all.send("/v2/people/bulk", { people: rows });
    return all;
  };
  const scores = async ({ id }: TestWorkspace) =>
    (
      await inspect<{ score: number; n: number }>(
        "SELECT icp_score AS score, count(*)::int AS n FROM people WHERE workspace_id = $1 GROUP BY 1 ORDER BY 1",
        [id],
      )
    ).map(({ score, n }) => [score, n]);
  const changes = async ({ id }: TestWorkspace) =>
    (await inspect<{ n: number }>("SELECT count(*)::int AS n FROM score_changes WHERE workspace_id = $1", [id]))[0]?.n;

  test("killed between batches goes on where it was, and scores everyone once", async () => {
    const { workspace, send } = await people(25);
    await send("/v2/workspace/scoring-model", { signals });
    for (let step = 0; step < 4; step++) await scoreSome(workspace.id, 5);
    expect((await scores(workspace)).length).toBeGreaterThan(1);
    await rescoreAll(workspace.id);
    expect(await scores(workspace)).toEqual([
      [50, 13],
      [68, 12],
    ]);
    expect(await changes(workspace)).toBe(25);
    expect((await send("/v2/workspace/scoring-model")).body.model).toMatchObject({ scored: 26, changed: 25 });
  });

  test("may run twice, and at the same time", async () => {
    const { workspace, build } = await people(25);
    await build();
    await Promise.all([rescoreAll(workspace.id), rescoreAll(workspace.id)]);
    expect(await changes(workspace)).toBe(25);
  });

  test("that stops queues the rest", async () => {
    const { workspace, send } = await people(5);
    await send("/v2/workspace/scoring-model", { signals });
    await inspect("DELETE FROM graphile_worker._private_jobs");
    await rescore.run({ caller: workspace.caller, attempt: 1, last: false, signal: AbortSignal.abort() }, {});
    expect(
      await inspect("SELECT 1 FROM graphile_worker._private_jobs WHERE key = $1", [`${workspace.id}:scoring:rescore`]),
    ).toHaveLength(1);
  });

  test("leaves a row that someone else is writing for later, and loses no evidence that comes meanwhile", async () => {
    const { workspace, send, build, add, settle, row } = await inWorkspace();
    const id = await add("anna@acme.com", { job_title: "Clerk" });
    await build();
    await send("/v2/people", { email: "anna@acme.com", job_title: "CFO" });
    const [taken, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = withWorkspace(workspace.id, async (db) => {
      await db.prisma
        .$queryRaw`SELECT 1 FROM people WHERE workspace_id = ${workspace.id}::uuid AND id = ${id}::uuid FOR UPDATE`;
      taken.resolve();
      await free.promise;
    });
    await taken.promise;
    let left = await scoreSome(workspace.id);
    while (left === "more") left = await scoreSome(workspace.id);
    expect(left).toEqual({ waitMs: 300 });
    expect(await row("anna@acme.com")).toMatchObject({ icp_score: 50 });
    free.resolve();
    await held;
    await Promise.all([settle(), send("/v2/people", { email: "anna@acme.com", job_title: "Clerk" })]);
    await settle();
    expect(await row("anna@acme.com")).toMatchObject({ icp_score: 50 });
  });

  test("is queued by evidence in a workspace with a model, and by nothing in one without", async () => {
    const [mine, theirs] = [await inWorkspace(), await inWorkspace()];
    await mine.build();
    for (const { add } of [mine, theirs]) await add("anna@acme.com", { job_title: "CFO" });
    const queued = async ({ workspace: { id } }: typeof mine) =>
      (await inspect("SELECT 1 FROM score_queue WHERE workspace_id = $1", [id])).length;
    expect(await queued(mine)).toBeGreaterThan(0);
    expect(await queued(theirs)).toBe(0);
    await mine.settle();
    await mine.send("/api/v1/capture", { email: "anna@acme.com", type: "email_sent" });
    expect(await queued(mine)).toBe(0);
  });
});

describe("records", () => {
  test("that are merged keep the score of what they became, and get theirs back", async () => {
    const { workspace, send, build, settle, add, row, score } = await inWorkspace();
    await add("anna@acme.com", { job_title: "Clerk" });
    await add("a.smith@acme.com", { job_title: "CFO" });
    await build();
    const merged = await send("/v2/accounts/merge", { keep: "anna@acme.com", drop: "a.smith@acme.com" });
    await settle();
    expect(await row("a.smith@acme.com")).toMatchObject({ icp_score: 68 });
    await send("/v2/accounts/unmerge", { merge_id: merged.body.merge_id });
    await settle();
    expect(await row("anna@acme.com")).toMatchObject({ icp_score: 50 });
    expect(await row("a.smith@acme.com")).toMatchObject({ icp_score: 68 });
    expect((await score("a.smith@acme.com")).history).toHaveLength(1);
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
  });

  test("that are erased leave no score behind", async () => {
    const { workspace, send, build, add } = await inWorkspace();
    const id = await add("anna@acme.com", { job_title: "CFO" });
    await build();
    expect((await send("/v2/accounts/erase", { focus: "anna@acme.com" })).status).toBeLessThan(300);
    expect(
      await inspect("SELECT 1 FROM score_changes WHERE workspace_id = $1 AND entity_id = $2", [workspace.id, id]),
    ).toEqual([]);
  });

  test("are rebuilt to the same scores, and a score that was tampered with is put right", async () => {
    const { workspace, send, build, settle, add, row } = await inWorkspace();
    const id = await add("anna@acme.com", { job_title: "CFO" });
    await build();
    await send("/v2/people", { email: "anna@acme.com", job_title: "Clerk" });
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
    await settle();
    expect(await row("anna@acme.com")).toMatchObject({ icp_score: 50 });
    await inspect("UPDATE people SET icp_score = 99 WHERE workspace_id = $1 AND id = $2", [workspace.id, id]);
    expect(await rebuildWorkspace(workspace.caller)).toMatchObject({
      different: 1,
      differences: [{ projection: "person" }],
    });
    expect(await row("anna@acme.com")).toMatchObject({ icp_score: 50 });
  });
});

test("a preview says who would move, and writes nothing", async () => {
  const { workspace, send, build, add, row } = await inWorkspace();
  await add("anna@acme.com", { first_name: "Anna", job_title: "CFO" });
  await add("bob@acme.com", { job_title: "Clerk" });
  await build();
  const before = await inspect("SELECT count(*) FROM score_changes WHERE workspace_id = $1", [workspace.id]);
  const { status, body } = await send("/v2/workspace/scoring-model/preview", {
    signals: [{ ...signals[1], weight: 10 }],
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    ...{ examined: 2, sampled: false, would_move: 1, up: 1, down: 0 },
    signals: [{ key: "senior", met: 1, known: 2 }],
    movers: [
      {
        name: "Anna",
        before: { score: 68, tier: "tier_3" },
        after: { score: 78, tier: "tier_2" },
        reason: "For: Decides.",
      },
    ],
  });
  expect(body.by_tier).toContainEqual({ tier: "tier_2", before: 0, after: 1 });
  expect(body.distribution).toContainEqual({ from: 70, to: 79, before: 0, after: 1 });
  expect(await inspect("SELECT count(*) FROM score_changes WHERE workspace_id = $1", [workspace.id])).toEqual(before);
  expect(await row("anna@acme.com")).toMatchObject({ icp_score: 68 });
});

describe("beside the erasing of a person", () => {
  /** A person at a company, both in the queue, while another transaction deletes the person; `work` is a job's. */
  async function whileDeleting(work: (db: Db, ids: { person: string; company: string }) => Promise<unknown>) {
    const { workspace, add, build } = await inWorkspace();
    await build();
    const person = await add("anna@acme.example", { job_title: "CFO" });
    const [row] = await inspect<{ company: string }>("SELECT company_id AS company FROM people WHERE id = $1", [
      person,
    ]);
    const ids = { person, company: String(row?.company) };
    await inspect("DELETE FROM score_queue WHERE workspace_id = $1", [workspace.id]);
    await inspect("INSERT INTO score_queue (workspace_id, entity_id) SELECT $1, unnest($2::uuid[])", [
      workspace.id,
      Object.values(ids),
    ]);
    await administer(database.adminUrl, async (deleting) => {
      await deleting.query("BEGIN");
      await deleting.query("SELECT FROM entities WHERE id = $1 FOR UPDATE", [person]);
      await withWorkspace(workspace.id, async (db) => {
        await db.query(sql("", "SET LOCAL lock_timeout = '500ms'"));
        await work(db, ids);
        // What cascades to it waits for nothing.
        for (const table of ["score_queue", "people"])
          await deleting.query(
            `SELECT FROM ${table} WHERE ${table === "people" ? "id" : "entity_id"} = $1 FOR UPDATE NOWAIT`,
            [person],
          );
      });
      await deleting.query("ROLLBACK");
    });
    return ids;
  }

  test("their place in the queue is left alone", async () => {
    let taken: string[] = [];
    const { company } = await whileDeleting(async (db) => {
      taken = await takeQueued(db, 10);
    });
    expect(taken).toEqual([company]);
  });

  test("they are not queued for their company, or again, or scored", async () => {
    await whileDeleting(async (db, { person, company }) => {
      await queuePeopleOf(db, [company]);
      await returnToQueue(db, [person]);
      expect(await writeScores(db, "person", new Date(), [{ id: person, score: 7 }])).toEqual(new Set());
    });
  });
});
