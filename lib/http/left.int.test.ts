/** Callers who leave early, at every kind of address: their requests end. */
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { piecesUnderWay } from "#lib/core/stalls.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith } from "#lib/testing/database.ts";
import { connectProvider, RECORDER_SECRET, recorded } from "#lib/testing/inbound.fixture.ts";
import minimalSample from "#lib/testing/samples/fathom/webhook.minimal.json" with { type: "json" };
import { openWire, requestText } from "#lib/testing/socket.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { createFront, type Front, writtenStreams } from "./front.ts";
import { PageServer } from "./page-server.ts";
import { heldStreams } from "./streams.ts";

/** Of each kind of request, in each way to leave. */
const TIMES = 36;
/** Connections at once. */
const LANES = 40;

type Kind = { what: string; line: string; headers?: Record<string, string>; body?: string };

const pages = new PageServer();
let front: Front;
let url = "";
let kinds: Kind[] = [];

beforeAll(async () => {
  bootWith({ RATE_LIMIT_PER_MINUTE: "0", TRUST_PROXY: "1", SIGNUPS: "open" });
  front = await createFront({ env: getBoot().env, pages });
  await new Promise<void>((resolve) => front.server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(front.server.address() as AddressInfo).port}`;
  kinds = await kindsOf();
});
afterAll(() => front.drain());

async function kindsOf(): Promise<Kind[]> {
  const workspace = await createTestWorkspace();
  await connectProvider(workspace.id, "fathom", { secret: RECORDER_SECRET });
  const reader = await signedInBrowser(url);
  const key = { authorization: `Bearer ${await workspace.key(["read", "write", "admin"])}` };
  const json = { "content-type": "application/json" };
  const accept = { accept: "application/json, text/event-stream" };
  const session = { ...reader.headers(), ...json };
  const delivery = recorded(minimalSample);
  const form = { "content-type": "multipart/form-data; boundary=b" };
  const parts = (more: string) =>
    `--b\r\ncontent-disposition: form-data; name="kind"\r\n\r\npeople\r\n--b\r\ncontent-disposition: form-data; name="csv"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\nemail\n${more}\r\n--b--\r\n`;
  const person = JSON.stringify({ email: "anna@acme.example", first_name: "Anna" });
  const tool = { name: "get_account", arguments: { id: "anna@acme.example" } };
  const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: tool });
  const oauth = { "content-type": "application/x-www-form-urlencoded" };
  return [
    { what: "an operation by key", line: "POST /v2/people", headers: { ...key, ...json }, body: person },
    { what: "a read by key", line: "GET /v2/people", headers: key },
    { what: "a key that is none", line: "POST /v2/people", headers: json, body: person },
    { what: "an operation by session", line: `POST ${reader.app}/v2/people`, headers: session, body: person },
    { what: "a user's operation", line: "POST /api/account/workspaces", headers: session, body: '{"name":"B"}' },
    { what: "a sign-up", line: "POST /api/account/sign-up", headers: { ...session, cookie: "" }, body: "{}" },
    { what: "a device login", line: "POST /api/cli/auth/start", headers: json, body: '{"client":"cli"}' },
    { what: "a device's question", line: "POST /api/cli/auth/poll", headers: json, body: '{"device_code":"abc"}' },
    { what: "a tool", line: "POST /mcp", headers: { ...key, ...json, ...accept }, body: call },
    { what: "an OAuth token", line: "POST /oauth/token", headers: oauth, body: "grant_type=refresh_token&client_id=x" },
    { what: "an OAuth revocation", line: "POST /oauth/revoke", headers: oauth, body: "token=abc&client_id=x" },
    { what: "an OAuth registration", line: "POST /oauth/register", headers: json, body: '{"redirect_uris":[]}' },
    {
      what: "a delivery",
      line: `POST /inbound/fathom/${workspace.id}`,
      headers: delivery.headers,
      body: delivery.body as string,
    },
    { what: "an upload as a form", line: "POST /v2/imports", headers: { ...key, ...form }, body: parts("a@b.co\n") },
    {
      what: "a long upload as a form",
      line: "POST /v2/imports",
      headers: { ...key, ...form },
      body: parts("a@b.co\n".repeat(50_000)),
    },
    {
      what: "an upload as a file",
      line: "POST /v2/imports?kind=people",
      headers: { ...key, "content-type": "text/csv" },
      body: "email\na@b.co\n",
    },
    { what: "a wait for changes", line: "GET /v2/changes?cursor=now&wait=60", headers: key },
    { what: "a stream of changes", line: "GET /v2/changes", headers: { ...key, accept: "text/event-stream" } },
    { what: "a live stream", line: `GET ${reader.app}/live`, headers: session },
    { what: "an export", line: `GET ${reader.app}/export`, headers: session },
    { what: "a page", line: "GET /sign-in" },
    {
      what: "a form of a page",
      line: "POST /api/auth/callback/credentials",
      headers: oauth,
      body: "email=a&password=b",
    },
    { what: "an address that is none", line: "POST /v2/nothing", headers: json, body: person },
    {
      what: "an operation that asks to upgrade",
      line: "POST /v2/people",
      headers: { ...key, ...json, ...h2c },
      body: person,
    },
  ];
}

const h2c = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABkAARAAAAAAAIAAAAA" };

let visitors = 0;

/** One request, of which `share` is sent, after which the connection is reset; `again` more of the same behind it. */
async function leave({ line, headers = {}, body = "" }: Kind, share: number, after: number, again = 0): Promise<void> {
  const n = ++visitors; // each from another address, so that none is refused for having come too often
  const from = { "x-forwarded-for": `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` };
  const text = requestText(line, { ...headers, ...from }, body);
  const head = text.length - body.length;
  const wire = openWire(url);
  wire.write(text.slice(0, head + Math.floor(body.length * share)) + text.repeat(again));
  await sleep(after);
  wire.socket.resetAndDestroy();
  await wire.closed;
}

async function inLanes(work: readonly (() => Promise<void>)[]): Promise<void> {
  const left = work.values();
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (const one of left) await one();
    }),
  );
}

/** What is still under way when everything has had time to end. */
async function stillUnderWay(): Promise<Record<string, number>> {
  const counted = () => {
    const counts: Record<string, number> = {};
    const streams = { "streams held": heldStreams(), "streams written": writtenStreams() };
    for (const [what, count] of Object.entries(streams)) if (count > 0) counts[what] = count;
    for (const { operation } of piecesUnderWay()) counts[String(operation)] = (counts[String(operation)] ?? 0) + 1;
    return counts;
  };
  for (let tries = 0; tries < 300 && Object.keys(counted()).length > 0; tries++) await sleep(100);
  return counted();
}

const everyKind = (one: (kind: Kind, turn: number) => Promise<void>) =>
  Array.from({ length: TIMES }, (_, turn) => kinds.map((kind) => () => one(kind, turn))).flat();

test("requests that come before the pages are ready end with their connections", async () => {
  const page = kinds.filter(({ what }) => what.includes("page"));
  await inLanes(page.flatMap((kind) => Array.from({ length: 50 }, () => () => leave(kind, 0.5, 5))));
  pages.serve(async (_request, response) => {
    await sleep(10);
    if (!response.destroyed) response.end("page"); // as Next does
  });
  expect(await stillUnderWay()).toEqual({});
});

test("half a body, of 800 requests of every kind", async () => {
  await inLanes(everyKind((kind, turn) => leave(kind, 0.5, turn % 12)));
  expect(await stillUnderWay()).toEqual({});
});

test("the whole of 800 requests of every kind, and no one who waits for the answer", async () => {
  await inLanes(everyKind((kind, turn) => leave(kind, 1, turn % 12)));
  expect(await stillUnderWay()).toEqual({});
});

test("several requests on one connection, of every kind", async () => {
  await inLanes(everyKind((kind, turn) => leave(kind, 1, turn % 24, 2)));
  expect(await stillUnderWay()).toEqual({});
});

test("a body that stands still ends with its connection", async () => {
  await inLanes(kinds.map((kind) => () => leave(kind, 0.5, 1_500)));
  expect(await stillUnderWay()).toEqual({});
});
