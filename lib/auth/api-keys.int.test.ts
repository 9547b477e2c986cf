import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Listening, listen } from "#lib/db/listen.ts";
import { mintApiKey, revokeApiKey, rotateApiKey } from "#lib/domain/access/api-keys/service.ts";
import { deleteWorkspace, setPlan } from "#lib/domain/workspace/workspaces/service.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { authenticateKey } from "./api-keys.ts";
import { forgetGrants } from "./grant-cache.ts";
import { startKeyChanges, stopKeyChanges } from "./key-changes.ts";
import { mintKey } from "./secret-tokens.ts";

/** Less than the five seconds that a grant is kept: what is noticed sooner was notified. */
const SOON_MS = 4_000;

const LOCAL = "127.0.0.1";
const authenticate = (key: string) => authenticateKey(`Bearer ${key}`, LOCAL);
const codeOf = (key: string) =>
  authenticate(key).then(
    () => "ok",
    (error) => error.code,
  );

describe("the header", () => {
  test.each([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "Bearer rpt_abc",
    `Basic ${mintKey().key}`,
    mintKey().key,
    `Bearer ${mintKey().key}`,
  ])("%s is no key", async (header) => {
    await expect(authenticateKey(header, LOCAL)).rejects.toMatchObject({ code: "unauthorized" });
  });

  test.each(["Bearer", "bearer", "BEARER"])("names the scheme in any case: %s", async (scheme) => {
    const workspace = await createTestWorkspace();
    const key = await workspace.key(["read"]);
    expect((await authenticateKey(`${scheme} ${key}`, LOCAL)).scopes).toEqual(["read"]);
  });
});

describe("a change by another instance", () => {
  beforeAll(startKeyChanges);
  afterAll(stopKeyChanges);

  /**
   * Directly in the database, as another process would, with the notification that a service sends: this process must
   * receive it.
   */
  async function changed(text: string, id: string): Promise<void> {
    await inspect(text, [id]);
    await inspect("SELECT pg_notify('rapport_keys', $1)", [id]);
  }

  async function cachedKey() {
    const workspace = await createTestWorkspace({ plan: "scale" });
    const key = await workspace.key(["read"]);
    await authenticate(key);
    return { key, id: workspace.id };
  }

  test("a revoked key is refused within a moment", async () => {
    const { key, id } = await cachedKey();
    await changed("UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1", id);
    await expect.poll(() => codeOf(key), { timeout: SOON_MS, interval: 10 }).toBe("unauthorized");
  });

  test("the key of a login is refused within a moment of its person's removal", async () => {
    const { key, id } = await cachedKey();
    const login = "UPDATE api_keys SET login_user_id = gen_random_uuid() WHERE workspace_id = $1";
    await changed(login, id); // the user of the login is no member
    await expect.poll(() => codeOf(key), { timeout: SOON_MS, interval: 10 }).toBe("unauthorized");
  });

  test("fewer scopes, other addresses and another plan apply within a moment", async () => {
    const { key, id } = await cachedKey();
    await changed("UPDATE workspaces SET plan = 'free' WHERE id = $1", id);
    await expect.poll(async () => (await authenticate(key)).plan, { timeout: SOON_MS, interval: 10 }).toBe("free");
    await changed("UPDATE api_keys SET allowed_cidrs = '{10.0.0.0/8}' WHERE workspace_id = $1", id);
    await expect.poll(() => codeOf(key), { timeout: SOON_MS, interval: 10 }).toBe("ip_not_allowed");
  });

  test("is noticed although the notification came while the connection was down", async () => {
    const { key, id } = await cachedKey();
    const [ended] = await inspect<{ count: number }>(
      "SELECT count(pg_terminate_backend(pid))::int AS count FROM pg_stat_activity WHERE datname = $1 AND application_name = 'rapport-rapport_keys'",
      [database.name],
    );
    expect(ended?.count).toBe(1);
    await inspect("UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1", [id]);
    await expect.poll(() => codeOf(key), { timeout: SOON_MS, interval: 20 }).toBe("unauthorized");
  });
});

describe("every instance is notified", () => {
  const heard: string[] = [];
  let listening: Listening;
  beforeAll(async () => {
    listening = await listen(
      "rapport_keys",
      (workspace) => heard.push(workspace),
      () => undefined,
    );
  });
  afterAll(() => listening.stop());

  /** How many notifications came for a workspace, once there are `times` of them and no more are pending. */
  async function wordsOf(id: string, times: number): Promise<number> {
    const count = () => heard.filter((workspace) => workspace === id).length;
    await expect.poll(count, { interval: 10 }).toBeGreaterThanOrEqual(times);
    await inspect("SELECT pg_notify('rapport_keys', 'last')");
    await expect.poll(() => heard.includes("last"), { interval: 10 }).toBe(true);
    heard.splice(heard.indexOf("last"), 1);
    return count();
  }

  test("when a key is revoked or replaced, and when the plan changes", async () => {
    const { id, caller } = await createTestWorkspace();
    const mint = async () => (await mintApiKey.execute(caller, { name: "k", scopes: ["read"] })).key.id;
    await revokeApiKey.execute(caller, { id: await mint() });
    expect(await wordsOf(id, 1)).toBe(1);
    await rotateApiKey.execute(caller, { id: await mint(), overlap_hours: 0 });
    expect(await wordsOf(id, 2)).toBe(2);
    await setPlan(caller, "free");
    expect(await wordsOf(id, 3)).toBe(3);
  });

  test("when the workspace is deleted", async () => {
    const { id, caller } = await createTestWorkspace({ name: "Gone" });
    await deleteWorkspace.execute(caller, { confirm: "Gone" });
    expect(await wordsOf(id, 1)).toBe(1);
  });

  test("and not when a change is refused", async () => {
    const { id, caller } = await createTestWorkspace({ name: "Kept" });
    await expect(deleteWorkspace.execute(caller, { confirm: "Other" })).rejects.toThrow();
    expect(await wordsOf(id, 0)).toBe(0);
  });
});

test("a grant that was read before an eviction is not kept after it", async () => {
  const workspace = await createTestWorkspace();
  const key = await workspace.key(["read"]);
  const reading = authenticate(key);
  forgetGrants(workspace.id);
  await reading;
  await inspect("UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1", [workspace.id]);
  expect(await codeOf(key)).toBe("unauthorized");
});
