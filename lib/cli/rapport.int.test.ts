import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authenticateKey } from "#lib/auth/api-keys.ts";
import { newId } from "#lib/core/ids.ts";
import { connected } from "#lib/db/connected.ts";
import { clusterHome, startEmbedded } from "#lib/db/embedded/embedded.ts";
import { livePostmaster } from "#lib/db/embedded/postmaster.ts";
import { upsertPerson } from "#lib/domain/crm/people/service.ts";
import { encryptedColumns } from "#lib/domain/encrypted-columns.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { databaseFolder } from "#lib/testing/folders.ts";
import { type CommandResult, rapport } from "#lib/testing/rapport.fixture.ts";
import { runCommand } from "./program.ts";

const here = { DATABASE_URL: database.url, RAPPORT_DATA_DIR: database.dataDir };

/** Runs a command as the program does, on the database that is open in this process: a process of its own takes a second. */
async function run(args: readonly string[]): Promise<CommandResult> {
  let streamed = "";
  const { exit, stdout, stderr } = await runCommand(args, {
    open: (work) => work(),
    print: async (text) => {
      streamed += text;
    },
  });
  return { exit, stdout: streamed + stdout, stderr };
}

/** The one JSON object a command prints, and nothing else; as a process of its own where settings are given. */
async function json(args: readonly string[], exit = 0, settings?: Record<string, string>) {
  const command = [...args, "--json"];
  const outcome = await (settings ? rapport(command, settings) : run(command));
  expect(outcome, outcome.stderr).toMatchObject({ exit, ...(exit === 2 ? {} : { stderr: "" }) });
  expect(outcome.stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(outcome.stdout) as Record<string, unknown>;
}

const create = (email: string, ...more: string[]) =>
  ["admin", "workspace", "create", "--name", "Acme", "--owner-email", email, ...more] as const;

const bearer = (key: unknown) => authenticateKey(`Bearer ${key}`, "127.0.0.1");

describe("rapport admin workspace", () => {
  test("create makes a workspace, its owner and a key that may do everything", async () => {
    const made = await json(create("owner@acme.example", "--plan", "growth"), 0, here);
    expect(Object.keys(made)).toEqual(["workspace_id", "owner_email", "owner_password", "api_key"]);
    expect(made).toMatchObject({ owner_email: "owner@acme.example", owner_password: expect.stringMatching(/.{12}/) });
    const grant = await bearer(made.api_key);
    expect(grant).toMatchObject({ workspaceId: made.workspace_id, plan: "growth", scopes: ["read", "write", "admin"] });
    const audit = await inspect<{ actor: string }>("SELECT DISTINCT actor FROM audit_log WHERE workspace_id = $1", [
      made.workspace_id,
    ]);
    expect(audit).toEqual([{ actor: expect.stringMatching(/^cli:./) }]);
  });

  test("create gives an existing account the workspace and keeps its password", async () => {
    const first = await json(create("two@acme.example", "--owner-password", "correct horse battery"));
    const second = await json(create("Two@Acme.example"));
    expect(first.owner_password).toBe("correct horse battery");
    expect(second).toMatchObject({ owner_email: "two@acme.example", owner_password: null });
    const { workspaces } = (await json(["admin", "workspace", "list"])) as { workspaces: { workspace_id: string }[] };
    expect(workspaces.map((each) => each.workspace_id)).toEqual(
      expect.arrayContaining([first.workspace_id, second.workspace_id]),
    );
  });

  test("set-plan changes the plan", async () => {
    const { workspace_id, api_key } = await json(create("plan@acme.example"));
    const set = (plan: string) => json(["admin", "workspace", "set-plan", String(workspace_id), plan]);
    expect(await set("free")).toEqual({ workspace_id, plan: "free", previous_plan: "scale" });
    expect((await bearer(api_key)).plan).toBe("free");
    const unknown = await json(["admin", "workspace", "set-plan", newId(), "free"], 1);
    expect(unknown).toEqual({ error: "workspace_not_found", message: "No workspace has that id." });
  });

  test("allow-any-sign-in ends what a workspace demands, and the audit log has it", async () => {
    const { workspace_id } = await json(create("locked@acme.example"));
    await inspect("UPDATE workspaces SET sign_in_demand = 'oidc' WHERE id = $1", [workspace_id]);
    const allow = () => json(["admin", "workspace", "allow-any-sign-in", String(workspace_id)]);
    expect(await allow()).toEqual({ workspace_id, demand: "any", previous_demand: "oidc", of_server: "any" });
    expect(await allow()).toEqual({ workspace_id, demand: "any", previous_demand: "any", of_server: "any" });
    const log = await inspect(
      "SELECT actor ~ '^cli:' AS by_operator, detail FROM audit_log WHERE workspace_id = $1 AND action = 'sign_in_demand.changed'",
      [workspace_id],
    );
    expect(log).toEqual([{ by_operator: true, detail: { from: "oidc", to: "any" } }]);
  });

  test("follow-groups names a provider of the server, or ends it", async () => {
    const { workspace_id } = await json(create("groups@acme.example"));
    const follow = (...provider: string[]) => [
      "admin",
      "workspace",
      "follow-groups",
      String(workspace_id),
      ...provider,
    ];
    expect(await json(follow("okta"), 1)).toMatchObject({ error: "unknown_provider" });
    expect(await json(follow())).toEqual({ workspace_id, provider: null, issuer: null });
  });
});

describe("rapport admin key", () => {
  test("create and revoke", async () => {
    const { workspace_id } = await json(create("keys@acme.example"));
    const options = ["--workspace", String(workspace_id), "--name", "Agent", "--scopes", "read", "--expires", "30d"];
    const made = await json(["admin", "key", "create", ...options]);
    expect(Object.keys(made)).toEqual(["id", "api_key"]);
    const grant = await bearer(made.api_key);
    expect(grant).toMatchObject({ workspaceId: workspace_id, scopes: ["read"] });
    expect(Math.round(((grant.expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(30);

    const revoke = ["admin", "key", "revoke", String(made.id)];
    expect(await json(revoke)).toMatchObject({ id: made.id, name: "Agent", workspace_id });
    expect(await json(revoke, 1)).toMatchObject({ error: "api_key_revoked" });
    expect(await json(["admin", "key", "revoke", newId()], 1)).toMatchObject({ error: "api_key_not_found" });
    const [row] = await inspect<{ revoked: boolean }>(
      "SELECT revoked_at IS NOT NULL AS revoked FROM api_keys WHERE id = $1",
      [made.id],
    );
    expect(row?.revoked).toBe(true);
  });
});

test("rapport admin user reset-password gives an account a new password", async () => {
  await json(create("forgot@acme.example", "--owner-password", "the first password"));
  const hash = async () =>
    (await inspect<{ hash: string }>("SELECT password_hash AS hash FROM users WHERE email = 'forgot@acme.example'"))[0]
      ?.hash;
  const before = await hash();
  const reset = ["admin", "user", "reset-password"];
  expect(await json([...reset, "forgot@acme.example"])).toEqual({
    email: "forgot@acme.example",
    password: expect.stringMatching(/.{12}/),
  });
  expect(await hash()).not.toBe(before);
  expect(await json([...reset, "nobody@acme.example"], 1)).toMatchObject({ error: "user_not_found" });
  const resetFactor = ["admin", "user", "reset-second-factor"];
  expect(await json([...resetFactor, "forgot@acme.example"])).toEqual({ email: "forgot@acme.example", removed: false });
  expect(await json([...resetFactor, "nobody@acme.example"], 1)).toMatchObject({ error: "user_not_found" });
  const endSessions = ["admin", "user", "end-sessions"];
  expect(await json([...endSessions, "forgot@acme.example"])).toEqual({
    ...{ email: "forgot@acme.example", ended_sessions: 0 },
  });
  expect(await json([...endSessions, "nobody@acme.example"], 1)).toMatchObject({ error: "user_not_found" });
});

test("rapport admin user disable says what the person has, and enable takes it back", async () => {
  const { workspace_id } = await json(create("gone@acme.example", "--owner-password", "the first password"));
  const user = (command: string, email = "gone@acme.example") => ["admin", "user", command, email];
  const workspaces = [
    { workspace_id, role: "owner", only_owner: true, owns: { people: 0, companies: 0, tasks: 0 }, api_keys: [] },
  ];
  expect(await json(user("disable"))).toMatchObject({ email: "gone@acme.example", ended_sessions: 0, workspaces });
  expect(await json(user("enable"))).toEqual({ email: "gone@acme.example", enabled: true });
  expect(await json(user("enable"))).toEqual({ email: "gone@acme.example", enabled: false });
  expect(await json(user("disable", "nobody@acme.example"), 1)).toMatchObject({ error: "user_not_found" });
});

test("rapport admin rotate-encryption counts what it did", async () => {
  const { key_id, columns } = await json(["admin", "rotate-encryption"]);
  expect(key_id).toEqual(expect.any(String));
  const nothing = { reencrypted: 0, current: 0, unreadable: 0 };
  expect(columns).toEqual(encryptedColumns.map(({ table, column }) => ({ table, column, ...nothing })));
});

test("rapport admin export streams a workspace or writes it to a file that only its owner reads", async () => {
  const made = await json(create("export@acme.example"));
  const workspace = String(made.workspace_id);
  const streamed = await rapport(["admin", "export", workspace], here);
  expect(streamed).toMatchObject({ exit: 0, stderr: "" });
  const lines = streamed.stdout.trimEnd().split("\n");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ export: "rapport", workspace_id: workspace });
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ end: true, tables: { members: 1, api_keys: 1 } });
  expect(streamed.stdout).toContain("export@acme.example");
  expect(streamed.stdout).not.toContain(String(made.api_key));

  const folder = mkdtempSync(path.join(tmpdir(), "rapport-export-"));
  const file = path.join(folder, "acme.ndjson");
  expect(await json(["admin", "export", workspace, "--output", file])).toMatchObject({ file, tables: { members: 1 } });
  expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(lines.length + 1); // the first export's audit entry
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const nobody = ["admin", "export", workspace, "--person", "nobody@acme.example"];
  expect(await json([...nobody, "--output", file], 1)).toMatchObject({ error: "entity_not_found" });
  expect(readdirSync(folder)).toEqual(["acme.ndjson"]);
  expect(await json(["admin", "export", workspace], 2)).toMatchObject({ error: "usage" });
  const nowhere = path.join(folder, "no", "folder.ndjson");
  expect(await json(["admin", "export", workspace, "--output", nowhere], 1)).toMatchObject({
    error: "cannot_run",
    message: expect.stringContaining("could not be written"),
  });
  // Fails when all is written: a folder has the name.
  const taken = path.join(folder, "taken");
  mkdirSync(taken);
  expect(await json(["admin", "export", workspace, "--output", taken], 1)).toMatchObject({
    error: "cannot_run",
    message: expect.stringContaining("could not be written"),
  });
  expect(readdirSync(folder).sort()).toEqual(["acme.ndjson", "taken"]);
  expect(await json(["admin", "export", newId(), "--output", file], 1)).toMatchObject({
    error: "workspace_not_found",
  });
  rmSync(folder, { recursive: true });
});

test("rapport admin erase erases a person, and says so of one it does not find", async () => {
  const { workspace_id, api_key } = await json(create("erase@acme.example"));
  const caller = await bearer(api_key);
  await upsertPerson.execute(
    { ...caller, role: null, actor: { type: "api_key", id: caller.keyId }, requestId: newId(), client: null },
    { email: "anna@acme.com", first_name: "Anna" },
  );
  const erase = ["admin", "erase", String(workspace_id), "anna@acme.com"];
  expect(await json(erase)).toMatchObject({ erased: { identifiers: 1, notes: 0 } });
  expect(await json(erase, 1)).toMatchObject({ error: "entity_not_found" });
  expect(await json(["admin", "erase", String(workspace_id), "Anna"], 2)).toMatchObject({
    error: "invalid_focus",
  });
});

describe("for a person", () => {
  test("a result is text", async () => {
    const { exit, stdout, stderr } = await rapport(create("text@acme.example"), here);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toMatch(/^workspace {2}\S+\nowner {6}text@acme\.example\npassword {3}\S+\nAPI key {4}rpt_\S+\n$/);
  });

  test("a failure is one sentence on stderr", async () => {
    const outcome = await rapport(["admin", "key", "revoke", newId()], here);
    expect(outcome).toEqual({ exit: 1, stdout: "", stderr: "There is no API key with that id.\n" });
  });
});

describe("wrong arguments", () => {
  test.each<[string, string[], string]>([
    ["half a command", ["admin", "key"], "Usage: rapport admin key "],
    ["an unknown command", ["admin", "bake"], "Usage: rapport admin "],
    ["an unknown option", [...create("a@acme.example"), "--color"], "Usage: rapport admin workspace create "],
    ["a missing option", ["admin", "workspace", "create", "--name", "A"], "Usage: rapport admin workspace create "],
    ["an unknown plan", [...create("a@acme.example"), "--plan", "gold"], "Usage: rapport admin workspace create "],
    [
      "an unknown plan to set",
      ["admin", "workspace", "set-plan", newId(), "gold"],
      "Usage: rapport admin workspace set-plan ",
    ],
    [
      "an unknown scope",
      ["admin", "key", "create", "--workspace", newId(), "--name", "n", "--scopes", "root"],
      "Usage: rapport admin key create ",
    ],
    [
      "a past expiry",
      ["admin", "key", "create", "--workspace", newId(), "--name", "n", "--expires", "2020-01-01"],
      "Usage: rapport admin key create ",
    ],
    ["an id that is none", ["admin", "key", "revoke", "rpt_x"], "Usage: rapport admin key revoke "],
    ["a word too many", ["admin", "rotate-encryption", "now"], "Usage: rapport admin rotate-encryption "],
    [
      "an e-mail address that is none",
      create("nobody") as unknown as string[],
      "Usage: rapport admin workspace create ",
    ],
    [
      "a short password",
      [...create("a@acme.example"), "--owner-password", "short"],
      "Usage: rapport admin workspace create ",
    ],
  ])("%s: usage on stderr, exit 2", async (_, args, usage) => {
    const plain = await run(args);
    expect(plain).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining(usage) });
    expect(await json(args, 2)).toMatchObject({ error: expect.any(String), message: expect.any(String) });
  });

  test("help is not a failure", async () => {
    const { exit, stdout, stderr } = await rapport(["admin", "workspace", "create", "--help"], here);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toContain("--owner-email <address>");
  });

  test("a wrong setting is named", async () => {
    const failed = await json(["admin", "workspace", "list"], 1, { ...here, PORT: "many" });
    expect(failed).toMatchObject({ error: "cannot_run", message: expect.stringContaining("PORT") });
  });
});

describe("the embedded database", () => {
  const dataDir = databaseFolder("rapport-cli-");
  const alone = { RAPPORT_DATA_DIR: dataDir, DATABASE_URL: "" };
  // As root the server runs under another account, which must be able to enter the folder.
  beforeAll(() => chmod(dataDir, 0o711));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));

  /** What the audit log of its only workspace has of backups. */
  const notedIn = ({ superuserUrl }: { superuserUrl: string }) =>
    connected({ connectionString: superuserUrl.replace(/[^/]*$/, "rapport") }, async (client) => {
      const { rows } = await client.query(
        "SELECT action, actor, client, detail FROM audit_log WHERE action LIKE 'backup.%' ORDER BY at",
      );
      return rows;
    });

  test("is started for a command and stopped again; or joined and left running", async () => {
    const made = await json(create("alone@acme.example"), 0, alone);
    expect(livePostmaster(path.join(dataDir, "postgres/data"))).toBeUndefined();

    const server = await startEmbedded({ dataDir, log: () => undefined });
    try {
      const { workspaces } = await json(["admin", "workspace", "list"], 0, alone);
      expect(workspaces).toMatchObject([{ workspace_id: made.workspace_id }]);
      expect(livePostmaster(path.join(dataDir, "postgres/data"))?.pid).toBe(server.pid);
    } finally {
      await server.stop();
    }
  });

  test("is backed up while it runs, proved, and restored into another folder", { timeout: 300_000 }, async () => {
    const backups = path.join(dataDir, "backups");
    const server = await startEmbedded({ dataDir, log: () => undefined });
    const { key } = await json(["admin", "backup", "key"], 0, alone);
    const keyed = { ...alone, BACKUP_KEY: String(key) };
    const regular = { ...keyed, BACKUP_TO: backups, BACKUP_EVERY: "1h" };
    const kept = await json(["admin", "backup", "keep"], 0, regular);
    const made = await json(["admin", "backup", backups], 0, regular);
    const noted = await notedIn(server).finally(() => server.stop());
    const [byItself, byOperator] = ["job:backups", expect.stringMatching(/^cli:./)];
    expect(noted).toEqual([
      { action: "backup.made", actor: byItself, client: null, detail: { backup: path.basename(String(kept.made)) } },
      {
        action: "backup.made",
        actor: byOperator,
        client: "rapport-cli",
        detail: { backup: path.basename(String(made.backup)) },
      },
    ]);
    expect(made).toMatchObject({ rows: { workspaces: 1, users: 1 }, backup: expect.stringContaining(backups) });
    const backup = String(made.backup);
    expect(kept).toMatchObject({ removed: [], proof: { counts: made.rows, different: 0, wrong: [] } });
    expect((kept.proof as { entities: number }).entities).toBeGreaterThan(0);
    expect(await json(["admin", "backup", "keep"], 0, regular)).toEqual({
      busy: false,
      made: null,
      removed: [],
      proof: null,
    });
    const status = () =>
      JSON.parse(readFileSync(path.join(dataDir, "backups.json"), "utf8")) as Record<string, unknown>;
    expect(status()).toMatchObject({ problem: null, made_at: made.made_at, wrong: [] });

    const [file, whole] = [path.join(String(kept.made), "database.tar.zst"), "The backup is broken"];
    truncateSync(file, 1_000);
    expect(await json(["admin", "backup", "verify", String(kept.made)], 1, regular)).toMatchObject({
      message: expect.stringContaining(whole),
    });
    expect(status()).toMatchObject({ wrong: [expect.stringContaining(whole)] });
    const { backups: listed } = await json(["admin", "backup", "list", backups], 0, keyed);
    expect(listed).toMatchObject([
      { backup, proof: null },
      { backup: kept.made, proof: { entities: 0 } },
    ]);

    const into = path.join(dataDir, "restored");
    await json(["admin", "restore", backup, "--into", into, "--at", "yesterday"], 2, alone);
    expect(await json(["admin", "restore", backup, "--into", into], 1, alone)).toMatchObject({
      message: expect.stringContaining("backup.json is sealed: set BACKUP_KEY"),
    });
    const restored = await json(["admin", "restore", backup, "--into", into], 0, keyed);
    expect(restored).toMatchObject({ data_folder: into, rows: made.rows, has_secrets: false });
    const there = await json(["admin", "workspace", "list"], 0, { ...alone, RAPPORT_DATA_DIR: into });
    expect(there).toEqual(await json(["admin", "workspace", "list"], 0, alone));
    const copy = await startEmbedded({ dataDir: into, log: () => undefined });
    expect((await notedIn(copy).finally(() => copy.stop())).at(-1)).toMatchObject({
      ...{ action: "backup.restored", actor: byOperator, detail: { as_of: made.made_at } },
    });
    rmSync(clusterHome(into), { recursive: true, force: true });
  });

  test("is backed up only where there is one", async () => {
    const none = path.join(dataDir, "none");
    expect(await json(["admin", "backup", none], 1, { ...alone, RAPPORT_DATA_DIR: none })).toMatchObject({
      message: expect.stringContaining("There is no database in"),
    });
    expect(await json(["admin", "backup", none], 1, here)).toMatchObject({
      message: expect.stringContaining("DATABASE_URL names your own Postgres"),
    });
  });
});
