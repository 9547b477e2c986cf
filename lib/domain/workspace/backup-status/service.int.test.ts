import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getBoot } from "#lib/settings/boot.ts";
import { bootWith, database } from "#lib/testing/database.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { getBackups } from "./service.ts";

const folder = path.join(database.dataDir, "backups");
const made_at = new Date().toISOString();
let first: TestWorkspace;
let second: TestWorkspace;

beforeAll(async () => {
  first = await createTestWorkspace();
  second = await createTestWorkspace();
  const backup = path.join(folder, "rapport-now");
  mkdirSync(backup, { recursive: true });
  const counts = { before: {}, after: {} };
  const file = { file: "database.tar.zst", bytes: 1234, sha256: "", unpacked: 5678 };
  const manifest = { format: 1, rapport: "1", postgres: "17.1", made_at, seconds: 1, database: file, counts };
  writeFileSync(path.join(backup, "backup.json"), JSON.stringify(manifest));
});
afterAll(() => {
  bootWith();
  rmSync(folder, { recursive: true });
});

test("every workspace hears how old its backup is; folder and commands are for who runs the server", async () => {
  bootWith({ DATABASE_URL: "", BACKUP_TO: folder, BACKUP_EVERY: "24h" });
  expect(getBoot().env.BACKUP_EVERY).toBe(86_400_000);
  const next_at = new Date(Date.parse(made_at) + 86_400_000).toISOString();
  const shared = { database: "embedded", state: "late", made_at, verified_at: null, next_at, moments: null };
  expect(await getBackups.execute(second.caller, {})).toEqual({ ...shared, server: null });
  expect(await getBackups.execute({ ...first.caller, role: "admin" }, {})).toEqual({ ...shared, server: null });
  expect(await getBackups.execute(first.caller, {})).toEqual({
    ...shared,
    server: {
      ...{ folder, problem: null, wrong: [] },
      backups: [{ name: "rapport-now", made_at, bytes: 1234, verified_at: null, is_whole: null }],
    },
  });

  writeFileSync(path.join(folder, "rapport-now", "backup.json"), "{}");
  const { state, server } = await getBackups.execute(first.caller, {});
  expect([state, server?.problem]).toEqual(["failing", expect.stringContaining("backup.json is damaged")]);
  bootWith({ DATABASE_URL: "" });
  expect(await getBackups.execute(first.caller, {})).toMatchObject({ state: "off", server: null });
});
