import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getBoot } from "#lib/settings/boot.ts";
import { bootWith, database, inspect } from "#lib/testing/database.ts";
import { useMailServer } from "#lib/testing/smtp.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { type DoctorOptions, examine, worstOf } from "./service.ts";

const mail = useMailServer();
let acme: TestWorkspace;
const empty = mkdtempSync(path.join(tmpdir(), "rapport-doctor-"));
beforeAll(async () => {
  acme = await createTestWorkspace();
  await createTestWorkspace();
});
afterAll(() => rmSync(empty, { recursive: true, force: true }));

/** What is not fine, by name. The doctor ends the connections that it opened, as a command does. */
async function problems(settings: Record<string, string> = {}, options: DoctorOptions = {}) {
  bootWith({ HOST: "127.0.0.1", ...settings });
  const { findings } = await examine(getBoot().env, options);
  bootWith();
  return Object.fromEntries(findings.filter(({ state }) => state !== "fine").map(({ check, says }) => [check, says]));
}

/** Of the test's own machine and server: they are not durable, and no one backs them up. */
const usual = ["secrets", "database settings", "backups", "mail"];

test("finds what stopped in any workspace", async () => {
  expect(Object.keys(await problems())).toEqual(usual);
  const { id } = acme;
  await acme.key();
  await inspect(
    `INSERT INTO triggers (workspace_id, id, url, events, secret, status, created_by)
     VALUES ($1, gen_random_uuid(), 'https://acme.example', '{}', '', 'disabled', 'user:x')`,
    [id],
  );
  await inspect(
    `INSERT INTO connections (workspace_id, id, provider, credentials, is_verified, message, created_by)
     VALUES ($1, gen_random_uuid(), 'hubspot', '', false, 'The token ended.', 'user:x')`,
    [id],
  );
  await inspect("UPDATE api_keys SET expires_at = now() + interval '3 days' WHERE workspace_id = $1", [id]);
  const found = await problems();
  expect(Object.keys(found)).toEqual([...usual.slice(0, 2), "triggers", "integrations", "keys", ...usual.slice(2)]);
  expect(found.keys).toContain("(1)");
});

test("names migrations that wait or come from a newer release, and looks no further then", async () => {
  const [last] = await inspect<{ name: string }>(
    `UPDATE "_prisma_migrations" SET rolled_back_at = now()
     WHERE id = (SELECT id FROM "_prisma_migrations" ORDER BY migration_name DESC LIMIT 1) RETURNING migration_name AS name`,
  );
  const found = await problems();
  expect(found.migrations).toContain(last?.name);
  expect(found).not.toHaveProperty("keys");
  await inspect(
    `UPDATE "_prisma_migrations" SET rolled_back_at = NULL, migration_name = '2999_later' WHERE rolled_back_at IS NOT NULL`,
  );
  expect((await problems()).migrations).toContain("2999_later");
  await inspect(`UPDATE "_prisma_migrations" SET migration_name = $1 WHERE migration_name = '2999_later'`, [
    last?.name,
  ]);
});

test("tries mail only when asked", async () => {
  expect(await problems({ SMTP_URL: mail.url() })).not.toHaveProperty("mail");
  expect(mail.received).toEqual([]);
  expect(await problems({ SMTP_URL: mail.url() }, { mail: "ops@acme.example" })).not.toHaveProperty("mail");
  expect(mail.received.map(({ to }) => to)).toEqual([["ops@acme.example"]]);
  expect((await problems({ SMTP_URL: "smtp://127.0.0.1:9" }, { mail: "ops@acme.example" })).mail).toMatch(/REFUSED/);
});

test("a database that is away, and a folder without one, are findings", async () => {
  const away = new URL(database.url);
  away.port = "9";
  expect((await problems({ DATABASE_URL: away.href })).database).toMatch(/nothing listens there/);
  const { DATABASE_URL: _, ...env } = getBoot().env;
  const { findings } = await examine({ ...env, DATABASE_URL: undefined, RAPPORT_DATA_DIR: empty }, {});
  expect(worstOf(findings)).toBe("failing");
  expect(findings[0]?.says).toContain(`no database in ${empty}`);
});
