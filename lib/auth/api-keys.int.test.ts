import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { database, inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { authenticateKey, forgetGrants } from "./api-keys.ts";
import { startKeyChanges, stopKeyChanges } from "./key-changes.ts";
import { mintKey } from "./secret-tokens.ts";

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

describe("what another instance changes", () => {
  beforeAll(startKeyChanges);
  afterAll(stopKeyChanges);

  /** Straight into the database, as another process would: this one has to hear of it. */
  async function cachedKey() {
    const workspace = await createTestWorkspace({ plan: "scale" });
    const key = await workspace.key(["read"]);
    await authenticate(key);
    return { key, id: workspace.id };
  }

  test("a revoked key is refused within a moment", async () => {
    const { key, id } = await cachedKey();
    await inspect("UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1", [id]);
    await expect.poll(() => codeOf(key), { timeout: 1_000, interval: 10 }).toBe("unauthorized");
  });

  test("fewer scopes, other addresses and another plan count within a moment", async () => {
    const { key, id } = await cachedKey();
    await inspect("UPDATE workspaces SET plan = 'free' WHERE id = $1", [id]);
    await expect.poll(async () => (await authenticate(key)).plan, { timeout: 1_000, interval: 10 }).toBe("free");
    await inspect("UPDATE api_keys SET allowed_cidrs = '{10.0.0.0/8}' WHERE workspace_id = $1", [id]);
    await expect.poll(() => codeOf(key), { timeout: 1_000, interval: 10 }).toBe("ip_not_allowed");
  });

  test("is noticed although the notification came while the connection was down", async () => {
    const { key, id } = await cachedKey();
    const [ended] = await inspect<{ count: number }>(
      "SELECT count(pg_terminate_backend(pid))::int AS count FROM pg_stat_activity WHERE datname = $1 AND application_name = 'rapport-rapport_keys'",
      [database.name],
    );
    expect(ended?.count).toBe(1);
    await inspect("UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1", [id]);
    await expect.poll(() => codeOf(key), { timeout: 3_000, interval: 20 }).toBe("unauthorized");
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
