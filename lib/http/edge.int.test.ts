/** How the server handles HTTP itself: malformed requests, foreign hosts, methods that pages do not have. */
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { getBoot } from "#lib/settings/boot.ts";
import { bootWith } from "#lib/testing/database.ts";
import { useLog } from "#lib/testing/log.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { chunk, openWire, requestText } from "#lib/testing/socket.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

import { createFront } from "./front.ts";
import { PageServer } from "./page-server.ts";

const server = useServer();
const logged = useLog();
beforeEach(() => bootWith());

type Heard = { status: number; headers: Record<string, string>; body: string };

/** The answer on a connection to these bytes before it closes; the first of several. */
async function hear(text: string, url = server.url()): Promise<Heard> {
  const wire = openWire(url);
  wire.write(text);
  return readAnswer(await wire.closed);
}

function readAnswer(received: string): Heard {
  const [head = "", body = ""] = received.split(/\r\n\r\n([\s\S]*)/);
  const [line = "", ...fields] = head.split("\r\n");
  const headers = fields.map((field) => {
    const colon = field.indexOf(":");
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
  });
  return { status: Number(line.split(" ")[1]), headers: Object.fromEntries(headers), body };
}

/** The shape of every error: JSON with a code, a sentence and the request's id, and nothing that a cache or browser may keep. */
function expectRefusal({ status, headers, body }: Heard, expected: number, code: string): void {
  expect([status, headers["content-type"]]).toEqual([expected, "application/json; charset=utf-8"]);
  const said = JSON.parse(body) as Record<string, unknown>;
  expect(said).toMatchObject({ error: code, message: expect.stringMatching(/\.$/) });
  expect(said.request_id).toMatch(/^[\w-]+$/);
  expect(headers).toMatchObject({
    "x-request-id": said.request_id,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  });
}

const close = { connection: "close" };

describe("bytes that are not a request", () => {
  test.each([
    ["no HTTP", "hello\r\n\r\n", 400, "invalid_request"],
    ["an unknown method", requestText("BREW /pot"), 400, "invalid_request"],
    ["two lengths", requestText("POST /v2/notes", { "content-length": "5, 6" }), 400, "invalid_request"],
    ["headers without end", requestText("GET /", { filler: "x".repeat(40_000) }), 431, "headers_too_large"],
    [
      "a chunk whose length is none",
      `${requestText("POST /v2/notes", { "transfer-encoding": "chunked" })}zz\r\n`,
      400,
      "invalid_request",
    ],
  ])("(%s) are refused in the shape of every error, and logged under its id", async (_what, text, status, code) => {
    const heard = await hear(text);
    expectRefusal(heard, status, code);
    expect(heard.headers.connection).toBe("close");
    const lines = logged.lines().filter(({ request_id }) => request_id === heard.headers["x-request-id"]);
    expect(lines).toMatchObject([{ msg: "request", status, error: code }]);
  });

  test("that follow a request do not replace its answer", async () => {
    const key = await (await createTestWorkspace()).key();
    const wire = openWire(server.url());
    wire.write(`${requestText("GET /v2/workspace/facts", { authorization: `Bearer ${key}` })}no HTTP\r\n\r\n`);
    const received = await wire.closed;
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"]);
  });

  test("that come too slowly are refused with 408 in the common error format", async () => {
    const patience = { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 50 };
    const front = await createFront({ env: getBoot().env, pages: new PageServer(), patience });
    await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(front.server.address() as AddressInfo).port}`;
    const key = await (await createTestWorkspace()).key();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "content-length": "1000" };
    expectRefusal(await hear("GET / HTTP/1.1\r\nHost: localhost\r\n", url), 408, "request_timeout");
    expectRefusal(await hear(`${requestText("POST /v2/notes", headers)}{"focus"`, url), 408, "request_timeout");
    await front.drain();
  });
});

describe("a request", () => {
  const lines = (...headers: string[]) =>
    ["GET /healthz HTTP/1.1", ...headers, "Connection: close", "", ""].join("\r\n");

  test.each([
    ["with two hosts", lines("Host: localhost", "Host: evil.example")],
    ["with the same host twice", lines("Host: localhost", "hOST: localhost")],
    ["without a host", lines("Accept: */*")],
    ["with a host that has a path", lines("Host: localhost/evil")],
    ["with a host behind an @", lines("Host: localhost@evil.example")],
    ["with two hosts in one header", lines("Host: localhost, evil.example")],
    ["for no path", requestText("GET *", close)],
    ["for a host alone", requestText("GET evil.example", close)],
    ["for every method but of a path", requestText("POST *", close)],
  ])("%s is refused", async (_what, text) => {
    expectRefusal(await hear(text), 400, "invalid_request");
  });

  test("is answered with its host in any case, and by HTTP/1.0 without one", async () => {
    expect((await hear(lines("hOsT: LOCALHOST:3000"))).status).toBe(200);
    expect((await hear("GET /healthz HTTP/1.0\r\n\r\n")).status).toBe(200);
    expect((await hear(requestText("GET http://localhost/healthz", close))).status).toBe(200);
  });

  test("with OPTIONS gets the allowed methods", async () => {
    const { status, headers } = await hear(requestText("OPTIONS *", close));
    expect([status, headers.allow]).toEqual([204, "GET, POST, PUT, PATCH, DELETE, OPTIONS"]);
  });

  test.each(["*", "/v2/people", "/v2/people/", "/mcp", "/oauth/token", "/api/account/sessions", "/", "/sign-in"])(
    "with OPTIONS is answered with its id, or a new one: %s",
    async (path) => {
      const { headers } = await hear(requestText(`OPTIONS ${path}`, { ...close, "x-request-id": "mine" }));
      expect(headers["x-request-id"]).toBe("mine");
      const other = await hear(requestText(`OPTIONS ${path}`, { ...close, "x-request-id": "not mine" }));
      expect(other.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test("with an unknown expectation is still answered", async () => {
    expect((await hear(requestText("GET /healthz", { ...close, expect: "the-unexpected" }))).status).toBe(200);
  });
});

describe("a request to use another protocol", () => {
  const pages = new PageServer();
  const opened: string[] = [];
  let url = "";
  beforeAll(async () => {
    pages.serve(async (_request, response) => void response.end("page"), { reloads: true });
    const front = await createFront({ env: getBoot().env, pages });
    // As Next does, from the first page on.
    front.server.on("upgrade", (request, socket) => {
      opened.push(request.url ?? "");
      socket.on("error", () => undefined);
    });
    await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(front.server.address() as AddressInfo).port}`;
    return () => front.drain();
  });

  const h2c = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABkAARAAAAAAAIAAAAA" };
  const socket = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };

  /** The statuses on one connection, of the requests one after the other. */
  async function statusesOf(...texts: string[]): Promise<string[]> {
    const wire = openWire(url);
    let received = "";
    for (const [index, text] of texts.entries()) {
      wire.write(text);
      received = await wire.until(new RegExp(`(HTTP/1\\.1 \\d+[^]*?\\r\\n\\r\\n[^]*){${index + 1}}`));
    }
    wire.destroy();
    return [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status as string);
  }

  test.each([
    ["GET /healthz", "200"],
    ["GET /openapi.json", "200"],
    ["GET /v2/people", "401"],
    ["POST /v2/people", "401"],
    ["PATCH /v2/people/anna", "401"],
    ["POST /mcp", "401"],
    ["GET /mcp", "405"],
    ["POST /oauth/token", "400"],
    ["POST /inbound/fathom", "400"],
    ["GET /api/app/x/live", "401"],
    ["GET /v2/nothing", "404"],
    ["GET /", "200"],
    ["GET /_next/other", "200"],
    ["POST /sign-in", "405"],
    ["OPTIONS *", "204"],
    ["OPTIONS /v2/people", "204"],
  ])("is answered as if it were none: %s", async (line, status) => {
    const before = opened.length;
    for (const headers of [h2c, socket, { connection: "upgrade", upgrade: "TLS/1.2" }]) {
      const json = { ...headers, "content-type": "application/json" };
      const body = line.startsWith("POST") ? '{"a":1}' : "";
      const again = body === "" ? [requestText("GET /healthz")] : []; // a body refused unread closes the connection
      const statuses = await statusesOf(requestText(line, json, body), ...again);
      expect(statuses).toEqual([status, ...again.map(() => "200")]);
    }
    expect(opened.length).toBe(before);
  });

  test("is answered with its body, however that is sent, and on the same connection again", async () => {
    const key = await (await createTestWorkspace()).key();
    const headers = { ...h2c, authorization: `Bearer ${key}`, "content-type": "application/json" };
    const whole = requestText("POST /v2/people", headers, '{"email":"anna@acme.example"}');
    const chunked = requestText("POST /v2/people", { ...headers, "transfer-encoding": "chunked" });
    const body = chunk('{"email":"anna') + chunk('@acme.example"}') + chunk("");
    expect(await statusesOf(whole, chunked + body, whole)).toEqual(["201", "200", "200"]);
  });

  test("becomes a socket only where a page under development waits for its edits", async () => {
    const wire = openWire(url);
    wire.write(requestText("GET /_next/hmr?id=1", socket));
    await expect.poll(() => opened).toEqual(["/_next/hmr?id=1"]);
    wire.destroy();
    expect(await statusesOf(requestText("GET /_next/hmr", h2c))).toEqual(["200"]);
    pages.serve(async (_request, response) => void response.end("page"));
    expect(await statusesOf(requestText("GET /_next/hmr?id=2", socket))).toEqual(["200"]);
    expect(opened).toEqual(["/_next/hmr?id=1"]);
  });
});

describe("an address of the API", () => {
  test.each([
    "/v2",
    "/v2/",
    "/v2/nothing",
    "/v2/people/anna/nothing",
    "/api",
    "/api/nothing",
    "/api/cli",
    "/api/cli/auth",
    "/api/cli/nothing",
    "/api/v1/nothing",
    "/api/auth",
    "/api/auth/nothing",
    "/api/auth/sessions",
    "/mcp/x",
    "/mcp/nothing",
    "/inbound",
    "/inbound/a/b/c",
    "/openapi.json/nothing",
  ])("that does not exist answers 404 in JSON to every method: %s", async (path) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      const heard = await hear(requestText(`${method} ${path}`, close, method === "GET" ? "" : "{}"));
      expectRefusal(heard, 404, "not_found");
    }
  });

  test("with a slash at its end is the same, and no parameter is ever empty", async () => {
    expect((await hear(requestText("GET /healthz/", close))).status).toBe(200);
    expect((await hear(requestText("GET /openapi.json/", close))).status).toBe(200);
    for (const path of ["/v2/people/", "/v2/people/anna/", "/v2/accounts/anna/timeline/?limit=1"])
      expectRefusal(await hear(requestText(`GET ${path}`, close)), 401, "unauthorized");
    for (const path of ["/v2/notes//", "/v2/people//", "/v2//", "//v2/people"])
      expect((await hear(requestText(`GET ${path}`, close))).status, path).toBe(path.startsWith("//") ? 200 : 404);
    const { headers } = await hear(requestText("OPTIONS /v2/notes/", close));
    expect(headers.allow).toBe("GET, POST, OPTIONS");
  });

  test("of the sign-in is still the pages'", async () => {
    for (const path of ["/api/auth/session", "/api/auth/callback/credentials", "/api/auth/_log", "/apis", "/v2x"])
      expect((await hear(requestText(`GET ${path}`, close))).body, path).toContain("page");
  });
});

describe("a page", () => {
  test.each(["PUT", "DELETE", "PATCH", "POST"])("does not answer %s", async (method) => {
    for (const path of ["/", "/sign-in", "/no/such/page"]) {
      const heard = await hear(requestText(`${method} ${path}`, close, method === "DELETE" ? "" : "{}"));
      expectRefusal(heard, 405, "method_not_allowed");
      expect(heard.headers.allow).toBe("GET, HEAD");
    }
  });

  test("answers GET and HEAD, and lists them for OPTIONS", async () => {
    expect((await hear(requestText("GET /sign-in", close))).status).toBe(200);
    expect((await hear(requestText("HEAD /sign-in", close))).status).toBe(200);
    const { status, headers } = await hear(requestText("OPTIONS /sign-in", close));
    expect([status, headers.allow]).toEqual([204, "GET, HEAD, OPTIONS"]);
  });

  test("of the sign-in takes forms, and nothing else", async () => {
    expect((await hear(requestText("POST /api/auth/callback/credentials", close, "{}"))).status).toBe(200);
    expectRefusal(await hear(requestText("PUT /api/auth/session", close, "{}")), 405, "method_not_allowed");
  });
});

test("pages are limited for each address, as requests of the API are; their scripts are not", async () => {
  bootWith({ RATE_LIMIT_PER_MINUTE: "2", TRUST_PROXY: "1" });
  const pages = new PageServer();
  pages.serve(async (_request, response) => void response.end("page"));
  const front = await createFront({ env: getBoot().env, pages });
  await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(front.server.address() as AddressInfo).port}`;
  const ask = (path: string, from: string) =>
    hear(requestText(`GET ${path}`, { ...close, "x-forwarded-for": from }), url);
  for (let n = 0; n < 2; n++) expect((await ask("/sign-in", "198.51.100.61")).status).toBe(200);
  const refused = await ask("/sign-in", "198.51.100.61");
  expectRefusal(refused, 429, "rate_limited");
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await ask("/_next/static/none.js", "198.51.100.61")).status).toBe(200);
  expect((await ask("/sign-in", "198.51.100.62")).status).toBe(200);
  await front.drain();
});

describe("Strict-Transport-Security", () => {
  const paths = ["/healthz", "/v2/people", "/no/such/page", "/openapi.json", "/api/app/x/live", "/v2/nothing"];
  const sent = async (headers: Record<string, string> = {}) => {
    const answers = await Promise.all(paths.map((path) => hear(requestText(`GET ${path}`, { ...close, ...headers }))));
    answers.push(await hear(requestText("PUT /", { ...close, ...headers }, "{}")));
    answers.push(await hear(requestText("OPTIONS /v2/people", { ...close, ...headers })));
    return answers.map((answer) => answer.headers["strict-transport-security"] ?? null);
  };

  test("is in every answer when the server is reached by https, also to invalid requests", async () => {
    bootWith({ APP_URL: "https://rapport.example" });
    expect(new Set(await sent())).toEqual(new Set(["max-age=31536000"]));
    expect((await hear("no HTTP\r\n\r\n")).headers["strict-transport-security"]).toBe("max-age=31536000");
  });

  test("names subdomains where the operator says that all of them have https", async () => {
    bootWith({ APP_URL: "https://rapport.example", HSTS_SUBDOMAINS: "true" });
    expect(new Set(await sent())).toEqual(new Set(["max-age=31536000; includeSubDomains"]));
    bootWith({ HSTS_SUBDOMAINS: "true" });
    expect(new Set(await sent())).toEqual(new Set([null]));
  });

  test("is in every answer to requests that a trusted proxy received by https", async () => {
    bootWith({ TRUST_PROXY: "1" });
    expect(new Set(await sent({ "x-forwarded-proto": "https" }))).toEqual(new Set(["max-age=31536000"]));
    expect(new Set(await sent({ "x-forwarded-proto": "http" }))).toEqual(new Set([null]));
  });

  test("is in no other answer, whatever the caller sends", async () => {
    expect(new Set(await sent({ "x-forwarded-proto": "https" }))).toEqual(new Set([null]));
  });
});

test.each(["/healthz", "/v2/people", "/no/such/page", "/openapi.json", "/api/app/x/live", "/icon.svg"])(
  "%s is an answer that runs nothing, loads nothing, is in no frame and is not taken for another type",
  async (path) => {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const { headers } = await hear(requestText(`${method} ${path}`, close));
      expect(headers["content-security-policy"]).toBe("default-src 'none'; base-uri 'none'; frame-ancestors 'none'");
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }
  },
);

describe("the address in links", () => {
  const servers = async (headers: Record<string, string>): Promise<string> => {
    const { body } = await hear(requestText("GET /openapi.json", { ...close, ...headers }));
    return (JSON.parse(body) as { servers: { url: string }[] }).servers[0]?.url as string;
  };

  test("is the caller's only when it is this machine's", async () => {
    bootWith({ PORT: "4321" });
    expect(await servers({ host: "localhost:9999" })).toBe("http://localhost:9999");
    expect(await servers({ host: "evil.example" })).toBe("http://localhost:4321");
    expect(await servers({ host: "evil.example", "x-forwarded-host": "evil.example" })).toBe("http://localhost:4321");
    bootWith({ APP_URL: "https://rapport.example" });
    expect(await servers({ host: "evil.example" })).toBe("https://rapport.example");
  });

  test("is passed to the pages and to next-auth as the forwarded host", async () => {
    const seen: (string | string[] | undefined)[] = [];
    const pages = new PageServer();
    pages.serve(async (request, response) => {
      seen.push(request.headers["x-forwarded-host"], request.headers.host, request.url);
      response.end();
    });
    bootWith({ PORT: "4321" });
    const front = await createFront({ env: getBoot().env, pages });
    await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(front.server.address() as AddressInfo).port}`;
    await hear(requestText("GET http://evil.example/api/auth/providers?a=1", { ...close, host: "evil.example" }), url);
    expect(seen).toEqual(["localhost:4321", "evil.example", "/api/auth/providers?a=1"]);
    await front.drain();
  });
});

describe("compression", () => {
  test("makes an answer smaller for those who ask, and leaves the others theirs", async () => {
    const [packed, plain] = await Promise.all(
      [{ "accept-encoding": "gzip", ...close }, close].map((headers) =>
        hear(requestText("GET /openapi.json", headers)),
      ),
    );
    expect(packed?.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(plain?.headers["content-encoding"]).toBeUndefined();
    expect(Number(packed?.headers["content-length"]) * 4).toBeLessThan(Number(plain?.headers["content-length"]));
    const read = await fetch(`${server.url()}/openapi.json`);
    expect(read.headers.get("content-encoding")).toBe("gzip");
    expect(await read.json()).toHaveProperty("openapi");
  });

  test("of a body is undone before anything reads it, by REST, MCP and OAuth", async () => {
    const key = await (await createTestWorkspace()).key();
    const send = (path: string, body: string | Uint8Array, headers = {}) =>
      server.call(path, { key, raw: body, headers: { "content-encoding": "gzip", ...headers } });
    const person = '{"email":"anna@acme.example"}';
    const once = { "idempotency-key": "packed-1" };
    expect((await send("/v2/people", gzipSync(person), once)).status).toBe(201);
    const again = await send("/v2/people", Buffer.from(person), { ...once, "content-encoding": "identity" });
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, 32));
    const accept = { accept: "application/json, text/event-stream" };
    for (const path of ["/v2/people", "/mcp", "/oauth/register"]) {
      const error = path.startsWith("/oauth") ? "invalid_client_metadata" : "payload_too_large";
      expect((await send(path, bomb, accept)).body.error, path).toBe(error);
    }
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    expect((await send("/mcp", gzipSync(list), accept)).body).toHaveProperty("result.tools");
    expect((await send("/v2/people", gzipSync("{"))).body.error).toBe("invalid_json");
    expect((await send("/v2/people", Buffer.from(person))).body.error).toBe("invalid_encoding");
  });
});
