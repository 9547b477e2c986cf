/** The server at the level of connections: what a load balancer, a slow client and a restart see. */
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { getPool } from "#lib/db/pool.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { ERROR, useLog } from "#lib/testing/log.fixture.ts";
import { administer } from "#lib/testing/postgres.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { openWire, requestText } from "#lib/testing/socket.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { createFront } from "./front.ts";
import { PageServer } from "./page-server.ts";

const server = useServer();
const logged = useLog();
const FACTS = "/v2/workspace/facts";
const content = "a sentence nobody else writes";
const fact = JSON.stringify({ section: "ICP", content });

let key: string;
let auth: Record<string, string>;
beforeEach(async () => {
  key = await (await createTestWorkspace()).key();
  auth = { authorization: `Bearer ${key}`, "content-type": "application/json" };
});

const errors = () => logged.lines().filter(({ level }) => level >= ERROR);
const busyConnections = async () => {
  const pool = await getPool();
  return pool.totalCount - pool.idleCount;
};

describe("a connection", () => {
  test("serves one request after another", async () => {
    const wire = openWire(server.url());
    for (const id of ["a", "b", "c"]) {
      wire.write(requestText(`GET ${FACTS}`, { ...auth, "x-request-id": id }));
      await wire.until(new RegExp(`x-request-id: ${id}[\\s\\S]*by_category`, "i"));
    }
    wire.destroy();
  });

  test("answers pipelined requests in their order, bodies between them included", async () => {
    const wire = openWire(server.url());
    wire.write(
      [
        requestText(`POST ${FACTS}`, { ...auth, "x-request-id": "first" }, fact),
        requestText(`GET ${FACTS}`, { ...auth, "x-request-id": "second" }),
        requestText("GET /healthz", { "x-request-id": "third" }),
        requestText(`POST ${FACTS}`, { ...auth, "x-request-id": "fourth" }, "{}"),
        requestText("GET /no/such/page", { connection: "close" }),
      ].join(""),
    );
    const received = await wire.closed;
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(
      ["201", "200", "200", "400", "200"].map((status) => `HTTP/1.1 ${status}`),
    );
    const ids = [...received.matchAll(/x-request-id: (\w+)/gi)].map(([, id]) => id);
    expect(ids.filter((id) => ["first", "second", "third", "fourth"].includes(id ?? ""))).toEqual([
      "first",
      "second",
      "third",
      "fourth",
    ]);
  });

  test("may send its body slowly", async () => {
    const wire = openWire(server.url());
    const request = requestText(`POST ${FACTS}`, auth, fact);
    for (let at = 0; at < request.length; at += 60) {
      wire.write(request.slice(at, at + 60));
      await sleep(10);
    }
    expect(await wire.until(/"section":"ICP"/)).toMatch(/^HTTP\/1\.1 201/);
    wire.destroy();
  });

  test("that closes in the middle of its body leaves nothing behind and logs no error", async () => {
    const head = requestText(`POST ${FACTS}`, {
      ...auth,
      expect: "100-continue",
      "content-length": String(fact.length),
    });
    const wires = Array.from({ length: 25 }, () => openWire(server.url()));
    for (const wire of wires) wire.write(head);
    for (const wire of wires) {
      await wire.until(/100 Continue/); // the server waits for the body now
      wire.write(fact.slice(0, 20));
    }
    await sleep(50);
    for (const wire of wires) wire.destroy();
    const requests = () => logged.lines().filter(({ msg }) => msg === "request");
    await expect.poll(() => requests().length).toBe(25);
    expect(errors()).toEqual([]);
    expect(requests().every(({ status }) => status === 499)).toBe(true);
    await expect.poll(busyConnections).toBe(0);
    const { body } = await server.call(FACTS, { key });
    expect(body).toMatchObject({ count: 0 });
  });

  test("that closes while its request runs lets the work finish and give its connection back", async () => {
    const wires = Array.from({ length: 25 }, () => openWire(server.url()));
    for (const wire of wires) {
      wire.write(requestText(`POST ${FACTS}`, auth, fact));
      wire.socket.once("connect", () => setTimeout(wire.destroy, 5));
    }
    await Promise.all(wires.map(({ closed }) => closed));
    await expect.poll(busyConnections).toBe(0);
    expect(errors()).toEqual([]);
    expect((await server.call(FACTS, { key })).status).toBe(200);
  });

  test("may name the whole URL in its request line, as proxies do", async () => {
    const wire = openWire(server.url());
    wire.write(requestText(`GET http://rapport.example${FACTS}?limit=1`, { ...auth, connection: "close" }));
    expect(await wire.closed).toMatch(/^HTTP\/1\.1 200[\s\S]*by_category/);
  });

  test("that sends Expect: 100-continue is told to continue", async () => {
    const wire = openWire(server.url());
    wire.write(
      requestText(`POST ${FACTS}`, { ...auth, expect: "100-continue", "content-length": String(fact.length) }),
    );
    await wire.until(/100 Continue\r\n\r\n/);
    wire.write(fact);
    expect(await wire.until(/"section":"ICP"/)).toContain("HTTP/1.1 201");
    wire.destroy();
  });
});

describe("a request that is refused before its body is read", () => {
  test("is answered to a client that writes everything before it reads", async () => {
    const body = "x".repeat(6 * 1024 * 1024);
    for (let attempt = 0; attempt < 10; attempt++) {
      const answer = await fetch(server.url() + FACTS, { method: "POST", body });
      expect([answer.status, await answer.json()]).toMatchObject([401, { error: "unauthorized" }]);
    }
  });

  test("lets go of a client that never stops sending", async () => {
    const wire = openWire(server.url());
    wire.write(requestText(`POST ${FACTS}`, { "transfer-encoding": "chunked" }));
    const sending = setInterval(() => wire.socket.writable && wire.write("1\r\nx\r\n"), 20);
    await wire.until(/"unauthorized"/);
    await wire.closed;
    clearInterval(sending);
  });
});

describe("an Idempotency-Key", () => {
  const post = (path: string) =>
    fetch(server.url() + path, { method: "POST", headers: { ...auth, "idempotency-key": "one" }, body: fact });

  test("means the same request with and without a slash at the end of its address", async () => {
    const first = await post(FACTS);
    const again = await post(`${FACTS}/`);
    expect([first.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([201, 201, "true"]);
    expect(await again.text()).toBe(await first.text());
  });

  test("whose request is still running answers 409 with the time to wait", async () => {
    await administer(database.adminUrl, async (client) => {
      await client.query("BEGIN; LOCK TABLE observations IN ACCESS EXCLUSIVE MODE");
      const running = post(FACTS);
      await expect
        .poll(() =>
          inspect("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'observations'::regclass").then(
            (rows) => rows.length,
          ),
        )
        .toBeGreaterThan(0);
      const early = await post(FACTS);
      expect([early.status, early.headers.get("retry-after")]).toEqual([409, "1"]);
      expect(await early.json()).toMatchObject({ error: "idempotency_key_in_use", retry_after: 1 });
      await client.query("COMMIT");
      expect((await running).status).toBe(201);
    });
  });
});

describe("HEAD", () => {
  test.each([FACTS, "/healthz", "/openapi.json"])("of %s is GET without its body", async (path) => {
    const get = await fetch(server.url() + path, { headers: { ...auth, "accept-encoding": "identity" } });
    const wire = openWire(server.url());
    wire.write(requestText(`HEAD ${path}`, { ...auth, host: new URL(server.url()).host, connection: "close" }));
    const [head = "", body] = (await wire.closed).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 200/);
    expect(head.toLowerCase()).toContain(`content-type: ${get.headers.get("content-type")}`);
    if (path === "/openapi.json")
      expect(head.toLowerCase()).toContain(`content-length: ${get.headers.get("content-length")}`);
    expect(body).toBe("");
  });
});

describe("an internal error", () => {
  test("is 500 internal_error, does not reveal its cause, and is logged once with the request's id", async () => {
    await inspect("ALTER TABLE claims RENAME TO claims_gone");
    const { status, body } = await server.call(FACTS, { key, headers: { "x-request-id": "faulty" } });
    await inspect("ALTER TABLE claims_gone RENAME TO claims");
    expect([status, body.error, body.request_id]).toEqual([500, "internal_error", "faulty"]);
    expect(JSON.stringify(body)).not.toMatch(/claims|relation|SELECT/i);
    expect(errors()).toMatchObject([{ request_id: "faulty", operation: "listFacts" }]);
    expect((await server.call(FACTS, { key })).status).toBe(200);
  });

  test("while a page is made is 500 too, and no other request notices", async () => {
    const pages = new PageServer();
    pages.serve(() => Promise.reject(new Error("the page is broken: secret text")));
    const front = await createFront({ env: { ...getBoot().env, LOG_LEVEL: "trace" }, pages });
    await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(front.server.address() as AddressInfo).port}`;
    const page = await fetch(`${url}/some/page`, { headers: { "x-request-id": "page" } });
    const text = await page.text();
    expect(page.status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ error: "internal_error", request_id: "page" });
    expect(text).not.toContain("secret text");
    expect(errors()).toMatchObject([{ request_id: "page" }]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await front.drain();
  });
});

test("the log holds no key, cookie, body or query", async () => {
  const cookie = "next-auth.session-token=a-cookie-nobody-else-has";
  const call = (path: string, init: RequestInit = {}) =>
    fetch(server.url() + path, { ...init, headers: { ...auth, cookie } });
  await call(FACTS, { method: "POST", body: fact });
  await call(FACTS, { method: "POST", body: `{"section":"${content}"` });
  await call(FACTS, { method: "POST", body: JSON.stringify({ section: content, content }) });
  await call(`${FACTS}?categories=${encodeURIComponent(content)}`);
  await call(`${FACTS}?${encodeURIComponent(content)}=1`);
  await call(`/api/app/${content.replaceAll(" ", "-")}/members`);
  await fetch(`${server.url()}${FACTS}`, { headers: { authorization: `Bearer ${key.slice(0, -1)}` } });
  await inspect("ALTER TABLE observations ADD CONSTRAINT broken CHECK (length(value::text) < 2) NOT VALID");
  expect((await call(FACTS, { method: "POST", body: fact })).status).toBe(500);
  await inspect("ALTER TABLE observations DROP CONSTRAINT broken");
  const text = logged.text();
  expect(logged.lines().length).toBeGreaterThan(7);
  for (const secret of [
    key,
    key.slice(11, -1),
    content,
    content.replaceAll(" ", "-"),
    encodeURIComponent(content),
    "a-cookie-nobody-else-has",
  ])
    expect(text).not.toContain(secret);
});

test("the API answers while the pages are prepared, and the pages follow without a restart", async () => {
  const pages = new PageServer();
  pages.prepare("compiling");
  const front = await createFront({ env: getBoot().env, pages });
  await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(front.server.address() as AddressInfo).port}`;
  const html = { headers: { accept: "text/html" } };

  const page = await fetch(`${url}/some/page`, html);
  expect([page.status, page.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(await page.text()).toContain("preparing its pages");
  for (const path of ["/_next/static/chunks/old.js", "/api/auth/session"]) {
    const answer = await fetch(url + path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([503, "application/json; charset=utf-8"]);
  }
  const posted = await fetch(`${url}/api/auth/callback/credentials`, { method: "POST", body: "x".repeat(200_000) });
  expect(posted.status).toBe(503);
  expect((await fetch(url + FACTS, { headers: auth })).status).toBe(200);
  for (const path of ["/healthz", "/openapi.json"]) expect((await fetch(url + path)).status).toBe(200);
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([200, { status: "ready", pages: "preparing" }]);

  pages.serve(async (_request, response) => void response.end("the page"));
  expect(await (await fetch(`${url}/some/page`, html)).text()).toBe("the page");
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ pages: "ready" });
  await front.drain();
});

test("a stop finishes running requests, refuses new ones and then ends", async () => {
  const front = await createFront({ env: { ...getBoot().env, LOG_LEVEL: "trace" }, pages: new PageServer() });
  await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(front.server.address() as AddressInfo).port}`;
  const idle = openWire(url);
  idle.write(requestText("GET /healthz"));
  await idle.until(/"ok"/);
  const ahead = openWire(url); // as browsers do before they have a request
  const running = openWire(url);
  await administer(database.adminUrl, async (client) => {
    await client.query("BEGIN; LOCK TABLE observations IN ACCESS EXCLUSIVE MODE");
    running.write(requestText(`POST ${FACTS}`, auth, fact));
    await expect
      .poll(() =>
        inspect("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'observations'::regclass").then(
          (rows) => rows.length,
        ),
      )
      .toBeGreaterThan(0);
    const drained = front.drain();
    await Promise.all([idle.closed, ahead.closed]);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    await client.query("COMMIT");
    const answered = await running.until(/"section":"ICP"/);
    expect(answered).toMatch(/^HTTP\/1\.1 201/);
    expect(answered.toLowerCase()).toContain("connection: close");
    await drained;
  });
  await running.closed;
});
