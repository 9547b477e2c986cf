/** `/mcp` at its edges: who may reach it, what is no message, and two tenants at once. */
import http from "node:http";
import { describe, expect, test } from "vitest";
import { lastUseOf } from "#lib/auth/key-use.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const server = useServer();

type Answer = { status: number; headers: http.IncomingHttpHeaders; text: string; body: Record<string, unknown> };

const JSON_RPC = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "probe", version: "9" } },
};
const callOf = (name: string, given: object, id = 1) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: given },
});

/** One request, with whatever Host: fetch does not let a caller choose it. */
function send(
  message: unknown,
  {
    key,
    method = "POST",
    query = "",
    headers = {},
  }: { key?: string; method?: string; query?: string; headers?: object } = {},
): Promise<Answer> {
  const authorization = key ? { authorization: `Bearer ${key}` } : {};
  return new Promise((resolve, reject) => {
    const all = { ...JSON_RPC, ...authorization, ...headers } as http.OutgoingHttpHeaders;
    const request = http.request(`${server.url()}/mcp${query}`, { method, headers: all }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => {
        const body = text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {};
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body });
      });
    });
    request.on("error", reject);
    request.end(message === undefined ? undefined : typeof message === "string" ? message : JSON.stringify(message));
  });
}

const keyOf = async (scopes: ("read" | "write" | "admin")[] = ["admin"]) => (await createTestWorkspace()).key(scopes);

describe("who may reach it", () => {
  test.each([
    ["without a key", {}],
    ["with a key that is none", { authorization: "Bearer rpt_abc" }],
    ["with a cookie", { cookie: "next-auth.session-token=x" }],
  ])("%s the answer is 401 and says how to sign in", async (_, headers) => {
    const answer = await send(initialize, { headers });
    expect([answer.status, answer.body.error]).toEqual([401, "unauthorized"]);
    expect(answer.headers["www-authenticate"]).toMatch(/^Bearer/);
  });

  test.each(["evil.example", "evil.example:3000", "169.254.169.254"])("the Host %s is refused", async (host) => {
    const answer = await send(initialize, { key: await keyOf(), headers: { host } });
    expect([answer.status, answer.body.error]).toEqual([403, "host_not_allowed"]);
  });

  test.each([
    ["https://evil.example", 403],
    ["null", 403],
    ["http://localhost:6274", 200],
    ["http://127.0.0.1:1", 200],
  ])("the Origin %s gets %d", async (origin, status) => {
    expect((await send(initialize, { key: await keyOf(), headers: { origin } })).status).toBe(status);
  });

  test("a revoked key is refused at the next call", async () => {
    const workspace = await createTestWorkspace();
    const key = await workspace.key();
    expect((await send(initialize, { key })).status).toBe(200);
    await inspect("UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1", [workspace.id]);
    await expect.poll(async () => (await send(initialize, { key })).status, { timeout: 8_000 }).toBe(401);
  });
});

describe("what is no message", () => {
  test.each(["GET", "DELETE", "PUT"])("%s is 405 and says what is allowed", async (method) => {
    const answer = await send(undefined, { key: await keyOf(), method });
    expect([answer.status, answer.headers.allow]).toEqual([405, "POST"]);
  });

  test.each([
    ["broken JSON", "{", 400, -32700],
    ["no body", "", 400, -32700],
    ["no JSON-RPC", { hello: 1 }, 400, -32600],
    ["an unknown method", { jsonrpc: "2.0", id: 1, method: "sing" }, 200, -32601],
    ["a call without a name", { jsonrpc: "2.0", id: 1, method: "tools/call", params: {} }, 200, -32602],
    [
      "arguments that are a list",
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "query", arguments: [] } },
      200,
      -32602,
    ],
  ])("%s is answered with the error of JSON-RPC", async (_, message, status, code) => {
    const answer = await send(message, { key: await keyOf() });
    expect([answer.status, (answer.body.error as { code: number } | undefined)?.code], answer.text).toEqual([
      status,
      code,
    ]);
    expect(answer.text).not.toMatch(/node_modules|\.ts:|at .*\(/);
  });

  test("a notification is accepted without an answer", async () => {
    const answer = await send({ jsonrpc: "2.0", method: "notifications/initialized" }, { key: await keyOf() });
    expect([answer.status, answer.text]).toEqual([202, ""]);
  });

  test("a body that is no JSON by its type is 415, one over 8 MiB is 413", async () => {
    const key = await keyOf();
    expect((await send(initialize, { key, headers: { "content-type": "text/plain" } })).status).toBe(415);
    expect((await send("x".repeat(8 * 1024 * 1024 + 1), { key })).status).toBe(413);
  });

  test("a tool that ?tools= names and that there is not is 400 with those there are", async () => {
    const answer = await send(initialize, { key: await keyOf(), query: "?tools=rm" });
    expect(answer.body).toMatchObject({ error: "invalid_parameter", parameter: "tools" });
  });
});

test("the client is remembered by what it calls itself", async () => {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  await send(initialize, { key });
  const [row] = await inspect<{ id: string }>("SELECT id FROM api_keys WHERE workspace_id = $1", [workspace.id]);
  expect(lastUseOf(row?.id as string)?.client).toBe("probe/9");
  await send(callOf("get_workspace_status", {}), { key, headers: { "x-service-client": "mine/1" } });
  expect(lastUseOf(row?.id as string)?.client).toBe("mine/1");
});

test("two tenants under load, with calls that fail and callers that leave, never see each other's records", async () => {
  const tenants = await Promise.all(
    ["alpha", "beta"].map(async (word) => {
      const key = await keyOf();
      const observations = [{ kind: "state", property: "secret_word", value: word }];
      await send(callOf("record", { focus: "anna@shared.com", observations }), { key });
      return { word, key };
    }),
  );
  const deadline = Date.now() + 3_000;
  let answered = 0;
  let left = 0;
  const caller = async ({ word, key }: (typeof tenants)[number], seed: number) => {
    for (let turn = seed; Date.now() < deadline; turn++) {
      const kind = turn % 5;
      if (kind === 4) {
        const leave = new AbortController();
        setTimeout(() => leave.abort(), turn % 7);
        const init = { method: "POST", headers: { ...JSON_RPC, authorization: `Bearer ${key}` }, signal: leave.signal };
        const body = JSON.stringify(callOf("get_account", { id: "anna@shared.com" }));
        await fetch(`${server.url()}/mcp`, { ...init, body }).then(
          (response) => response.text().catch(() => (left += 1)),
          () => (left += 1),
        );
        continue;
      }
      const message = [
        callOf("get_context", { focus: "anna@shared.com" }, turn),
        callOf("get_account", { id: "nobody@shared.com" }, turn),
        callOf("verify", { focus: "anna@shared.com", property: "secret_word" }, turn),
        callOf(
          "record",
          { focus: "anna@shared.com", observations: [{ kind: "state", property: "turn", value: turn }, {}] },
          turn,
        ),
      ][kind];
      const answer = await send(message, { key });
      const { id, result } = answer.body as { id: number; result: { isError?: boolean; content: { text: string }[] } };
      const text = JSON.stringify(result);
      expect([answer.status, id], answer.text).toEqual([200, turn]);
      expect(result.isError === true, text).toBe(kind === 1 || kind === 3);
      expect(text).not.toContain(word === "alpha" ? "beta" : "alpha");
      if (kind === 0 || kind === 2) expect(text).toContain(word);
      answered += 1;
    }
  };
  await Promise.all(tenants.flatMap((tenant) => Array.from({ length: 8 }, (_, seed) => caller(tenant, seed))));
  expect(answered).toBeGreaterThan(100);
  expect(left).toBeGreaterThan(0);
});
