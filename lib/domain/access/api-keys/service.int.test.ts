import { describe, expect, onTestFinished, test, vi } from "vitest";
import { authenticateKey } from "#lib/auth/api-keys.ts";
import { noteKeyUse, startKeyUses } from "#lib/auth/key-use.ts";
import type { Caller } from "#lib/core/context.ts";
import type { ErrorCode } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import {
  changeApiKey,
  findWorkspaceOfKey,
  getAgentActivity,
  listApiKeys,
  mintApiKey,
  revokeApiKey,
  rotateApiKey,
} from "./service.ts";

const LOCAL = "127.0.0.1";
const bearer = (key: string) => `Bearer ${key}`;
const refusal = (code: ErrorCode) => expect.objectContaining({ code });
const asMember = (caller: Caller): Caller => ({ ...caller, role: "member", scopes: ["read", "write"] });

async function mint(caller: Caller, more: Record<string, unknown> = {}) {
  return mintApiKey.execute(caller, { name: "Agent", scopes: ["read"], ...more });
}

async function auditOf(workspaceId: string): Promise<string[]> {
  const rows = await inspect<{ action: string }>("SELECT action FROM audit_log WHERE workspace_id = $1 ORDER BY at", [
    workspaceId,
  ]);
  return rows.map(({ action }) => action);
}

describe("limits of a key", () => {
  const limits = { kinds: ["companies", "people"], hidden_fields: ["salary", "phone", "phone"] } as const;
  const asked = { kinds: ["people", "companies"], hidden_fields: ["phone", "salary"] };

  test("count from its next request, are changed, and stay with its successor", async () => {
    const { caller } = await createTestWorkspace();
    const { api_key, key } = await mint(caller, limits);
    expect(key).toMatchObject(asked);
    const limitsOf = async (text: string) => (await authenticateKey(bearer(text), LOCAL)).limits;
    expect(await limitsOf(api_key)).toEqual({ kinds: asked.kinds, hiddenFields: asked.hidden_fields });
    const changed = await changeApiKey.execute(caller, { id: key.id, kinds: ["notes"] });
    expect(changed.key).toMatchObject({ kinds: ["notes"], hidden_fields: asked.hidden_fields, approval: "none" });
    expect((await limitsOf(api_key))?.kinds).toEqual(["notes"]);
    const successor = await rotateApiKey.execute({ ...caller, provenAt: new Date() }, { id: key.id });
    expect(await limitsOf(successor.api_key)).toEqual({ kinds: ["notes"], hiddenFields: asked.hidden_fields });
    await changeApiKey.execute(caller, { id: key.id, kinds: [], hidden_fields: [] });
    expect(await limitsOf(api_key)).toBeUndefined();
    expect(await auditOf(caller.workspaceId)).toEqual(
      expect.arrayContaining(["api_key.minted", "api_key.limited", "api_key.rotated"]),
    );
  });

  test.each([
    [{ hidden_fields: ["email"] }, "invalid_parameter"],
    [{ hidden_fields: ["job_title"] }, "invalid_parameter"],
    [{ hidden_fields: ["Phone number"] }, "invalid_parameter"],
    [{ kinds: ["everything"] }, "invalid_parameter"],
    [{ hidden_fields: ["phone"], scopes: ["admin"] }, "invalid_parameter"],
    [{ kinds: ["people"], scopes: ["directory"] }, "invalid_parameter"],
  ] as const)("are refused as %j, and no key is made", async (more, code) => {
    const { caller } = await createTestWorkspace();
    const owner = { ...caller, provenAt: new Date() };
    await expect(mint(owner, more)).rejects.toEqual(refusal(code));
    expect((await listApiKeys.execute(caller, {})).keys).toEqual([]);
  });

  test("need the plan scale, and are kept when it is lowered", async () => {
    const { caller } = await createTestWorkspace({ plan: "growth" });
    await expect(mint(caller, { hidden_fields: ["phone"] })).rejects.toEqual(refusal("feature_not_in_plan"));
    const { api_key, key } = await mint(caller);
    await inspect("UPDATE api_keys SET hidden_fields = '{phone}' WHERE id = $1", [key.id]);
    expect((await authenticateKey(bearer(api_key), LOCAL)).limits).toEqual({ kinds: [], hiddenFields: ["phone"] });
  });
});

describe("minting a key", () => {
  test("answers it once, and it works at once with what it was given", async () => {
    const { caller, id } = await createTestWorkspace();
    const minted = await mint(caller, { name: "  Outreach  ", scopes: ["write", "read"], expires_in_days: 30 });
    expect(minted.key).toMatchObject({
      name: "Outreach",
      scopes: ["read", "write"],
      status: "active",
      created_by: "Another API key",
    });
    expect(minted.key.prefix).toBe(minted.api_key.slice(4, 10));

    const grant = await authenticateKey(bearer(minted.api_key), LOCAL);
    expect(grant).toMatchObject({ workspaceId: id, keyId: minted.key.id, scopes: ["read", "write"], plan: "scale" });
    expect(await auditOf(id)).toContain("api_key.minted");
  });

  test("keeps nothing of it but its hash", async () => {
    const { caller, id } = await createTestWorkspace();
    const { api_key } = await mint(caller);
    const secret = api_key.slice(11);
    const [row] = await inspect<{ text: string }>(
      "SELECT string_agg(k::text, ' ') || (SELECT string_agg(a::text, ' ') FROM audit_log a WHERE workspace_id = $1) AS text FROM api_keys k WHERE workspace_id = $1",
      [id],
    );
    expect(row?.text).toContain(api_key.slice(-4));
    expect(row?.text).not.toContain(secret);
    expect(row?.text).not.toContain(secret.slice(0, 32));
  });

  test("names the person who minted it", async () => {
    const { caller } = await createTestWorkspace();
    const user = newId();
    await inspect("INSERT INTO users (id, email, name) VALUES ($1, $2, 'Ada Lovelace')", [
      user,
      `${user}@acme.example`,
    ]);
    const { key } = await mint({ ...caller, actor: { type: "user", id: user } });
    expect(key.created_by).toBe("Ada Lovelace");
  });

  test.each<[string, Record<string, unknown>, ErrorCode, Record<string, unknown>]>([
    ["a blank name", { name: " " }, "name_required", {}],
    ["no scope", { scopes: [] }, "invalid_parameter", { parameter: "scopes" }],
    ["an unknown scope", { scopes: ["root"] }, "invalid_parameter", {}],
    ["a past expiry", { expires_at: "2020-01-01" }, "invalid_parameter", { parameter: "expires_at" }],
    ["an expiry of no days", { expires_in_days: 0 }, "invalid_parameter", { parameter: "expires_in_days" }],
    [
      "a bad range",
      { allowed_cidrs: ["10.0.0.0/8", "10.0.0.0/40"] },
      "invalid_cidr",
      { value: "10.0.0.0/40", parameter: "allowed_cidrs.1" },
    ],
  ])("refuses %s", async (_, input, code, extras) => {
    const { caller } = await createTestWorkspace();
    await expect(mint(caller, input)).rejects.toEqual(
      expect.objectContaining({ code, extras: expect.objectContaining(extras) }),
    );
    expect((await listApiKeys.execute(caller, {})).keys).toEqual([]);
  });
});

describe("members", () => {
  test("see the keys and change none", async () => {
    const { caller } = await createTestWorkspace();
    const { key } = await mint(caller);
    const member = asMember(caller);
    expect((await listApiKeys.execute(member, {})).keys.map(({ id }) => id)).toEqual([key.id]);
    await expect(mint(member)).rejects.toMatchObject({ status: 403 });
    await expect(mint({ ...member, scopes: ["admin"] })).rejects.toEqual(refusal("role_required"));
    await expect(rotateApiKey.execute(member, { id: key.id })).rejects.toMatchObject({ status: 403 });
    await expect(revokeApiKey.execute(member, { id: key.id })).rejects.toMatchObject({ status: 403 });
  });

  test("of another workspace find nothing", async () => {
    const [ours, theirs] = await Promise.all([createTestWorkspace(), createTestWorkspace()]);
    const { key } = await mint(theirs.caller);
    expect((await listApiKeys.execute(ours.caller, {})).keys).toEqual([]);
    await expect(revokeApiKey.execute(ours.caller, { id: key.id })).rejects.toEqual(refusal("api_key_not_found"));
    await expect(rotateApiKey.execute(ours.caller, { id: key.id })).rejects.toEqual(refusal("api_key_not_found"));
    await expect(rotateApiKey.execute(ours.caller, { id: "x" })).rejects.toEqual(refusal("api_key_not_found"));
  });
});

describe("revoking a key", () => {
  test("ends it with the next request, though its grant was cached", async () => {
    const { caller, id } = await createTestWorkspace();
    const { api_key, key } = await mint(caller);
    await authenticateKey(bearer(api_key), LOCAL);
    const revoked = await revokeApiKey.execute(caller, { id: key.id, confirm: "Agent" });
    expect(revoked.key).toMatchObject({ id: key.id, status: "revoked", revoked_at: expect.any(String) });
    await expect(authenticateKey(bearer(api_key), LOCAL)).rejects.toEqual(refusal("unauthorized"));
    expect(await auditOf(id)).toContain("api_key.revoked");
  });

  test("leaves no cached grant behind, even while look-ups run", async () => {
    const { caller } = await createTestWorkspace();
    for (let round = 0; round < 10; round++) {
      const { api_key, key } = await mint(caller);
      const lookUps = Array.from({ length: 10 }, () => authenticateKey(bearer(api_key), LOCAL).catch(() => null));
      await revokeApiKey.execute(caller, { id: key.id });
      await Promise.all(lookUps);
      await expect(authenticateKey(bearer(api_key), LOCAL)).rejects.toEqual(refusal("unauthorized"));
    }
  });

  test("asks for the name when one is typed, and happens once", async () => {
    const { caller } = await createTestWorkspace();
    const { api_key, key } = await mint(caller);
    await expect(revokeApiKey.execute(caller, { id: key.id, confirm: "agent" })).rejects.toEqual(
      refusal("confirmation_mismatch"),
    );
    await authenticateKey(bearer(api_key), LOCAL);
    await revokeApiKey.execute(caller, { id: key.id });
    await expect(revokeApiKey.execute(caller, { id: key.id })).rejects.toEqual(refusal("api_key_revoked"));
  });
});

describe("rotating a key", () => {
  test("makes a successor like it and leaves the old one its overlap", async () => {
    const { caller, id } = await createTestWorkspace();
    const old = await mint(caller, { expires_in_days: 90, allowed_cidrs: ["127.0.0.0/8"] });
    const next = await rotateApiKey.execute(caller, { id: old.key.id, overlap_hours: 2 });
    expect(next.key).toMatchObject({
      name: "Agent",
      scopes: ["read"],
      allowed_cidrs: ["127.0.0.0/8"],
      status: "active",
    });
    const lifeOf = (key: typeof next.key) => Date.parse(key.expires_at ?? "") - Date.parse(key.created_at);
    expect(lifeOf(next.key)).toBe(lifeOf(old.key));

    const { keys } = await listApiKeys.execute(caller, {});
    const replaced = keys.find((key) => key.id === old.key.id);
    expect(replaced).toMatchObject({ status: "expiring", replaced_by: next.key.id });
    expect(Math.abs(Date.parse(replaced?.expires_at ?? "") - Date.now() - 2 * 3_600_000)).toBeLessThan(60_000);
    await authenticateKey(bearer(old.api_key), LOCAL);
    await authenticateKey(bearer(next.api_key), LOCAL);
    expect(await auditOf(id)).toContain("api_key.rotated");
  });

  test("without overlap ends the old one with the next request", async () => {
    const { caller } = await createTestWorkspace();
    const old = await mint(caller);
    await authenticateKey(bearer(old.api_key), LOCAL);
    const next = await rotateApiKey.execute(caller, { id: old.key.id, overlap_hours: 0 });
    await expect(authenticateKey(bearer(old.api_key), LOCAL)).rejects.toEqual(refusal("unauthorized"));
    await authenticateKey(bearer(next.api_key), LOCAL);
    expect(next.key.expires_at).toBeNull();
  });

  test("never lengthens the life of the old one", async () => {
    const { caller } = await createTestWorkspace();
    const old = await mint(caller, { expires_in_days: 1 });
    await rotateApiKey.execute(caller, { id: old.key.id, overlap_hours: 720 });
    const { keys } = await listApiKeys.execute(caller, {});
    expect(keys.find((key) => key.id === old.key.id)?.expires_at).toBe(old.key.expires_at);
  });

  test("by two at once makes one successor", async () => {
    const { caller } = await createTestWorkspace();
    const { key } = await mint(caller);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => rotateApiKey.execute(caller, { id: key.id })),
    );
    const refused = outcomes.filter((outcome) => outcome.status === "rejected").map(({ reason }) => reason.code);
    expect(refused).toEqual(Array.from({ length: 7 }, () => "api_key_revoked"));
    expect((await listApiKeys.execute(caller, {})).keys).toHaveLength(2);
  });

  test.each([721, -1, 1.5])("refuses an overlap of %d hours", async (overlap_hours) => {
    const { caller } = await createTestWorkspace();
    const { key } = await mint(caller);
    await expect(rotateApiKey.execute(caller, { id: key.id, overlap_hours })).rejects.toEqual(
      refusal("invalid_parameter"),
    );
  });

  test("refuses a revoked key", async () => {
    const { caller } = await createTestWorkspace();
    const { key } = await mint(caller);
    await revokeApiKey.execute(caller, { id: key.id });
    await expect(rotateApiKey.execute(caller, { id: key.id })).rejects.toEqual(refusal("api_key_revoked"));
  });
});

describe("a key", () => {
  test("ends at its expiry, cached or not", async () => {
    const { caller } = await createTestWorkspace();
    const end = Date.now() + 60_000;
    const { api_key } = await mint(caller, { expires_at: new Date(end).toISOString() });
    await authenticateKey(bearer(api_key), LOCAL);
    vi.useFakeTimers({ toFake: ["Date"], now: end + 50 });
    onTestFinished(() => void vi.useRealTimers());
    await expect(authenticateKey(bearer(api_key), LOCAL)).rejects.toEqual(refusal("unauthorized"));
    expect((await listApiKeys.execute(caller, {})).keys[0]?.status).toBe("expired");
  });

  test.each([
    ["10.1.2.3", true],
    ["::ffff:10.1.2.3", true],
    ["11.0.0.1", false],
    ["::ffff:11.0.0.1", false],
    ["2001:db8::9", true],
    ["2001:db9::9", false],
    ["192.0.2.7", true],
    ["192.0.2.8", false],
  ])("with ranges, used from %s: %s", async (ip, allowed) => {
    const { caller } = await createTestWorkspace();
    const { api_key, key } = await mint(caller, {
      allowed_cidrs: ["10.9.9.9/8", "2001:DB8::/32", "::ffff:192.0.2.7", "10.0.0.0/8"],
    });
    expect(key.allowed_cidrs).toEqual(["10.0.0.0/8", "2001:db8::/32", "192.0.2.7/32"]);
    const attempt = authenticateKey(bearer(api_key), ip);
    if (allowed) expect((await attempt).keyId).toBe(key.id);
    else await expect(attempt).rejects.toEqual(refusal("ip_not_allowed"));
  });

  test("is found by an operator who knows its id alone", async () => {
    const spaces = await Promise.all(Array.from({ length: 10 }, () => createTestWorkspace()));
    const last = spaces[9];
    if (!last) throw new Error("there are ten workspaces");
    const { key } = await mint(last.caller);
    const ids = spaces.map(({ id }) => id);
    expect(await findWorkspaceOfKey(ids, key.id)).toBe(last.id);
    expect(await findWorkspaceOfKey(ids, newId())).toBeNull();
  });
});

describe("agent activity", () => {
  test("is nothing before the first call, and shows it before it is written", async () => {
    const { caller, id } = await createTestWorkspace();
    const { key } = await mint(caller);
    const nothing = { last_used_at: null, client: null, key_id: null, key_name: null, at_work: false };
    expect(await getAgentActivity.execute(caller, {})).toEqual(nothing);
    noteKeyUse(id, key.id, "codex/1.0");
    expect(await getAgentActivity.execute(caller, {})).toEqual({
      last_used_at: expect.any(String),
      client: "codex/1.0",
      key_id: key.id,
      key_name: "Agent",
      at_work: false,
    });
    expect((await listApiKeys.execute(caller, {})).keys[0]?.last_used_client).toBe("codex/1.0");
  });

  test("says that an agent is at work once one has asked for a context or recorded something", async () => {
    const { caller, id } = await createTestWorkspace();
    const { key } = await mint(caller);
    const note = (operation: string, status: number) =>
      inspect(
        "INSERT INTO latest_calls (workspace_id, caller_id, calls, oldest_at) VALUES ($1, $2, $3, now()) ON CONFLICT (workspace_id, caller_id) DO UPDATE SET calls = EXCLUDED.calls",
        [
          ...[id, key.id],
          JSON.stringify([{ at: new Date().toISOString(), method: "POST", path: "/mcp", operation, status, ms: 3 }]),
        ],
      );
    const atWork = async () => (await getAgentActivity.execute(caller, {})).at_work;
    await note("listFacts", 200);
    expect(await atWork()).toBe(false);
    await note("recordObservations", 403);
    expect(await atWork()).toBe(false);
    await note("get_context", 200);
    expect(await atWork()).toBe(true);
  });

  test("reaches the database with the first use, later uses at most once a minute", async () => {
    const { caller, id } = await createTestWorkspace();
    const { key } = await mint(caller);
    const failures: unknown[] = [];
    const stop = startKeyUses((error) => failures.push(error));
    const written = async () =>
      (
        await inspect<{ at: Date; client: string }>(
          "SELECT last_used_at AS at, last_used_client AS client FROM api_keys WHERE id = $1",
          [key.id],
        )
      )[0];
    noteKeyUse(id, key.id, "first");
    await expect.poll(async () => (await written())?.client).toBe("first");
    noteKeyUse(id, key.id, "second");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await written())?.client).toBe("first");
    expect((await getAgentActivity.execute(caller, {})).client).toBe("second");
    await stop();
    expect((await written())?.client).toBe("second");
    expect(failures).toEqual([]);
  });
});
