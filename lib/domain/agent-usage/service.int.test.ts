import { beforeEach, expect, test } from "vitest";
import { countCall, writeCalls } from "#lib/auth/calls.ts";
import { newId } from "#lib/core/ids.ts";
import { DAY_MS } from "#lib/core/time.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { sweepCalls } from "./jobs.ts";
import { getAgentUsage } from "./service.ts";

const server = useServer();
beforeEach(() => writeCalls());

test("calls are counted by client and day, over REST and MCP, and only in their workspace", async () => {
  const [ours, theirs] = [await createTestWorkspace(), await createTestWorkspace()];
  const [key, other] = [await ours.key(), await theirs.key()];
  for (const client of ["crm-sync/1", "crm-sync/1", "zapier"])
    await server.call("/v2/people", { key, headers: { "x-service-client": client } });
  await server.call("/v2/people", { key });
  await server.call("/v2/people", { key: other, headers: { "x-service-client": "theirs" } });
  const clientInfo = { name: "Claude Code", version: "2.1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  await server.call("/mcp", {
    key,
    body: { jsonrpc: "2.0", id: 1, method: "initialize", params },
    headers: { accept: "application/json, text/event-stream" },
  });
  await writeCalls();
  const usage = await getAgentUsage.execute(ours.caller, { days: 2 });
  expect(usage.total).toBe(5);
  expect(usage.clients.map(({ client, calls, by_day }) => [client, calls, by_day])).toEqual(
    expect.arrayContaining([
      ["crm-sync/1", 2, [0, 2]],
      ["zapier", 1, [0, 1]],
      ["unknown", 1, [0, 1]],
      ["Claude-Code/2.1", 1, [0, 1]],
    ]),
  );
  expect((await getAgentUsage.execute(theirs.caller, {})).clients.map(({ client }) => client)).toEqual(["theirs"]);
});

test("two writes of the same client add up, and many names of one key are counted together", async () => {
  const { id, caller } = await createTestWorkspace();
  const key = newId();
  for (let call = 0; call < 3; call++) {
    countCall(id, key, "agent");
    await writeCalls();
  }
  for (let name = 0; name < 40; name++) countCall(id, key, `name-${name}`);
  await Promise.all([writeCalls(), writeCalls()]);
  const { total, clients } = await getAgentUsage.execute(caller, { days: 1 });
  expect(total).toBe(43);
  expect(clients.find(({ client }) => client === "agent")?.calls).toBe(3);
  expect(clients.find(({ client }) => client === "other")?.calls).toBe(20);
});

test("counts that cannot be written are kept for the next time", async () => {
  const { id, caller } = await createTestWorkspace();
  const key = newId();
  await inspect("ALTER TABLE client_calls RENAME TO client_calls_away");
  countCall(id, key, "agent");
  await expect(writeCalls()).rejects.toThrow();
  await inspect("ALTER TABLE client_calls_away RENAME TO client_calls");
  countCall(id, key, "agent");
  await writeCalls();
  expect((await getAgentUsage.execute(caller, { days: 1 })).total).toBe(2);
});

test("after 90 days counts are removed", async () => {
  const { id } = await createTestWorkspace();
  const now = new Date();
  countCall(id, newId(), "old", now.getTime() - 90 * DAY_MS);
  countCall(id, newId(), "kept", now.getTime() - 89 * DAY_MS);
  await writeCalls();
  await sweepCalls(id, now);
  const rows = await inspect<{ client: string }>("SELECT client FROM client_calls WHERE workspace_id = $1", [id]);
  expect(rows.map(({ client }) => client)).toEqual(["kept"]);
});
