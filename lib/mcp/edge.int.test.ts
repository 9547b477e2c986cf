/** `/mcp` at its edges: who may reach it, what is no message, and two tenants at once. */
import http from "node:http";
import { describe, expect, test } from "vitest";
import { lastUseOf } from "#lib/auth/key-use.ts";
import { inspect } from "#lib/testing/database.ts";
import { ERROR, useLog } from "#lib/testing/log.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { tools } from "./tools.ts";

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
    const isText = message === undefined || typeof message === "string" || message instanceof Uint8Array;
    request.end(isText ? message : JSON.stringify(message));
  });
}

/** What each request of the revision of 2026 says about its client. */
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "probe", version: "9" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

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
    await expect.poll(async () => (await send(initialize, { key })).status).toBe(401);
  });
});

describe("what is no message", () => {
  const logged = useLog();

  test.each(["GET", "DELETE", "PUT"])("%s is 405 and says what is allowed", async (method) => {
    const answer = await send(undefined, { key: await keyOf(), method });
    expect([answer.status, answer.headers.allow]).toEqual([405, "POST"]);
  });

  test.each([
    ["broken JSON", "{", 400, -32700],
    ["no body", "", 400, -32700],
    ["bytes that are no UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, -32700],
    ["no JSON-RPC", { hello: 1 }, 400, -32600],
    ["a batch of nothing", [], 400, -32600],
    ["a batch of null", [null], 400, -32600],
    ["a batch of numbers", [1, 2], 400, -32600],
    ["null", null, 400, -32600],
    ["a text", '"ping"', 400, -32600],
    ["more values than anyone needs", `[${"0,".repeat(300_001)}0]`, 400, -32600],
    ["nested without end", `${"[".repeat(60_000)}${"]".repeat(60_000)}`, 400, -32600],
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
    expect(logged.lines().filter(({ level }) => level >= ERROR)).toEqual([]);
  });

  const nameOf = (params: unknown) => {
    const { name } = params as { name?: unknown };
    return typeof name === "string" ? { "mcp-name": name } : {};
  };
  const prompt = { type: "ref/prompt", name: "draft_email" };
  const wrongParams: [method: string, params: unknown, parameter: string][] = [
    ["initialize", undefined, "params"],
    ["initialize", { ...initialize.params, protocolVersion: 5 }, "protocolVersion"],
    ["prompts/get", undefined, "params"],
    ["prompts/get", { name: 5 }, "name"],
    ["prompts/get", { name: "draft_email", arguments: 5 }, "arguments"],
    ["prompts/get", { name: "draft_email", arguments: { focus: 5 } }, "arguments.focus"],
    ["resources/read", {}, "uri"],
    ["resources/read", { uri: ["rapport://activity"] }, "uri"],
    ["completion/complete", { ref: 5, argument: { name: "focus", value: "a" } }, "ref"],
    ["completion/complete", { ref: prompt }, "argument"],
    ["completion/complete", { ref: prompt, argument: { name: "focus", value: 5 } }, "argument.value"],
    ["tools/call", undefined, "params"],
    ["tools/call", { name: {} }, "name"],
    ["tools/call", { name: "query", arguments: [] }, "arguments"],
    ...["tools/list", "resources/list", "resources/templates/list", "prompts/list"].map(
      (method): [string, unknown, string] => [method, { cursor: 5 }, "cursor"],
    ),
  ];
  const revisions = [
    ["2025", (params: unknown) => ({ message: params, headers: {} })],
    [
      "2026",
      (params: unknown, method: string) => ({
        message: { ...(params as object | undefined), _meta: envelope },
        headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...nameOf(params) },
      }),
    ],
  ] as const;

  test.each(wrongParams)("%s with %j is told in a sentence what is wrong", async (method, params, parameter) => {
    const key = await keyOf();
    for (const [revision, wrap] of revisions) {
      if (revision === "2026" && (method === "initialize" || params === undefined)) continue;
      const { message, headers } = wrap(params, method);
      const answer = await send({ jsonrpc: "2.0", id: 7, method, params: message }, { key, headers });
      const { code, message: said, data } = answer.body.error as { code: number; message: string; data: object };
      expect([answer.status, answer.body.id, code], answer.text).toEqual([200, 7, -32602]);
      expect(said).toMatch(new RegExp(`^invalid_parameter: ${parameter}: [a-z][^\\[{"\\n]*\\.$`));
      expect(data).toMatchObject({ parameter, request_id: answer.headers["x-request-id"] });
    }
    expect(logged.lines().filter(({ level }) => level >= ERROR)).toEqual([]);
  });

  test("a request of a batch that is taken back in the same batch is answered all the same", async () => {
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    const answer = await send([callOf("get_workspace_status", {}), cancel], { key: await keyOf() });
    expect([answer.status, answer.body.id]).toEqual([200, 1]);
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

/** Text that JSON can write and Postgres cannot keep. */
const BROKEN = ["\u0000", "a\u0000b", "\ud800", "x\udc00y"];

describe("text that no database keeps", () => {
  const logged = useLog();

  type Failure = { isError?: boolean; structuredContent?: { error?: string } };
  const refusedAsInvalid = (answer: Answer) => {
    const { result, error } = answer.body as { result?: Failure; error?: { code: number; message: string } };
    if (result)
      expect([result.isError, result.structuredContent?.error], answer.text).toEqual([true, "invalid_parameter"]);
    else
      expect([error?.code, error?.message], answer.text).toEqual([
        -32602,
        expect.stringMatching(/^invalid_parameter: /),
      ]);
    expect(answer.status).toBe(200);
    expect(logged.lines().filter(({ level }) => level >= ERROR)).toEqual([]);
  };

  test.each(tools.map((tool) => [tool.name, tool] as const))(
    "is refused by %s in each parameter",
    async (name, tool) => {
      const key = await keyOf();
      const parameters = Object.keys(tool.definition.inputSchema.properties as object);
      for (const [at, parameter] of parameters.entries()) {
        const broken = BROKEN[at % BROKEN.length] as string;
        for (const value of [broken, [broken], { [broken]: 1 }, { a: [{ b: broken }] }]) {
          const given = { ...Object.fromEntries(parameters.map((each) => [each, "a"])), [parameter]: value };
          refusedAsInvalid(await send(callOf(name, given), { key }));
        }
        const params = { name, arguments: { [parameter]: broken }, _meta: envelope };
        const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name };
        refusedAsInvalid(await send({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, { key, headers }));
      }
    },
  );

  test.each([...BROKEN, encodeURIComponent("\u0000"), "anna%00"])(
    "is refused in the address of a resource: %j",
    async (focus) => {
      const params = { uri: `rapport://accounts/${focus}` };
      refusedAsInvalid(await send({ jsonrpc: "2.0", id: 1, method: "resources/read", params }, { key: await keyOf() }));
    },
  );

  test.each(BROKEN)("is refused by prompts and completions: %j", async (text) => {
    const key = await keyOf();
    const params = { name: "draft_email", arguments: { focus: text } };
    refusedAsInvalid(await send({ jsonrpc: "2.0", id: 1, method: "prompts/get", params }, { key }));
    const ref = { type: "ref/prompt", name: "draft_email" };
    const complete = { ref, argument: { name: "focus", value: text } };
    refusedAsInvalid(await send({ jsonrpc: "2.0", id: 1, method: "completion/complete", params: complete }, { key }));
  });

  test.each(BROKEN)("does no harm where nothing is recorded: %j", async (text) => {
    const key = await keyOf();
    const messages = [
      { ...initialize, params: { ...initialize.params, clientInfo: { name: text, version: text } } },
      { jsonrpc: "2.0", id: text, method: "ping" },
      { jsonrpc: "2.0", id: 1, method: text },
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: text, arguments: {} } },
      { jsonrpc: "2.0", id: 1, method: "prompts/get", params: { name: text } },
      { jsonrpc: "2.0", id: 1, method: "ping", params: { _meta: { progressToken: text, [text]: text } } },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: text, reason: text } },
      [callOf("get_workspace_status", {}), { jsonrpc: "2.0", id: text, method: "tools/list" }],
    ];
    for (const message of messages) expect((await send(message, { key })).status).toBeLessThan(500);
    expect(logged.lines().filter(({ level }) => level >= ERROR)).toEqual([]);
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
  const CALLERS = 8;
  const TURNS = 20;
  let answered = 0;
  let left = 0;
  const caller = async ({ word, key }: (typeof tenants)[number], seed: number) => {
    for (let turn = seed; turn < seed + TURNS; turn++) {
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
      type Result = { isError?: boolean; structuredContent?: { error?: string } };
      const { id, result } = answer.body as { id: number; result: Result };
      const text = JSON.stringify(result);
      if (result.structuredContent?.error === "not_ready") {
        turn--; // a machine that is busy otherwise: asked again, as the answer says
        continue;
      }
      expect([answer.status, id], answer.text).toEqual([200, turn]);
      expect(result.isError === true, text).toBe(kind === 1 || kind === 3);
      expect(text).not.toContain(word === "alpha" ? "beta" : "alpha");
      if (kind === 0 || kind === 2) expect(text).toContain(word);
      answered += 1;
    }
  };
  await Promise.all(tenants.flatMap((tenant) => Array.from({ length: CALLERS }, (_, seed) => caller(tenant, seed))));
  expect(answered).toBe(2 * CALLERS * TURNS * (4 / 5));
  expect(left).toBeGreaterThan(0);
});
