import path from "node:path";
import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { getDefaultEnvironment, StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, test } from "vitest";
import { saveFact } from "#lib/domain/records/facts/service.ts";
import { heldStreams } from "#lib/http/streams.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { driveEveryTool } from "#lib/testing/tools.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { bridge } from "./bridge.ts";

const server = useServer();

type Message = { id?: number; result?: Record<string, unknown>; error?: { code: number; message: string } };

/** A bridge, and the other ends of its streams. */
function start(key: string, address = `${server.url()}/mcp`) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = bridge({ address, key, client: "rapport-cli/test" }, input, output).then(() => output.end());
  const answers: Message[] = [];
  let rest = "";
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    answers.push(...lines.map((line) => JSON.parse(line) as Message));
  });
  return {
    answers,
    say: (message: unknown) => input.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`),
    async end() {
      input.end();
      await ended;
      return answers;
    },
  };
}

/** The transport of the official clients over the bridge's streams. */
function transportOver(key: string) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = bridge({ address: `${server.url()}/mcp`, key, client: "rapport-cli/test" }, input, output);
  let rest = "";
  const transport = {
    onmessage: undefined as ((message: unknown) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    async start() {
      output.setEncoding("utf8").on("data", (chunk: string) => {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) transport.onmessage?.(JSON.parse(line));
      });
    },
    async send(message: unknown) {
      input.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      input.end();
      await ended;
      transport.onclose?.();
    },
  };
  return transport;
}

/** The command itself, as an agent on this machine starts it. */
const command = (key: string, ...more: string[]) => ({
  command: process.execPath,
  args: [path.join(import.meta.dirname, "../../bin/rapport.mjs"), "mcp", ...more],
  env: { ...getDefaultEnvironment(), RAPPORT_URL: server.url(), RAPPORT_API_KEY: key },
});

describe("rapport mcp", () => {
  test.each([
    [
      "v1",
      async (key: string) => {
        const client = new OldClient({ name: "desktop", version: "1" });
        await client.connect(new OldStdio(command(key)));
        return client;
      },
    ],
    [
      "v2",
      async (key: string) => {
        const client = new Client({ name: "desktop", version: "1" });
        await client.connect(new StdioClientTransport(command(key)));
        return client;
      },
    ],
  ] as const)("lets the official client %s call every tool over standard streams", async (_, connect) => {
    const client = await connect(await keyOf());
    expect(await driveEveryTool(client)).toContain("record");
    await client.close();
  });

  test("offers only the tools it was started with", async () => {
    const client = new Client({ name: "desktop", version: "1" });
    await client.connect(new StdioClientTransport(command(await keyOf(), "--tools", "get_context,search")));
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(["get_context", "search"]);
    await client.close();
  });
});

const keyOf = async () => (await createTestWorkspace()).key();
const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });

describe("the official clients over standard streams", () => {
  test.each(["v1", "v2 legacy", "v2 modern"])("%s lists and calls", async (generation) => {
    const transport = transportOver(await keyOf()) as never;
    const info = { name: "stdio-test", version: "1" };
    const mode = generation === "v2 modern" ? { pin: "2026-07-28" } : ("legacy" as const);
    const client = generation === "v1" ? new OldClient(info) : new Client(info, { versionNegotiation: { mode } });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("get_context");
    const observations = [{ kind: "state", property: "job_title", value: "Chief “Ünïcode” Officer" }];
    const recorded = await client.callTool({ name: "record", arguments: { focus: "anna@acme.com", observations } });
    expect(recorded.structuredContent).toMatchObject({ recorded: 1 });
    const read = await client.readResource({ uri: "rapport://accounts/anna@acme.com" });
    expect(JSON.stringify(read)).toContain("Ünïcode");
    await client.close();
  });
});

test("messages that are sent at once are each answered under their own id, and the end waits for all", async () => {
  const { say, end } = start(await keyOf());
  for (let id = 1; id <= 40; id++) say(ping(id));
  const answers = await end();
  expect(answers.map(({ id }) => id).sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 40 }, (_, i) => i + 1),
  );
  expect(answers.every(({ result }) => result !== undefined)).toBe(true);
});

test.each([
  ["a key that is not accepted", "rpt_wrong", undefined, /does not accept the API key\. Run `rapport login`/],
  ["a server that is away", "rpt_x", "http://127.0.0.1:59321/mcp", /cannot be reached \(ECONNREFUSED\)/],
])("%s is told as the answer of the message", async (_, key, address, told) => {
  const { say, end } = start(key, address);
  say(ping(7));
  say({ jsonrpc: "2.0", method: "notifications/initialized" });
  expect(await end()).toMatchObject([{ id: 7, error: { code: -32_000, message: expect.stringMatching(told) } }]);
});

test("a line that is no JSON does not end it", async () => {
  const { say, end } = start(await keyOf());
  say("{broken");
  say(ping(1));
  const answers = await end();
  expect(answers.find(({ error }) => error)?.error?.code).toBe(-32_700);
  expect(answers.find(({ id }) => id === 1)?.result).toEqual({});
});

test("passes on what a stream tells, until the input ends", async () => {
  const workspace = await createTestWorkspace();
  const { say, answers, end } = start(await workspace.key());
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "desktop", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const notifications = { resourceSubscriptions: ["rapport://gtm-profile"] };
  say({ jsonrpc: "2.0", id: "s", method: "subscriptions/listen", params: { _meta, notifications } });
  const methods = () => answers.map((answer) => (answer as { method?: string }).method);
  const acknowledged = "notifications/subscriptions/acknowledged";
  await expect.poll(methods).toEqual([acknowledged]);
  await saveFact.execute(workspace.caller, { section: "ICP", content: "Fintechs" });
  await expect.poll(methods).toEqual([acknowledged, "notifications/resources/updated"]);
  await end();
  await expect.poll(heldStreams).toBe(0);
});
