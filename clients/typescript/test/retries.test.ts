/** Retries against a local server that refuses, and one that hangs up. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type Retries, withRetries } from "../src/retries.ts";

type Reply = (response: ServerResponse) => void;
const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(code, headers).end("{}");
const hangUp: Reply = (response) => void response.socket?.destroy();
const now = { "Retry-After": "0" };

const servers: (() => void)[] = [];
afterEach(() => {
  for (const close of servers.splice(0)) close();
});

/** Answers with these in turn, then with 200, and keeps what it got. */
async function answering(...replies: Reply[]) {
  const got: { method: string | undefined; key: unknown; body: string }[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    got.push({ method: request.method, key: request.headers["idempotency-key"], body });
    (replies.shift() ?? status(200))(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const send = (init: RequestInit = {}, retries: Retries = {}) =>
    withRetries((request) => fetch(request), retries)(new Request(url, init));
  return { got, send };
}

const post = { method: "POST", body: '{"a":1}', headers: { "Idempotency-Key": "one" } };

test.each<[string, Reply[], RequestInit, answered: number, attempts: number]>([
  ["a GET after 503", [status(503, now)], {}, 200, 2],
  ["a GET after a broken connection", [hangUp], {}, 200, 2],
  ["a POST after 429 and 503", [status(429, now), status(503, now)], post, 200, 3],
  ["a POST after a broken connection", [hangUp], post, 200, 2],
  ["a POST whose first attempt still runs", [status(409, now)], post, 200, 2],
  ["a PATCH after 429, which comes before any work", [status(429, now)], { method: "PATCH", body: "{}" }, 200, 2],
  ["no PATCH after 503", [status(503, now)], { method: "PATCH", body: "{}" }, 503, 1],
  ["nothing after another refusal", [status(409)], post, 409, 1],
  ["nothing after 500", [status(500)], {}, 500, 1],
  ["nothing more than twice", Array<Reply>(4).fill(status(503, now)), {}, 503, 3],
  ["nothing when the wait is too long", [status(429, { "Retry-After": "61" })], {}, 429, 1],
  ["a GET after the time that is named", [status(503, { "Retry-After": new Date(0).toUTCString() })], {}, 200, 2],
])("sends again: %s", async (_, replies, init, answered, attempts) => {
  const { got, send } = await answering(...replies);
  expect((await send(init)).status).toBe(answered);
  expect(got).toHaveLength(attempts);
});

test("each attempt has the same key and body", async () => {
  const { got, send } = await answering(hangUp, status(503, now));
  await send(post);
  expect(got).toEqual(Array(3).fill({ method: "POST", key: "one", body: '{"a":1}' }));
});

test("a broken connection is the caller's where sending again is not safe, or did not help", async () => {
  const { got, send } = await answering(hangUp, hangUp, hangUp);
  await expect(send({ method: "DELETE" })).rejects.toThrow(TypeError);
  await expect(send({}, { retries: 1 })).rejects.toThrow(TypeError);
  expect(got).toHaveLength(3);
});

test("who gives up while it waits hears that at once", async () => {
  const { got, send } = await answering(status(503, { "Retry-After": "50" }));
  const stop = new AbortController();
  const sending = send({ signal: stop.signal });
  await expect.poll(() => got.length).toBe(1);
  stop.abort(new Error("given up"));
  await expect(sending).rejects.toThrow("given up");
  expect(got).toHaveLength(1);
});
