import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connected } from "#lib/db/connected.ts";
import { startEmbedded } from "#lib/db/embedded/embedded.ts";
import { mend } from "#lib/db/examination.ts";
import type { JobHandler } from "#lib/jobs/handler.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { readEnv } from "#lib/settings/env.ts";
import { bootWith, database, inspect } from "#lib/testing/database.ts";
import { useMailServer } from "#lib/testing/smtp.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { handlers } from "#lib/worker/registry.ts";
import { pagesOfEnded } from "./rules/database.ts";
import { type DoctorOptions, examine, repair, worstOf } from "./service.ts";

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
  const stopped = ["triggers", "integrations", "keys", "provider tokens"];
  expect(Object.keys(found)).toEqual([...usual.slice(0, 2), ...stopped, ...usual.slice(2)]);
  expect(found.keys).toContain("(1)");
  expect(found["provider tokens"]).toBe("Sealed with an encryption key that is not there: Test (HubSpot).");
});

test("names connections and triggers that send without encryption", async () => {
  const insert = (url: string) =>
    inspect(
      `INSERT INTO triggers (workspace_id, id, url, events, secret, created_by) VALUES ($1, gen_random_uuid(), $2, '{}', '', 'user:x')`,
      [acme.id, url],
    );
  await insert("https://acme.example/hook");
  expect(await problems()).not.toHaveProperty("trigger targets");
  await insert("http://acme.example/hook");
  const found = await problems({ SMTP_URL: "smtp://mail.acme.example:587" });
  expect(found["trigger targets"]).toContain("Triggers send to addresses that are not encrypted, in ");
  expect(found.encryption).toContain("SMTP_URL");
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

/** What `--fix` would do, and after it was done what is still not fine. */
async function fixed() {
  const settings = { HOST: "127.0.0.1" };
  bootWith(settings);
  const { env } = getBoot();
  const { repairs } = await examine(env, {});
  const repaired = await repair(env, repairs, "operator");
  const { findings, repairs: left } = await examine(env, {});
  bootWith();
  return { repaired, left: left.map(({ says }) => says), findings };
}

test("with --fix builds indexes again, runs jobs again that were given up, and removes what killed processes left", async () => {
  await inspect("DROP INDEX tasks_entity_idx");
  await inspect("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'members_user_id_idx'::regclass");
  await inspect(
    "SELECT graphile_worker.add_job('notes:index', json_build_object('workspace_id', $1::text), max_attempts => 1)",
    [acme.id],
  );
  await inspect("UPDATE graphile_worker._private_jobs SET attempts = max_attempts");
  const { dataDir } = database;
  // The process of `others` runs in another container, which shares the data folder: none here has its id.
  const [left, others, mine] = [999_999_999, 999_999_998, process.pid].map((pid) =>
    path.join(dataDir, `rapport-verify-${pid}-abc`),
  );
  for (const folder of [left, others, mine]) mkdirSync(folder as string);
  for (const folder of [left, mine]) utimesSync(folder as string, new Date(0), new Date(0));
  const [old, young] = ["0123456789ab", "ba9876543210"].map((id) => path.join(dataDir, `app.json.${id}.tmp`));
  for (const draft of [old, young]) writeFileSync(draft as string, "{}");
  utimesSync(old as string, new Date(0), new Date(0));
  const secrets = { sessionSecret: "s".repeat(32), encryptionKeys: `k1:${Buffer.alloc(32).toString("base64")}` };
  writeFileSync(path.join(dataDir, "secrets.json"), JSON.stringify(secrets));
  chmodSync(path.join(dataDir, "secrets.json"), 0o644);

  const before = await problems();
  expect(before.indexes).toMatch(/members_user_id_idx is not usable, tasks_entity_idx is missing/);
  expect(before.jobs).toMatch(/^1 job was given up/);
  expect(before.leftovers).toContain(`${left}, ${old}`);

  const { repaired, left: still, findings } = await fixed();
  expect(repaired).toEqual([
    { says: expect.stringMatching(/^Take .*secrets\.json away/), error: null },
    { says: `Remove ${left}, which no process uses.`, error: null },
    { says: `Remove ${old}, which no process uses.`, error: null },
    { says: "Build the index members_user_id_idx again.", error: null },
    { says: "Build the index tasks_entity_idx, which is missing.", error: null },
    { says: "Run the job again that was given up.", error: null },
  ]);
  expect(still).toEqual([]);
  const fine = findings.filter(({ state }) => state === "fine").map(({ check }) => check);
  expect(fine).toEqual(expect.arrayContaining(["secrets", "leftovers", "indexes", "jobs"]));
  const files = [left, others, mine, old, young];
  expect(files.map((file) => existsSync(file as string))).toEqual([false, true, true, false, true]);
  const audit = await inspect(
    "SELECT FROM audit_log WHERE workspace_id = $1 AND action = 'job.retried' AND actor = 'cli:operator'",
    [acme.id],
  );
  expect(audit).toHaveLength(1);
});

/** Queues jobs that were given up. */
const giveUpJobs = async (kind: string, payload: object, many = 1) => {
  await inspect("SELECT graphile_worker.add_job($1, $2::json, max_attempts => 1) FROM generate_series(1, $3::int)", [
    kind,
    JSON.stringify(payload),
    many,
  ]);
  await inspect("UPDATE graphile_worker._private_jobs SET attempts = max_attempts");
};
const stillGivenUp = () =>
  inspect<{ task: string }>(
    `SELECT t.identifier AS task FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE attempts >= max_attempts ORDER BY 1`,
  );

test("runs again all jobs that were given up, but none that would do nothing", async () => {
  await inspect("DELETE FROM graphile_worker._private_jobs");
  await giveUpJobs("notes:index", { workspace_id: acme.id }, 203);
  await giveUpJobs("imports:undo", { workspace_id: acme.id, import_id: crypto.randomUUID() });
  await giveUpJobs("jobs:tidy", {}); // of no workspace: the next day does it again
  await giveUpJobs("notes:index", { workspace_id: crypto.randomUUID() }); // the workspace was deleted
  expect((await problems()).jobs).toBe("204 jobs were given up.");
  const { repaired, left, findings } = await fixed();
  expect([repaired, left]).toEqual([[{ says: "Run the 203 jobs again that were given up.", error: null }], []]);
  expect((await stillGivenUp()).map(({ task }) => task)).toEqual(["imports:undo", "jobs:tidy", "notes:index"]);
  expect(findings.find(({ check }) => check === "jobs")).toMatchObject({
    state: "warning",
    says: "1 job was given up.",
    mend: expect.stringContaining("Imports (1)"),
  });
  await inspect("DELETE FROM graphile_worker._private_jobs");
});

test("knows each kind of job whose record says that it failed", () => {
  const sliceOf = ({ kind }: JobHandler) => kind.name.slice(0, kind.name.indexOf(":"));
  const [ended, others] = [true, false].map(
    (ends) => new Set(handlers.filter(({ giveUp }) => (giveUp !== undefined) === ends).map(sliceOf)),
  );
  expect([...(ended ?? [])].sort()).toEqual(Object.keys(pagesOfEnded).sort());
  expect([...(others ?? [])].filter((slice) => slice in pagesOfEnded)).toEqual([]);
});

test("goes on when a job is gone meanwhile", async () => {
  await giveUpJobs("notes:index", { workspace_id: acme.id }, 2);
  await connected({ connectionString: database.adminUrl }, async (other) => {
    await other.query("BEGIN");
    await other.query(
      "DELETE FROM graphile_worker._private_jobs WHERE id = (SELECT min(id) FROM graphile_worker._private_jobs)",
    );
    const fix = fixed();
    const isWaiting = () =>
      inspect("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()");
    await expect.poll(async () => (await isWaiting()).length).toBe(1);
    await other.query("COMMIT");
    expect((await fix).repaired).toEqual([{ says: "Run the 2 jobs again that were given up.", error: null }]);
  });
  expect(await stillGivenUp()).toEqual([]);
  await inspect("DELETE FROM graphile_worker._private_jobs");
});

test("leaves indexes alone that an operator added, and those that are being built", async () => {
  await inspect("CREATE INDEX mine ON tasks (created_at)");
  await inspect("CREATE INDEX mine_ccnew ON tasks (created_at)");
  await inspect("CREATE INDEX tasks_entity_idx_ccnew1 ON tasks (created_at)");
  await inspect(
    "UPDATE pg_index SET indisvalid = false WHERE indexrelid::regclass::text IN ('mine', 'mine_ccnew', 'tasks_entity_idx_ccnew1')",
  );
  expect((await problems()).indexes).toBe("Lists may be slow: tasks_entity_idx_ccnew1 is not usable.");
  const { repaired, left } = await fixed();
  expect([repaired, left]).toEqual([
    [{ says: "Drop the index tasks_entity_idx_ccnew1, which a build left that did not end.", error: null }],
    [],
  ]);

  await connected({ connectionString: database.adminUrl }, async (writer) => {
    await writer.query("BEGIN");
    await writer.query("LOCK TABLE members IN ROW EXCLUSIVE MODE");
    const built = inspect("REINDEX INDEX CONCURRENTLY members_user_id_idx"); // waits for the writer
    const isThere = () => inspect("SELECT FROM pg_class WHERE relname = 'members_user_id_idx_ccnew'");
    await expect.poll(async () => (await isThere()).length).toBe(1);
    expect(await problems()).not.toHaveProperty("indexes");
    await writer.query("ROLLBACK");
    await built;
  });
  expect(await problems()).not.toHaveProperty("indexes");
});

test("says of one repair that it did not work, and does the others", async () => {
  const [failing, done] = [
    { says: "A.", run: () => Promise.reject(new Error("no room")) },
    { says: "B.", run: async () => undefined },
  ];
  expect(await repair(getBoot().env, [failing, done], "operator")).toEqual([
    { says: "A.", error: "no room" },
    { says: "B.", error: null },
  ]);
});

test("says when to try again what waited too long for others", async () => {
  await connected({ connectionString: database.adminUrl }, async (other) => {
    await other.query("BEGIN");
    await other.query("LOCK TABLE members IN SHARE MODE");
    const short = "SET lock_timeout = '50ms'; LOCK TABLE members IN ROW EXCLUSIVE MODE";
    await expect(mend(database.adminUrl, short)).rejects.toThrow("run it again when no export or import runs");
  });
});

test("with --fix makes the backup of an embedded database that is missing", async () => {
  const [dataDir, to] = ["data", "backups"].map((name) => path.join(empty, name)) as [string, string];
  for (const folder of [dataDir, to]) mkdirSync(folder);
  chmodSync(empty, 0o711); // as root the database runs under another user
  chmodSync(dataDir, 0o711);
  await (await startEmbedded({ dataDir, durable: false, log: () => undefined })).stop();
  const env = readEnv({
    RAPPORT_DATA_DIR: dataDir,
    BACKUP_TO: to,
    HOST: "127.0.0.1",
  } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv);
  const look = async () => {
    const { findings, repairs } = await examine(env, {});
    return { backups: findings.find(({ check }) => check === "backups"), repairs };
  };
  const { backups, repairs } = await look();
  expect(backups).toMatchObject({ state: "failing", says: `There is no backup in ${to}.` });
  expect(await repair(env, repairs, "operator")).toEqual([{ says: `Make a backup in ${to}.`, error: null }]);
  expect(await look()).toMatchObject({
    backups: { state: "warning", says: expect.stringMatching(/never restored/) },
    repairs: [],
  });
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

// Last, as it leaves the tables broken.
test("names what differs from the migrations, and nothing else", async () => {
  const undo = [
    ["ALTER TABLE sessions DROP COLUMN proven_at", /column sessions\.proven_at is missing/],
    ["ALTER TABLE api_keys ALTER COLUMN name TYPE varchar(200)", /column api_keys\.name differs/],
    ["ALTER TABLE leads DISABLE ROW LEVEL SECURITY", /table leads differs/],
    ["CREATE POLICY everyone ON notes USING (true)", /policy notes\.everyone is not ours/],
    [
      "DROP TRIGGER audit_blocks_append_only ON audit_blocks",
      /trigger audit_blocks\.audit_blocks_append_only is missing/,
    ],
    ["ALTER TABLE changes DISABLE TRIGGER changes_append_only", /trigger changes\.changes_append_only differs/],
    ["ALTER TABLE audit_log ENABLE REPLICA TRIGGER audit_log_append_only", /audit_log\.audit_log_append_only differs/],
    ["ALTER TABLE accounts DISABLE TRIGGER ALL", /constraint accounts\.accounts_user_id_fkey differs/],
    [
      "CREATE OR REPLACE FUNCTION rapport_workspace() RETURNS uuid LANGUAGE sql STABLE AS 'SELECT NULL::uuid'",
      /function rapport_workspace\(\) differs/,
    ],
    ["ALTER FUNCTION rapport_retry_job(bigint) RESET search_path", /function rapport_retry_job\(bigint\) differs/],
    ["DROP FUNCTION rapport_job_counts()", /function rapport_job_counts\(\) is missing/],
    ["ALTER TABLE members DROP CONSTRAINT members_user_id_fkey", /constraint members\.members_user_id_fkey is missing/],
  ] as const;
  for (const [change] of undo) await inspect(change);
  const { schema = "" } = await problems();
  for (const [, says] of undo) expect(schema).toMatch(says);
  expect(schema).toMatch(/^\d+ parts of the tables differ/);
});
