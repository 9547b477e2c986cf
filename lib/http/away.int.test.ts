/** The answers to each kind of caller while the database is away, and that everything recovers by itself. */
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { readiness } from "#lib/db/readiness.ts";
import { getBoot, setBoot } from "#lib/settings/boot.ts";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { useGate } from "#lib/testing/gate.fixture.ts";
import { connectProvider, RECORDER_SECRET, recorded } from "#lib/testing/inbound.fixture.ts";
import { ERROR, useLog } from "#lib/testing/log.fixture.ts";
import { administer } from "#lib/testing/postgres.ts";
import minimalSample from "#lib/testing/samples/fathom/webhook.minimal.json" with { type: "json" };
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { createFront } from "./front.ts";
import { PageServer } from "./page-server.ts";

const gate = useGate();
const server = useServer();
const logged = useLog();

let workspace: TestWorkspace;
let key: string;
let reader: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  setBoot({ ...getBoot(), env: { ...getBoot().env, SIGNUPS: "open" } });
  workspace = await createTestWorkspace();
  key = await workspace.key();
  await connectProvider(workspace.id, "fathom", { secret: RECORDER_SECRET });
  reader = await signedInBrowser(server.url());
});

const capture = (id: string) => ({
  email: "anna@acme.example",
  type: "email_received",
  source: "gmail",
  external_id: id,
});

type Call = () => Promise<Response>;
const byKey =
  (path: string, body?: unknown): Call =>
  () =>
    fetch(server.url() + path, {
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
const bySession =
  (path: () => string, body?: unknown): Call =>
  () =>
    fetch(server.url() + path(), {
      headers: { ...reader.headers(), "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });

const calls: [string, Call, number][] = [
  ["a read", byKey("/v2/workspace/facts"), 200],
  ["a write", byKey("/v2/workspace/facts", { section: "ICP", content: "Fintechs" }), 201],
  ["a capture", byKey("/api/v1/capture", capture("read")), 200],
  ["a batch", byKey("/api/v1/capture/batch", [capture("one"), capture("two")]), 200],
  ["context", byKey("/v2/context", { focus: "anna@acme.example" }), 200],
  ["the app's own read", bySession(() => `${reader.app}/members`), 200],
  ["the app's own write", bySession(() => `${reader.app}/v2/people`, { email: "ben@acme.example" }), 201],
  ["an operation of users", bySession(() => "/api/account/sessions"), 200],
  ["a live stream", bySession(() => `${reader.app}/live`), 200],
  ["an export", bySession(() => `${reader.app}/export`), 200],
  [
    "a provider's delivery",
    () => {
      const { body, headers } = recorded(minimalSample);
      return fetch(`${server.url()}/inbound/fathom/${workspace.id}`, { method: "POST", headers, body: body as string });
    },
    200,
  ],
];

async function expectAway(answer: Response): Promise<void> {
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("2");
  expect(await answer.json()).toMatchObject({ error: "not_ready", retry_after: 2, request_id: expect.any(String) });
}

describe("while nothing listens where the database was", () => {
  test.each(calls)("%s is 503 not_ready, and works again afterwards", async (_what, call, status) => {
    await gate.close();
    await expectAway(await call());
    await gate.open();
    const again = await call();
    expect(again.status).toBe(status);
    await again.body?.cancel();
    const alarms = logged.lines().filter(({ level }) => level >= ERROR);
    expect(alarms.length).toBeLessThan(2);
    for (const { msg } of alarms) expect(msg).toMatch(/^the database is away; requests are answered 503/);
  });

  test("readiness says so, and liveness does not change", async () => {
    await gate.close();
    expect(await (await fetch(`${server.url()}/readyz`)).json()).toMatchObject({ database: "unreachable" });
    expect((await fetch(`${server.url()}/healthz`)).status).toBe(200);
    await gate.open();
    await expect.poll(async () => (await fetch(`${server.url()}/readyz`)).status).toBe(200);
  });
});

test("a readiness check on a silent database is answered in seconds", async () => {
  gate.hush();
  const began = performance.now();
  expect(await readiness()).toEqual({ database: "unreachable", migrations: "unknown" });
  expect(performance.now() - began).toBeLessThan(30_000);
});

/** Makes requests wait for a lock, then ends their connections. */
async function cutWhileUnderWay(table: string, call: Call, end: () => Promise<unknown>): Promise<Response[]> {
  return administer(database.adminUrl, async (client) => {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const answers = Promise.all([call(), call(), call()]);
    const waiting = () =>
      inspect("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = $1::regclass", [table]).then(
        (rows) => rows.length,
      );
    await expect.poll(waiting).toBeGreaterThan(0);
    await end();
    await client.query("ROLLBACK");
    return answers;
  });
}

const endBackends = () =>
  inspect(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name IN ('rapport', 'rapport-worker') AND wait_event_type = 'Lock'`,
  );

describe("when the connection breaks under it", () => {
  test.each<[string, string, Call]>([
    ["a read", "claims", byKey("/v2/workspace/facts")],
    ["a write", "observations", byKey("/v2/workspace/facts", { section: "ICP", content: "Banks" })],
    ["a capture", "observations", byKey("/api/v1/capture", capture("cut"))],
    ["what goes through Prisma", "members", bySession(() => `${reader.app}/members`)],
  ])("%s is 503, whether the server ends it or the cable is cut", async (_what, table, call) => {
    for (const end of [endBackends, gate.close]) {
      const answers = await cutWhileUnderWay(table, call, end);
      const statuses = answers.map(({ status }) => status);
      expect(statuses).toContain(503);
      for (const answer of answers) {
        if (answer.status === 503) await expectAway(answer);
        else await answer.body?.cancel();
      }
      expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
      await gate.open();
      const again = await call();
      expect(again.ok).toBe(true);
      await again.body?.cancel();
    }
  });

  test("an open live stream stays, and gets an event that something may be missing", async () => {
    const stream = await bySession(() => `${reader.app}/live`)();
    const told = (stream.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    const until = async (word: string) => {
      while (!text.includes(word)) {
        const { done, value } = await told.read();
        if (done) throw new Error(`the stream ended: ${text}`);
        text += new TextDecoder().decode(value);
      }
      text = text.slice(text.indexOf(word) + word.length);
    };
    await until("event: missed");
    await gate.close();
    await until('"all":true');
    await gate.open();
    await until('"all":true');
    await told.cancel();
  });
});

test("a delivery that was cut off while being stored is there once when it is sent again", async () => {
  const { body, headers } = recorded({ ...minimalSample, id: "rec_cut" }, { id: "msg_cut" });
  const send = () =>
    fetch(`${server.url()}/inbound/fathom/${workspace.id}`, { method: "POST", headers, body: body as string });
  const [first] = await cutWhileUnderWay("observations", send, gate.close);
  expect([200, 503]).toContain(first?.status);
  await gate.open();
  expect((await send()).status).toBe(200);
  expect((await send()).status).toBe(200);
  expect(await inspect("SELECT count(*)::int FROM inbound_deliveries WHERE key = 'msg_cut'")).toEqual([{ count: 1 }]);
});

describe("a page", () => {
  /** Next's ways to answer a page that threw: in one piece, in several, with its own head. */
  const ways: [string, (response: ServerResponse) => unknown][] = [
    ["at once", (response) => response.end("<h1>500 secret</h1>")],
    [
      "piece by piece",
      (response) => {
        for (const piece of ["<h1>500 ", "secret"]) response.write(piece);
        response.end("</h1>");
      },
    ],
    ["with its own head", (response) => response.writeHead(500, { "Content-Type": "text/html" }).end("secret")],
    [
      "with its head first",
      (response) => {
        response.flushHeaders();
        response.end("secret");
      },
    ],
  ];
  async function pagesOf(
    answer: (response: ServerResponse) => unknown,
  ): Promise<{ url: string; drain(): Promise<void> }> {
    const pages = new PageServer();
    pages.serve(async (_request, response) => {
      const { database: state } = await readiness();
      response.statusCode = state === "ok" ? 200 : 500;
      response.setHeader("ETag", "made-by-next");
      if (state === "ok") response.end("the page");
      else answer(response);
    });
    const front = await createFront({ env: { ...getBoot().env, LOG_LEVEL: "trace" }, pages });
    await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
    return { url: `http://127.0.0.1:${(front.server.address() as AddressInfo).port}`, drain: () => front.drain() };
  }

  test.each(ways)("that Next fails %s is 503 in words for a reader and as JSON for a program", async (_way, answer) => {
    const pages = await pagesOf(answer);
    await gate.close();
    const page = await fetch(`${pages.url}/sign-in`, { headers: { accept: "text/html,*/*" } });
    expect([page.status, page.headers.get("retry-after"), page.headers.get("etag")]).toEqual([503, "2", null]);
    const text = await page.text();
    expect(text).toContain("Rapport cannot reach its database");
    expect(text).not.toContain("secret");
    await expectAway(await fetch(`${pages.url}/sign-in`, { headers: { rsc: "1" } }));
    await gate.open();
    await expect.poll(async () => (await fetch(`${pages.url}/sign-in`)).text()).toBe("the page");
    await pages.drain();
  });

  test("that fails for another reason stays 500", async () => {
    const pages = new PageServer();
    pages.serve(async (_request, response) => void response.writeHead(500).end("broken"));
    const front = await createFront({ env: { ...getBoot().env, LOG_LEVEL: "trace" }, pages });
    await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
    const page = await fetch(`http://127.0.0.1:${(front.server.address() as AddressInfo).port}/broken`);
    expect([page.status, await page.text()]).toEqual([500, "broken"]);
    await front.drain();
  });
});
