import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readEnv } from "#lib/settings/env.ts";
import { MANIFEST, PROOF } from "./manifest.ts";
import { backupState, isDue, lookAtBackups, readStatus } from "./status.ts";

const HOUR = 3_600_000;
const root = mkdtempSync(path.join(tmpdir(), "rapport-status-"));
afterAll(() => rmSync(root, { recursive: true }));

const settings = { RAPPORT_DATA_DIR: root, BACKUP_TO: path.join(root, "backups"), BACKUP_EVERY: "24h" };
const envWith = (more: Record<string, string> = {}) =>
  readEnv({ ...settings, ...more } as unknown as NodeJS.ProcessEnv);
const env = envWith();
const now = Date.now();
const made_at = new Date(now).toISOString();

function put(name: string, value: object): void {
  const folder = path.join(settings.BACKUP_TO, "rapport-now");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), JSON.stringify(value));
}

test("what is due follows from what was seen last, and from the present settings", async () => {
  expect([isDue(env, now), backupState(env).state]).toEqual([true, "late"]);
  await lookAtBackups(env, null); // there is no folder
  expect([isDue(env, now), isDue(env, now + 0.3 * HOUR), backupState(env).state]).toEqual([false, true, "failing"]);

  const database = { file: "database.tar.zst", bytes: 1, sha256: "", unpacked: 1 };
  const counts = { before: {}, after: {} };
  put(MANIFEST, { format: 1, rapport: "1", postgres: "17", made_at, seconds: 1, database, counts });
  await lookAtBackups(env, null);
  expect([isDue(env, now), readStatus(env)?.made_at]).toEqual([true, made_at]); // it was never proved
  put(PROOF, { verified_at: made_at, seconds: 1, counts: {}, entities: 0, different: 0, wrong: [] });
  await lookAtBackups(env, null);
  expect([isDue(env, now + 23 * HOUR), isDue(env, now + 24 * HOUR)]).toEqual([false, true]);
  expect([
    isDue(envWith({ BACKUP_EVERY: "1h" }), now + HOUR),
    isDue(envWith({ BACKUP_EVERY: "30d" }), now + 167 * HOUR),
  ]).toEqual([true, false]);
  expect(isDue(envWith({ BACKUP_EVERY: "30d" }), now + 169 * HOUR)).toBe(true); // to be proved
  expect(backupState(env)).toEqual({ state: "fine", made_at, verified_at: made_at });

  await lookAtBackups(env, "The disk is full.");
  expect([isDue(env, now + HOUR), backupState(env).state]).toEqual([true, "failing"]);
  expect(readStatus(envWith({ BACKUP_TO: "/elsewhere" }))).toBeNull();
  expect([isDue(envWith({ BACKUP_EVERY: "" }), now), backupState(envWith({ BACKUP_EVERY: "" })).state]).toEqual([
    false,
    "off",
  ]);
});
