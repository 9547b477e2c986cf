import { beforeEach, expect, test } from "vitest";
import { noteCall, writeCalls } from "#lib/auth/calls.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { mintApiKey } from "#lib/domain/access/api-keys/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { sweepCalls } from "./jobs.ts";
import { getAgentUsage, getKeyUsage } from "./service.ts";

const server = useServer();

const CALL = { method: "GET", path: "/v2/people", operation: "listPeople", status: 200, ms: 1.5 };

/** A call as the server notes it. */
const countCall = (workspaceId: WorkspaceId, callerId: string, client: string | null, now?: number) =>
  noteCall({ workspaceId, callerId, client }, CALL, now);

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

test("what a workspace counted that is deleted is dropped at once", async () => {
  const { id } = await createTestWorkspace();
  countCall(id, newId(), "agent");
  await inspect("DELETE FROM workspaces WHERE id = $1", [id]);
  await expect(writeCalls()).resolves.toBeUndefined();
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

test("the last calls of a key are kept with their result and without what was sent", async () => {
  const [ours, theirs] = [await createTestWorkspace(), await createTestWorkspace()];
  const minted = await mintApiKey.execute(ours.caller, { name: "Agent", scopes: ["read"] });
  const { id } = minted.key;
  const key = minted.api_key;
  await server.call("/v2/people/secret@acme.com?search=hidden", { key, headers: { "x-service-client": "crm-sync/1" } });
  await server.call("/v2/observations", { key, body: { focus: "secret@acme.com", observations: [] } });
  await server.call("/mcp", {
    key,
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "attention", arguments: {} } },
    headers: { accept: "application/json, text/event-stream" },
  });
  await writeCalls();
  const { by_day, calls } = await getKeyUsage.execute(ours.caller, { id, days: 2 });
  expect(by_day).toEqual([0, 3]);
  expect(calls.map(({ method, path, operation, status, client }) => [method, path, operation, status, client])).toEqual(
    [
      ["POST", "/mcp", "attention", 200, null],
      ["POST", "/v2/observations", "recordObservations", 403, null],
      ["GET", "/v2/people/:focus", "getPerson", 400, "crm-sync/1"],
    ],
  );
  expect(JSON.stringify(calls)).not.toMatch(/secret|hidden/);
  await expect(getKeyUsage.execute(theirs.caller, { id })).rejects.toMatchObject({ code: "api_key_not_found" });
});

test("a hundred calls are kept, the latest first, from several writes and instances", async () => {
  const { id: workspaceId, caller } = await createTestWorkspace();
  const { key } = await mintApiKey.execute(caller, { name: "Agent", scopes: ["read"] });
  const start = Date.now() - 1_000;
  const note = (ms: number) => noteCall({ workspaceId, callerId: key.id, client: null }, { ...CALL, ms }, start + ms);
  for (let ms = 0; ms < 70; ms++) note(ms);
  await writeCalls();
  for (let ms = 70; ms < 350; ms++) note(ms);
  await writeCalls();
  for (let ms = 350; ms < 360; ms++) note(ms);
  await writeCalls();
  const { calls } = await getKeyUsage.execute(caller, { id: key.id });
  expect(calls.map(({ ms }) => ms)).toEqual(Array.from({ length: 100 }, (_, index) => 359 - index));
});

test("calls older than seven days are neither shown nor kept", async () => {
  const { id: workspaceId, caller } = await createTestWorkspace();
  const [one, other] = [
    await mintApiKey.execute(caller, { name: "One", scopes: ["read"] }),
    await mintApiKey.execute(caller, { name: "Other", scopes: ["read"] }),
  ];
  const now = Date.now();
  const note = (callerId: string, days: number) =>
    noteCall({ workspaceId, callerId, client: null }, { ...CALL, ms: days }, now - days * DAY_MS);
  for (const days of [8, 6]) note(one.key.id, days);
  note(other.key.id, 8);
  await writeCalls();
  const shown = await getKeyUsage.execute(caller, { id: one.key.id });
  expect(shown.calls.map(({ ms }) => ms)).toEqual([6]);
  await sweepCalls(workspaceId, new Date(now));
  const kept = await inspect<{ calls: { ms: number }[] }>("SELECT calls FROM latest_calls WHERE workspace_id = $1", [
    workspaceId,
  ]);
  expect(kept.map(({ calls }) => calls.map(({ ms }) => ms))).toEqual([[6]]);
});
