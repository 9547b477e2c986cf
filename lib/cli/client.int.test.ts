/** The commands that ask a server: a few as a process of their own, the others in this process, where one costs a tenth. */

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createStage, type Stage } from "#lib/testing/conformance/stage.ts";
import { inspect } from "#lib/testing/database.ts";
import { type CommandResult, rapport } from "#lib/testing/rapport.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { runCommand } from "./program.ts";

const server = useServer();
const homes: string[] = [];
const home = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), "rapport-home-"));
  homes.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of homes) rmSync(folder, { recursive: true, force: true });
});

let stage: Stage;
let key = "";
beforeAll(async () => {
  stage = await createStage();
  key = await stage.key(["read", "write"]);
});

/** As an agent or a CI job runs it: a key in the environment, nothing on disk. */
const headless = () => ({ RAPPORT_URL: server.url(), RAPPORT_API_KEY: key, XDG_CONFIG_HOME: homes[0] ?? home() });

/** Runs a command as the program does, with these settings and this standard input. */
async function runHere(args: readonly string[], settings: Record<string, string>, stdin = ""): Promise<CommandResult> {
  for (const name of ["RAPPORT_URL", "RAPPORT_API_KEY", "XDG_CONFIG_HOME", "FORCE_COLOR"])
    vi.stubEnv(name, settings[name]);
  vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([stdin]) as typeof process.stdin);
  return await runCommand(args, { open: (work) => work(), print: async () => undefined });
}
const run = (args: readonly string[], stdin = "") => runHere(args, headless(), stdin);

async function done(args: readonly string[], stdin = ""): Promise<string> {
  const { exit, stdout, stderr } = await run(args, stdin);
  expect({ exit, stderr }, stderr + stdout).toEqual({ exit: 0, stderr: "" });
  return stdout;
}

/** Runs `rapport login`, and lets someone decide as soon as the code is shown. */
async function login(
  config: string,
  decide: "approve" | "deny",
  from: Stage,
  more: string[] = [],
): Promise<CommandResult> {
  const { cookie } = await from.person("member");
  let decided: Promise<unknown> | undefined;
  const onStderr = (said: string) => {
    const code = /\n {2}([A-Z]{4}-[A-Z]{4})\n/.exec(said)?.[1];
    if (!code || decided) return;
    decided = server.call(`/api/account/device-logins/${code}/${decide}`, {
      method: "POST",
      body: decide === "approve" ? { workspace_id: from.id } : {},
      headers: { cookie, origin: server.url(), "sec-fetch-site": "same-origin" },
    });
  };
  const args = ["login", "--url", server.url(), ...more];
  const outcome = await rapport(args, { XDG_CONFIG_HOME: config }, { onStderr });
  await decided;
  return outcome;
}

describe("login", () => {
  test("keeps a key that only this person can read, and logout revokes it", async () => {
    const config = home();
    const { exit, stdout, stderr } = await login(config, "approve", stage);
    expect(exit, stderr).toBe(0);
    expect(stderr).toContain(`${server.url()}/device?user_code=`);
    expect(stdout).toContain("Signed in to Test.");
    expect(stdout).toMatch(/scopes +read, write/);
    const file = path.join(config, "rapport/config.json");
    expect([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    const kept = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
    expect(kept).toEqual({ url: server.url(), api_key: expect.stringMatching(/^rpt_/), workspace_id: stage.id });
    expect(stdout + stderr).not.toContain(kept.api_key);

    const settings = { XDG_CONFIG_HOME: config };
    const status = await rapport(["status"], settings);
    expect(status).toMatchObject({ exit: 0, stderr: "" });
    for (const said of [server.url(), `Test (${stage.id})`, "scale", "rapport login on ", file, " ms"])
      expect(status.stdout).toContain(said);

    // The sign-in's key is for its own server only.
    const elsewhere = await runHere(["status", "--url", "http://127.0.0.1:9"], settings);
    expect(elsewhere).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining(`signed in to ${server.url()}, not to`),
    });

    const out = await rapport(["logout", "--json"], settings);
    expect(out).toEqual({ exit: 0, stdout: '{"revoked":true}\n', stderr: "" });
    expect(existsSync(file)).toBe(false);
    expect((await server.call("/v2/me", { key: kept.api_key as string })).status).toBe(401);
    expect(await runHere(["status"], settings)).toMatchObject({ exit: 3, stdout: "" });
    expect(await runHere(["logout"], settings)).toMatchObject({ exit: 0, stdout: "You were not signed in.\n" });
  });

  test("to another workspace ends the key before", async () => {
    const [config, other] = [home(), await createStage()];
    const before = await other.key(["read"]);
    const file = path.join(config, "rapport/config.json");
    mkdirSync(path.dirname(file));
    writeFileSync(file, JSON.stringify({ url: server.url(), api_key: before, workspace_id: other.id }));
    const { exit, stdout } = await login(config, "approve", stage, ["--json"]);
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { workspace: { id: stage.id }, scopes: ["read", "write"] }]);
    expect((await server.call("/v2/me", { key: before })).status).toBe(401);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("that is denied keeps nothing", async () => {
    const config = home();
    const { exit, stdout, stderr } = await login(config, "deny", stage);
    expect([exit, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("The login was denied in the browser.");
    expect(existsSync(path.join(config, "rapport/config.json"))).toBe(false);
  });

  test("is started only when its key can be kept", async () => {
    const config = home();
    chmodSync(config, 0o700);
    writeFileSync(path.join(config, "rapport"), "a file where the folder should be");
    const { exit, stderr } = await runHere(["login", "--url", server.url()], { XDG_CONFIG_HOME: config });
    expect([exit, stderr]).toEqual([1, expect.stringContaining("cannot be made")]);
  });
});

describe("without a terminal, with a key in the environment", () => {
  test("a contact is recorded, looked up and searched", async () => {
    const focus = "anna@acme.com";
    const recorded = await done(["record", focus, "--property", "job_title", "--value", "VP Sales", "--source", "crm"]);
    expect(recorded).toMatch(/^Recorded 1\. {2}\S+\njob_title: VP Sales\n$/);
    expect(await done(["record", focus, "--property", "interaction.meeting_held"])).toContain(
      "Stage identified → evaluating",
    );
    const lines =
      '{"kind":"state","property":"region","value":"DACH"}\n\n{"kind":"state","property":"seats","value":40}\n';
    const piped = await rapport(["record", focus], headless(), { stdin: lines });
    expect(piped).toEqual({ exit: 0, stderr: "", stdout: expect.stringMatching(/^Recorded 2/) });
    expect(await done(["record", focus], `[${lines.trim().replace("\n\n", ",")}]`)).toMatch(/Recorded/);
    const sent = await done(["record", focus, "--property", "seats", "--value-json", "41", "--json"]);
    expect(JSON.parse(sent)).toMatchObject({ recorded: 1, claims: [{ property: "seats", value: 41 }] });

    const file = path.join(home(), "call.md");
    writeFileSync(file, "Anna wants single sign-on before July.\n");
    expect(
      await done(["note", focus, file, "--type", "meeting_notes", "--title", "Discovery", "--date", "3 June 2026"]),
    ).toMatch(/^Saved Discovery of 2026-06-03\.\nnote \S+ on \S+\n$/);
    expect(await done(["note", focus], "From standard input: budget is approved.")).toMatch(/^Saved note of /);
    expect(await done(["search", "single", "sign-on"])).toMatch(
      /^1\. Discovery {2}meeting_notes, 2026-06-03, \d\.\d\d\n {3}Anna wants/,
    );
    expect(await done(["search", "submarines"])).toBe("No note was found. Try other words, or fewer.\n");

    expect(await done(["facts", "set", "ICP", "Series A fintechs."])).toMatch(/^Saved ICP\.\n/);
    expect(await done(["facts", "set", "ICP"], "Series B fintechs.")).toContain("what it replaces is in the history");
    expect(await done(["facts", "add", "Notes", "No cold calls."])).toMatch(/^Saved Notes\.\n/);
    expect(await done(["facts"])).toMatch(/^Notes\n {2}No cold calls\.\n {2}api, .+\n\nICP\n {2}Series B fintechs\.\n/);
    expect(await done(["facts", "list", "--categories", "ICP"])).not.toContain("No cold calls.");

    const added = await done(["task", "add", "Send the offer", "--due", "2030-06-05", "--focus", focus]);
    expect(added).toMatch(/^Added\.\nSend the offer \(anna@acme\.com\)\n {2}due 2030-06-05, not assigned {2}/);
    const taskId = added.trim().split(/\s/).at(-1) as string;
    expect(await done(["task", "list", "--assignee", "none"])).toContain(`not assigned  ${taskId}`);
    expect(await done(["task", "done", taskId])).toBe("Done: Send the offer\n");
    expect(await done(["task"])).toMatch(/^There are no tasks\./);
    expect(await done(["task", "done", taskId, "--open"])).toBe("Open again: Send the offer\n");

    const context = await done(["context", focus, "--intent", "draft_email", "--budget_tokens", "900"]);
    for (const said of [
      "FACTS",
      "job_title: VP Sales",
      "YOUR CONTEXT",
      "TIMELINE",
      "meeting_held",
      "DOCUMENTS",
      "of 900 tokens",
    ])
      expect(context).toContain(said);
    const account = await done(["account", focus]);
    expect(account).toMatch(/^anna@acme\.com {2}person, stage evaluating\nemail anna@acme\.com\nid /);
    expect(account).toMatch(/PROPERTY +CONFIDENCE +SOURCE +LAST SEEN +VALUE\n/);
    expect(account).toMatch(/job_title +0\.\d\d fresh +crm +just now +VP Sales\n/);
  });

  test("with a key whose writes need approval, what is recorded waits, and the command says so", async () => {
    const careful = { ...headless(), RAPPORT_API_KEY: await stage.key(["write"], { approval: "writes" }) };
    const said = await runHere(["record", "anna@acme.com", "--property", "job_title", "--value", "CFO"], careful);
    expect({ exit: said.exit, stderr: said.stderr }).toEqual({ exit: 0, stderr: "" });
    expect(said.stdout).toContain("a person must approve this first");
  });

  test("with a key that asks where a person spoke, a value that waits says so", async () => {
    const asking = { ...headless(), RAPPORT_API_KEY: await stage.key(["write"], { approval: "human_fields" }) };
    const { cookie } = await stage.person("member");
    const headers = { cookie, origin: server.url(), "sec-fetch-site": "same-origin" };
    await server.call(`/api/app/${stage.id}/v2/people`, { headers, body: { email: "bo@hooli.com", job_title: "CTO" } });
    const said = await runHere(["record", "bo@hooli.com", "--property", "job_title", "--value", "CFO"], asking);
    expect({ exit: said.exit, stderr: said.stderr }).toEqual({ exit: 0, stderr: "" });
    expect(said.stdout).toMatch(/^Recorded 0\..*\n.*job_title.*CTO.*yours waits for approval, [0-9a-f-]{36}/);
  });

  test("--json prints exactly what the API answers", async () => {
    await stage.anna();
    const printed = (await rapport(["account", "anna@acme.com", "--json"], headless())).stdout;
    const { body } = await server.call("/v2/accounts/anna%40acme.com", { key });
    expect(Object.keys(JSON.parse(printed))).toEqual(Object.keys(body));
    expect(printed).toBe(`${JSON.stringify(JSON.parse(printed))}\n`);
    const missing = await rapport(["account", "nobody@acme.com", "--json"], headless());
    expect([missing.exit, missing.stderr, JSON.parse(missing.stdout)]).toMatchObject([
      4,
      "",
      { error: "entity_not_found", request_id: expect.any(String) },
    ]);
  });

  test("a name that several have is a list to choose from", async () => {
    for (const domain of ["one.com", "two.com"])
      await stage.run("recordObservations", {
        focus: `kim@${domain}`,
        observations: [
          { kind: "state", property: "first_name", value: "Kim" },
          { kind: "state", property: "last_name", value: "Doe" },
        ],
      });
    const { exit, stdout } = await run(["context", "Kim", "Doe"]);
    expect([exit, stdout]).toEqual([
      4,
      expect.stringMatching(/^Several have that name; use an id:\n\nID +NAME +DETAIL\n/),
    ]);
  });

  test("requests name their client, and the environment wins over the file", async () => {
    const config = home();
    const other = await createStage();
    mkdirSync(path.join(config, "rapport"));
    const signIn = { url: server.url(), api_key: await other.key(["read"]), workspace_id: other.id };
    writeFileSync(path.join(config, "rapport/config.json"), JSON.stringify(signIn));
    const settings = { XDG_CONFIG_HOME: config, RAPPORT_API_KEY: await stage.key(["read"]), RAPPORT_URL: server.url() };
    const { stdout } = await runHere(["status", "--json"], settings);
    expect(JSON.parse(stdout)).toMatchObject({ workspace: { id: stage.id }, scopes: ["read"] });
    await expect
      .poll(() =>
        inspect("SELECT last_used_client FROM api_keys WHERE workspace_id = $1 AND last_used_client IS NOT NULL", [
          stage.id,
        ]),
      )
      .toContainEqual({ last_used_client: expect.stringMatching(/^rapport-cli\/\d/) });
  });

  test("a value that there is not is refused with those there are", async () => {
    const { exit, stderr } = await run(["context", "anna@acme.com", "--intent", "nope"]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining("draft_email, follow_up, meeting_prep")]);
    const tools = await run(["mcp", "--tools", "nope"]);
    expect([tools.exit, tools.stderr]).toEqual([2, expect.stringMatching(/no tool called nope.*get_context/)]);
    const task = await run(["task", "add", "Call Anna", "--assignee", "me"]);
    expect([task.exit, task.stderr]).toEqual([2, expect.stringContaining("no member made this key")]);
  });

  test("other people's words do not control the terminal", async () => {
    const content = "warning \u001b[31mred\u001b]0;title\u0007 \u202Etxt";
    await done(["note", "mallory@acme.com", "--content", content, "--title", "Escape \u001b[2J"]);
    const found = await done(["search", "warning", "--focus", "mallory@acme.com"]);
    expect(found).toContain("Escape");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be printed
    expect(found).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  test("colours are printed only when they are asked for", async () => {
    const plain = await done(["facts"]);
    const coloured = await rapport(["facts"], { ...headless(), FORCE_COLOR: "1" });
    const refused = await rapport(["facts"], { ...headless(), FORCE_COLOR: "1", NO_COLOR: "1" });
    expect([plain.includes("\u001b["), coloured.stdout.includes("\u001b[")]).toEqual([false, true]);
    expect(refused.exit).toBe(0);
  });
});

describe("exit codes", () => {
  let readOnly = "";
  let foreign: Server;
  beforeAll(async () => {
    readOnly = await stage.key(["read"]);
    foreign = createServer((_, response) => response.end("<html>")).listen(0);
    await new Promise((resolve) => foreign.once("listening", resolve));
  });
  afterAll(() => void foreign.close());

  test.each<[number, string, string[], () => Record<string, string>, RegExp]>([
    [0, "it worked", ["status"], headless, /^$/],
    [
      1,
      "a fact that is history",
      ["facts", "set", "ICP", "x", "--supersedes", "<history>"],
      headless,
      /already history/,
    ],
    [2, "an unknown option", ["status", "--nope"], headless, /Unknown option '--nope'/],
    [2, "an unknown command", ["frobnicate"], headless, /Unknown command 'frobnicate'/],
    [2, "a value that the server refuses", ["context", "anna@acme.com", "--intent", "gossip"], headless, /intent/],
    [2, "a day that is none", ["task", "add", "x", "--due", "someday"], headless, /^--due: someday is no day/],
    [2, "a number that is none", ["context", "anna@acme.com", "--budget-tokens", "many"], headless, /^budget_tokens: /],
    [2, "a focus that is refused", ["record", "Anna", "--property", "x", "--value", "y"], headless, /focus must be/],
    [2, "input that is no JSON", ["record", "anna@acme.com"], headless, /^Line 1 of the input is not JSON/],
    [2, "an address that is none", ["status", "--url", "ftp://x"], headless, /is no address of a server/],
    [3, "no key", ["facts"], () => ({ XDG_CONFIG_HOME: home() }), /You are not signed in\. Run `rapport login`/],
    [
      3,
      "a key that does not work",
      ["facts"],
      () => ({ ...headless(), RAPPORT_API_KEY: "rpt_no" }),
      /API key of RAPPORT_API_KEY/,
    ],
    [
      4,
      "an unknown contact",
      ["account", "nobody@acme.com"],
      headless,
      /^No person in this workspace has that e-mail address/,
    ],
    [
      5,
      "a scope that is missing",
      ["facts", "set", "ICP", "x"],
      () => ({ ...headless(), RAPPORT_API_KEY: readOnly }),
      /scope/,
    ],
    [
      6,
      "a server that is away",
      ["status"],
      () => ({ ...headless(), RAPPORT_URL: "http://127.0.0.1:9" }),
      /cannot be reached/,
    ],
    [
      6,
      "something else at the address",
      ["status"],
      () => ({ ...headless(), RAPPORT_URL: `http://127.0.0.1:${(foreign.address() as AddressInfo).port}` }),
      /is not Rapport/,
    ],
  ])("%i: %s", async (exit, _, args, settings, said) => {
    let given = args;
    if (args.includes("<history>")) {
      const { fact } = (await stage.run("saveFact", { section: "Market", content: "old" })) as { fact: { id: string } };
      await stage.run("saveFact", { section: "Market", content: "new" });
      given = args.map((arg) => (arg === "<history>" ? fact.id : arg));
    }
    const outcome = await runHere(given, settings(), "not json");
    expect([outcome.exit, outcome.stderr]).toEqual([exit, expect.stringMatching(said)]);
    if (exit !== 0) expect(outcome.stdout).toBe("");
  });

  test("a damaged file says what to do", async () => {
    const config = home();
    mkdirSync(path.join(config, "rapport"));
    writeFileSync(path.join(config, "rapport/config.json"), "{");
    const settings = { XDG_CONFIG_HOME: config };
    const { exit, stderr } = await runHere(["status"], settings);
    expect([exit, stderr]).toEqual([1, expect.stringContaining("is damaged: delete it and run `rapport login`")]);
    expect(await login(config, "approve", stage, [])).toMatchObject({ exit: 0 });
    expect(await runHere(["status"], settings)).toMatchObject({ exit: 0 });
  });
});

describe("completion", () => {
  /** What a command prints itself. */
  async function printed(args: readonly string[]): Promise<string> {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    expect(await runHere(args, {})).toEqual({ exit: 0, stdout: "", stderr: "" });
    return log.mock.calls.map(([line]) => `${line}\n`).join("");
  }

  test.each(["bash", "zsh", "fish", "powershell"])("has a script for %s", async (shell) => {
    expect(await printed(["completion", shell])).toMatch(/rapport[^\n]* complete /);
  });

  test("is printed by the program", async () => {
    const { exit, stdout, stderr } = await rapport(["complete", "--", "facts", ""], {});
    expect([exit, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^list\b/m);
  });

  test.each([
    ["commands", [""], ["login", "context", "facts", "admin"]],
    ["subcommands", ["facts", ""], ["list", "set", "add"]],
    ["the operator's too", ["admin", "key", ""], ["create", "revoke"]],
    ["options", ["context", "anna@acme.com", "--"], ["--intent", "--budget-tokens", "--json"]],
    ["values", ["context", "anna@acme.com", "--intent", ""], ["draft_email", "call_prep"]],
  ])("offers %s", async (_, words, offered) => {
    const values = (await printed(["complete", "--", ...words])).split("\n").map((line) => line.split("\t")[0]);
    expect(values).toEqual(expect.arrayContaining(offered));
  });

  test("has a script for bash that can be sourced twice", async () => {
    const { stdout } = await rapport(["completion", "bash"], {});
    const { stderr } = spawnSync("bash", ["-c", `${stdout}\n${stdout}`], { encoding: "utf8" });
    expect(stderr).toBe("");
  });

  test("asks for a shell that there is", async () => {
    const { exit, stderr } = await rapport(["completion", "tcsh"], {}); // the completion ends the process itself
    expect([exit, stderr]).toEqual([2, expect.stringContaining("bash")]);
  });
});

describe("import", () => {
  const csv = (text: string): string => {
    const file = path.join(home(), "fair.csv");
    writeFileSync(file, text);
    return file;
  };
  const people = "Mail,Vorname,Region\nzoe@import.example,Zoë,DACH\n,Ben,\n";

  test("says what would happen, and imports nothing", async () => {
    const said = await done([
      "import",
      csv(people),
      "--mapping",
      "Vorname=first_name,Region=property.region",
      "--dry-run",
    ]);
    expect(said).toContain("1 new, 0 updated, 0 unchanged, 1 skipped");
    expect(said).toContain("No e-mail or LinkedIn");
    expect(said).toMatch(/Region +property\.region/);
    expect(said).toContain("Nothing was imported.");
    expect((await run(["account", "zoe@import.example"])).exit).toBe(4);
  });

  test("imports without asking when it is told to, and says so as JSON", async () => {
    const said = await done(["import", csv(people), "--mapping", "Vorname=first_name", "--yes", "--json"]);
    expect(JSON.parse(said)).toMatchObject({
      import: { name: "fair", state: "done", run: { created: 1, skipped: 1 } },
    });
    expect(await done(["account", "zoe@import.example"])).toContain("Zoë");
  });

  test("ends with 2 where no one can be asked, for a missing file, and for a file that is no CSV", async () => {
    const endings = [
      await run(["import", csv(people)]),
      await run(["import", "/nowhere.csv", "--yes"]),
      await run(["import", csv("Email\n"), "--yes"]),
      await run(["import", csv(people), "--mapping", "Nachname=last_name", "--yes"]),
    ];
    expect(endings.map(({ exit }) => exit)).toEqual([2, 2, 2, 2]);
    expect(endings.map(({ stderr }) => stderr)).toEqual([
      expect.stringContaining("add --yes"),
      expect.stringContaining("/nowhere.csv cannot be read (ENOENT)"),
      expect.stringContaining("there are no rows under it"),
      expect.stringContaining("The file has no column Nachname. Its columns: Mail, Vorname, Region."),
    ]);
  });
});
