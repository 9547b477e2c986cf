/** A directory tells one instance that a person is deactivated: what acts for them ends on another instance too. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "#lib/db/embedded/launch.ts";
import { mintApiKey } from "#lib/domain/access/api-keys/service.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, database } from "#lib/testing/database.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { join, oauthClient } from "#lib/testing/oauth.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

/** Issue 34 promises it. */
const WITHIN_MS = 5_000;

bootWith({ SIGNUPS: "open" });
const here = useServer();
let other: { url: string; process: ChildProcess };

/** The app as a process of its own, on the database and with the secrets of this one. */
beforeAll(async () => {
  const port = await freePort();
  const child = spawn(process.execPath, [path.resolve("bin/pageless-start.fixture.ts"), String(port)], {
    env: {
      ...process.env,
      NODE_ENV: "test",
      NODE_OPTIONS: "",
      RAPPORT_DATA_DIR: database.dataDir,
      DATABASE_URL: database.url,
      SESSION_SECRET: getBoot().secrets.sessionSecret,
      APP_URL: here.url(),
      HOST: "127.0.0.1",
      LOG_LEVEL: "error",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece) => {
        output += piece;
        if (output.includes("answers at http")) resolve();
      });
    child.on("close", () => reject(new Error(`the other instance ended:\n${output}`)));
  });
  other = { url: `http://127.0.0.1:${port}`, process: child };
});
afterAll(async () => {
  const ended = once(other.process, "close");
  other.process.kill("SIGTERM");
  await ended;
});

/** A member with a session, a key of `rapport login` and a connected client, and what each is answered by the other instance. */
async function member(workspace: Awaited<ReturnType<typeof createTestWorkspace>>) {
  const browser = await signedInBrowser(here.url());
  await join(browser, workspace.id, "member");
  const loginKey = await workspace.key(["read"], { loginUserId: browser.userId });
  const { tokens } = await oauthClient(here.url).connect(browser, { workspace_id: workspace.id });
  const status = async (address: string, init: RequestInit) => (await fetch(other.url + address, init)).status;
  const ask = async () => ({
    session: await status(`/api/app/${workspace.id}/members`, { headers: { cookie: browser.headers().cookie } }),
    login: await status("/v2/people", { headers: { authorization: `Bearer ${loginKey}` } }),
    client: await status("/mcp", {
      method: "POST",
      headers: {
        authorization: `Bearer ${tokens.access_token}`,
        ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
        "mcp-protocol-version": "2025-06-18",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    }),
  });
  return { ...browser, ask };
}

test("a session, a login key and a connected client of a deactivated person are refused by the other instance", async () => {
  const workspace = await createTestWorkspace();
  const owner = await addTestMember(workspace, "Olive", "owner");
  const caller = { ...owner.caller, provenAt: new Date() };
  const { api_key: key } = await mintApiKey.execute(caller, { name: "Okta", scopes: ["directory"] });
  const scim = async (method: string, address: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/scim+json" };
    const answer = await fetch(`${here.url()}/scim/v2${address}`, { method, headers, body: JSON.stringify(body) });
    expect(answer.status).toBeLessThan(300);
    return (await answer.json()) as { id: string };
  };
  const [leaves, stays] = [await member(workspace), await member(workspace)];
  const { id } = await scim("POST", "/Users", {
    ...{ schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: leaves.email, active: true },
  });
  const all = { session: 200, login: 200, client: 200 };
  // Twice: then the other instance knows them, and asks the database no more.
  for (let n = 0; n < 2; n++) expect([await leaves.ask(), await stays.ask()]).toEqual([all, all]);

  await scim("PATCH", `/Users/${id}`, {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
    Operations: [{ op: "replace", path: "active", value: false }],
  });
  const none = { session: 404, login: 401, client: 401 };
  await expect.poll(leaves.ask, { timeout: WITHIN_MS, interval: 20 }).toEqual(none);
  expect(await stays.ask()).toEqual(all);
});
