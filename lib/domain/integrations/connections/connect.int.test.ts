import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { withWorkspace } from "#lib/db/transaction.ts";
import { deleteWorkspace } from "#lib/domain/workspace/workspaces/service.ts";
import { CalComStandIn } from "#lib/testing/cal-com.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { FathomStandIn } from "#lib/testing/fathom.fixture.ts";
import { hurryJobs } from "#lib/testing/jobs.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { checkIntegration, findSigningSecret, getIntegration } from "./service.ts";

const standIn = new CalComStandIn();
const fathom = new FathomStandIn();
const PUBLIC = "https://rapport.example";
const settings = () => ({ CAL_COM_API_URL: standIn.url, FATHOM_API_URL: fathom.url, APP_URL: PUBLIC });

beforeAll(async () => {
  await standIn.start();
  await fathom.start();
  bootWith(settings());
});
const server = useServer();
afterAll(() => Promise.all([standIn.stop(), fathom.stop()]));
afterEach(() => {
  standIn.calm();
  standIn.httpsOnly = false;
});

type Row = {
  id: string;
  provider: string;
  credentials: string;
  signing_secret: string;
  webhook_id: string | null;
  removed_at: Date | null;
};
const rowsOf = (workspaceId: string) =>
  inspect<Row>("SELECT * FROM connections WHERE workspace_id = $1", [workspaceId]);

async function newWorkspace() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const path = "/v2/workspace/integrations";
  return {
    ...workspace,
    connect: (api_key: string, more: object = {}) =>
      server.call(path, { key, body: { provider: "cal_com", credentials: { api_key }, ...more } }),
    post: (body: unknown) => server.call(path, { key, body }),
    disconnect: (provider = "cal_com") => server.call(`${path}/${provider}`, { key, method: "DELETE" }),
    async status(provider = "cal_com") {
      const { body } = await server.call(path, { key });
      return (body.integrations as { provider: string }[]).find((one) => one.provider === provider);
    },
    url: `${PUBLIC}/inbound/cal_com/${workspace.id}`,
    secret: () => withWorkspace(workspace.id, (db) => findSigningSecret({ db }, "cal_com")),
    key,
  };
}
const hooksAt = (url: string) => standIn.webhooks.filter(({ subscriberUrl }) => subscriberUrl === url);

describe("connecting the booking provider", () => {
  test("asks whose key it is, keeps it sealed, registers the webhook and waits for its first delivery", async () => {
    const workspace = await newWorkspace();
    const apiKey = standIn.account("cal_live_abcdefghijkl", { email: "Olive@Sender.example" });
    const answer = await workspace.connect(apiKey, { name: "Our calendar" });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ok: true,
      connection: {
        id: expect.any(String),
        provider: "cal_com",
        name: "Our calendar",
        is_verified: true,
        webhook_status: "pending",
      },
      message:
        "Cal.com is connected as Olive Organizer (Olive@Sender.example). The webhook goes live with its first verified delivery.",
    });
    expect(standIn.calls).toEqual(["GET /me", "POST /webhooks"]);
    const secret = await workspace.secret();
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(hooksAt(workspace.url)).toEqual([expect.objectContaining({ secret, active: true })]);
    const [row] = await rowsOf(workspace.id);
    expect(JSON.stringify(row)).not.toContain(apiKey);
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(await workspace.status()).toEqual({
      provider: "cal_com",
      display_name: "Cal.com",
      category: "booking",
      connected: true,
      is_verified: true,
      webhook_status: "pending",
      last_event_at: null,
    });
    const { body } = await server.call("/v2/workspace/status", { key: workspace.key });
    expect(body.setup).toMatchObject({
      integrations: { count: 1, connected: [{ provider: "cal_com", name: "Cal.com" }] },
    });
  });

  test.each<[string, unknown, number, string]>([
    ["no provider", { credentials: { api_key: "x" } }, 400, "provider_and_credentials_required"],
    ["a blank provider", { provider: " ", credentials: { api_key: "x" } }, 400, "provider_and_credentials_required"],
    ["no credentials", { provider: "cal_com" }, 400, "provider_and_credentials_required"],
    ["empty credentials", { provider: "cal_com", credentials: {} }, 400, "provider_and_credentials_required"],
    ["an unknown provider", { provider: "calendly", credentials: { api_key: "x" } }, 404, "unknown_provider"],
    [
      "another provider's credentials",
      { provider: "cal_com", credentials: { access_token: "x" } },
      400,
      "invalid_credentials",
    ],
    [
      "more than the provider takes",
      { provider: "cal_com", credentials: { api_key: "x", url: "http://169.254.169.254" } },
      400,
      "invalid_credentials",
    ],
    ["a blank key", { provider: "cal_com", credentials: { api_key: "  " } }, 400, "invalid_credentials"],
    [
      "a key no header can carry",
      { provider: "cal_com", credentials: { api_key: "a\r\nx-evil: 1" } },
      400,
      "invalid_credentials",
    ],
    ["credentials that are no text", { provider: "cal_com", credentials: { api_key: 7 } }, 400, "invalid_credentials"],
    [
      "a secret of another form",
      { provider: "fathom", credentials: { signing_secret: "hush" } },
      400,
      "invalid_credentials",
    ],
    [
      "a field nobody knows",
      { provider: "cal_com", credentials: { api_key: "x" }, url: "https://x.example" },
      400,
      "unknown_parameter",
    ],
  ])("refuses %s before anything is sent or written", async (_what, body, status, error) => {
    const workspace = await newWorkspace();
    const answer = await workspace.post(body);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(standIn.received).toEqual([]);
    expect(await rowsOf(workspace.id)).toEqual([]);
  });

  test("refuses a key the provider does not accept, with its reason", async () => {
    const workspace = await newWorkspace();
    const answer = await workspace.connect("cal_live_wrong");
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: "invalid_credentials",
      message: "Cal.com does not accept these credentials: Invalid Access Token.",
      provider: "cal_com",
      reason: "Invalid Access Token.",
    });
    expect(await rowsOf(workspace.id)).toEqual([]);
  });

  test("says that the provider could not be asked, and changes nothing", async () => {
    const workspace = await newWorkspace();
    standIn.trouble({ path: "/me", status: 429, headers: { "retry-after": "20" } });
    const answer = await workspace.connect(standIn.account());
    expect([answer.status, answer.body.error, answer.body.reason, answer.body.retry_after]).toEqual([
      502,
      "provider_unavailable",
      "rate_limited",
      20,
    ]);
    expect(await rowsOf(workspace.id)).toEqual([]);
  });

  test("tells no connection apart from a wrong key", async () => {
    const workspace = await newWorkspace();
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    bootWith({ ...settings(), CAL_COM_API_URL: `http://127.0.0.1:${port}` });
    const answer = await workspace.connect("cal_live_any");
    bootWith(settings());
    expect([answer.status, answer.body.error, answer.body.reason]).toEqual([
      502,
      "provider_unavailable",
      "unreachable",
    ]);
    expect(answer.body.message).toBe(
      "Cal.com cannot be reached: it refuses connections. The credentials were not checked and nothing was changed. Check this server's network, DNS, proxy and firewall, then try again.",
    );
    expect(await rowsOf(workspace.id)).toEqual([]);
  });

  test("is tested again with the key that is kept, and a refused one is shown until it is accepted", async () => {
    const workspace = await newWorkspace();
    const check = () => checkIntegration.execute(workspace.caller, { provider: "cal_com" });
    await expect(check()).rejects.toMatchObject({ code: "not_connected" });
    await workspace.connect(standIn.account("cal_live_tested_again", { email: "olive@sender.example" }));
    expect(await check()).toEqual({ ok: true, account: "Olive Organizer (olive@sender.example)" });

    standIn.trouble({ path: "/me", status: 500 });
    await expect(check()).rejects.toMatchObject({ code: "provider_unavailable" });
    expect(await workspace.status()).toMatchObject({ is_verified: true });
    expect(await workspace.status()).not.toHaveProperty("message");

    standIn.calm();
    standIn.trouble({ path: "/me", status: 401 });
    await expect(check()).rejects.toMatchObject({ code: "invalid_credentials" });
    expect(await workspace.status()).toMatchObject({
      is_verified: false,
      message: expect.stringContaining("connect again with a new one"),
    });
    standIn.calm();
    await check();
    expect(await workspace.status()).toMatchObject({ is_verified: true });
    expect(await workspace.status()).not.toHaveProperty("message");
  });

  test("says before it is connected that the provider cannot deliver to this server", async () => {
    const workspace = await newWorkspace();
    const problem = async (provider: string) =>
      (await getIntegration.execute(workspace.caller, { provider })).address_problem;
    expect(await problem("cal_com")).toBeNull();
    bootWith({ ...settings(), APP_URL: "http://10.0.0.5:3000" });
    const [calendar, recorder, crm] = [await problem("cal_com"), await problem("fathom"), await problem("hubspot")];
    bootWith(settings());
    expect(calendar).toMatch(/^Cal\.com cannot deliver to http:\/\/10\.0\.0\.5:3000: .* set APP_URL/);
    expect(recorder).toMatch(/^Fathom cannot deliver/);
    expect(crm).toBeNull();
  });

  test("waits for a provider that hangs no longer than 12 s, and holds no transaction meanwhile", async () => {
    const workspace = await newWorkspace();
    standIn.trouble({ path: "/me", hangs: true });
    const answering = workspace.connect(standIn.account());
    await expect.poll(() => standIn.calls).toEqual(["GET /me"]);
    const open = () =>
      inspect("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'");
    // Jobs of the tests before may have one for a moment; one of this call would stay as long as the provider hangs.
    await expect.poll(open, { timeout: 30_000 }).toEqual([]);
    const { status, body } = await answering;
    expect([status, body.error, body.reason]).toEqual([502, "provider_unavailable", "slow"]);
  });

  test("stays connected when the webhook cannot be registered, says why, and can try again", async () => {
    const workspace = await newWorkspace();
    standIn.httpsOnly = true;
    bootWith({ ...settings(), APP_URL: "http://localhost:3000" });
    const answer = await workspace.connect(standIn.account());
    bootWith(settings());
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ connection: { is_verified: true, webhook_status: "failed" } });
    expect(await workspace.status()).toMatchObject({
      connected: true,
      webhook_status: "failed",
      message:
        "The webhook is not registered: Cal.com refused the request: subscriberUrl must be a public https URL. Check that APP_URL of this server is a public https address, then try again.",
    });
    const { registerAgain } = await import("./service.ts");
    await registerAgain.execute(workspace.caller, { provider: "cal_com" });
    await expect.poll(() => workspace.status()).toMatchObject({ webhook_status: "pending" });
    expect(await workspace.status()).not.toHaveProperty("message");
  });

  test("gets the webhook registered by itself after the provider was away", async () => {
    const workspace = await newWorkspace();
    standIn.trouble({ path: "/webhooks", status: 503 });
    const answer = await workspace.connect(standIn.account());
    expect(answer.body).toMatchObject({ connection: { webhook_status: "failed" } });
    expect(answer.body.message).toContain("Rapport tries again automatically");
    await expect.poll(() => workspace.status(), { timeout: 30_000 }).toMatchObject({ webhook_status: "pending" });
    expect(hooksAt(workspace.url)).toHaveLength(1);
  });

  test("comes back when the provider says, and counts no failure", async () => {
    const workspace = await newWorkspace();
    standIn.trouble({ path: "/webhooks", status: 429, headers: { "retry-after": "60" } });
    await workspace.connect(standIn.account());
    const [first] = standIn.received.filter(({ path }) => path === "/webhooks");
    let due: number[] = [];
    await expect.poll(async () => (due = await hurryJobs(workspace.id)), { interval: 20 }).toHaveLength(1);
    expect((due[0] ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(59_900);
    await expect.poll(() => workspace.status()).toMatchObject({ webhook_status: "pending" });
  });

  test("a second time with the same account changes the key and leaves one webhook", async () => {
    const workspace = await newWorkspace();
    const [first, second] = ["cal_live_first_key", "cal_live_second_key"];
    for (const key of [first, second]) standIn.account(key, { id: 77, email: "same@sender.example" });
    const before = (await workspace.connect(first)).body.connection as { id: string };
    const secret = await workspace.secret();
    const after = (await workspace.connect(second)).body.connection as { id: string };
    expect(after.id).toBe(before.id);
    expect(await workspace.secret()).toBe(secret);
    expect(hooksAt(workspace.url)).toEqual([expect.objectContaining({ secret })]);
    expect(standIn.received.at(-1)?.headers.authorization).toBe(`Bearer ${second}`);
  });

  test("a second time with another account deletes the webhook of the first", async () => {
    const workspace = await newWorkspace();
    await workspace.connect(standIn.account());
    const [old] = hooksAt(workspace.url);
    await workspace.connect(standIn.account());
    await expect.poll(() => rowsOf(workspace.id)).toHaveLength(1);
    expect(hooksAt(workspace.url)).toEqual([expect.objectContaining({ secret: await workspace.secret() })]);
    expect(hooksAt(workspace.url)[0]?.userId).not.toBe(old?.userId);
  });

  test("takes over a webhook that an earlier attempt left without our knowing", async () => {
    const workspace = await newWorkspace();
    const apiKey = standIn.account("cal_live_left", { id: 90 });
    standIn.webhooks.push({
      id: "left",
      userId: 90,
      subscriberUrl: workspace.url,
      triggers: [],
      active: false,
      secret: "x",
      payloadTemplate: null,
    });
    await workspace.connect(apiKey);
    expect(hooksAt(workspace.url)).toEqual([
      expect.objectContaining({ id: "left", active: true, secret: await workspace.secret() }),
    ]);
  });

  test("twice at once leaves one connection and one webhook that agree", async () => {
    const workspace = await newWorkspace();
    const [one, other] = [standIn.account(), standIn.account()];
    const answers = await Promise.all([one, other, one, other].map((key) => workspace.connect(key)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    await expect.poll(() => rowsOf(workspace.id), { timeout: 30_000 }).toHaveLength(1);
    await expect.poll(() => workspace.status(), { timeout: 30_000 }).toMatchObject({ webhook_status: "pending" });
    await expect.poll(() => hooksAt(workspace.url)).toHaveLength(1);
    const [row] = await rowsOf(workspace.id);
    expect(hooksAt(workspace.url)).toEqual([
      expect.objectContaining({ id: row?.webhook_id, secret: await workspace.secret() }),
    ]);
  });
});

describe("disconnecting", () => {
  test("deletes the webhook at the provider, and what we kept", async () => {
    const workspace = await newWorkspace();
    await workspace.connect(standIn.account());
    const { status, body } = await workspace.disconnect();
    expect([status, body]).toEqual([204, {}]);
    expect(hooksAt(workspace.url)).toEqual([]);
    expect(await rowsOf(workspace.id)).toEqual([]);
    expect(await workspace.status()).toMatchObject({ connected: false, webhook_status: "none" });
    expect(await workspace.disconnect()).toMatchObject({ status: 404, body: { error: "not_connected" } });
    expect(await workspace.disconnect("nobody")).toMatchObject({ status: 404, body: { error: "unknown_provider" } });
  });

  test("is done when the webhook is gone already, and when the key works no more", async () => {
    for (const gone of [() => standIn.webhooks.splice(0), () => standIn.accounts.clear()]) {
      const workspace = await newWorkspace();
      await workspace.connect(standIn.account());
      gone();
      expect((await workspace.disconnect()).status).toBe(204);
      await expect.poll(() => rowsOf(workspace.id)).toEqual([]);
    }
  });

  test("forgets the secret at once and deletes the webhook when the provider is back", async () => {
    const workspace = await newWorkspace();
    await workspace.connect(standIn.account());
    standIn.trouble({ method: "DELETE", status: 500 });
    const done = workspace.disconnect();
    await expect.poll(() => workspace.secret()).toBeNull();
    await done;
    await expect.poll(() => hooksAt(workspace.url), { timeout: 30_000 }).toEqual([]);
    await expect.poll(() => rowsOf(workspace.id)).toEqual([]);
  });

  test("and connecting again at once keeps the webhook of the new connection", async () => {
    const workspace = await newWorkspace();
    const apiKey = standIn.account();
    await workspace.connect(apiKey);
    standIn.trouble({ method: "DELETE", status: 500, times: 1 });
    const leaving = workspace.disconnect();
    await expect.poll(() => workspace.secret()).toBeNull();
    await workspace.connect(apiKey);
    await leaving;
    await expect.poll(() => rowsOf(workspace.id), { timeout: 30_000 }).toHaveLength(1);
    expect(hooksAt(workspace.url)).toEqual([expect.objectContaining({ secret: await workspace.secret() })]);
  });

  test("finds the webhook of a registration that was killed before it was noted", async () => {
    const workspace = await newWorkspace();
    await workspace.connect(standIn.account());
    await inspect("UPDATE connections SET webhook_id = NULL WHERE workspace_id = $1", [workspace.id]);
    await workspace.disconnect();
    expect(hooksAt(workspace.url)).toEqual([]);
  });
});

describe("a CRM", () => {
  const tokens: Record<string, [status: number, body: object]> = {
    "Bearer good": [200, { active: true, workspace_id: "w1", workspace_name: "Example", portalId: 42 }],
    "Bearer inactive": [200, { active: false }],
    "Bearer strange": [200, { hello: "world" }],
  };
  const crm = createServer((request, response) => {
    const [status, body] = tokens[request.headers.authorization ?? ""] ?? [
      401,
      { message: "Authentication credentials not found" },
    ];
    const known = request.url === "/v2/self" || request.url === "/account-info/v3/details";
    response.writeHead(known ? status : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(known ? body : {}));
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => crm.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(crm.address() as AddressInfo).port}`;
    bootWith({ ...settings(), ATTIO_API_URL: url, HUBSPOT_API_URL: url });
  });
  afterAll(() => {
    crm.closeAllConnections();
    crm.close();
    bootWith(settings());
  });

  test.each([
    ["attio", "good", 201, "Attio is connected as Example."],
    ["attio", "inactive", 400, "Attio does not accept these credentials: the token is not active."],
    ["attio", "wrong", 400, "Attio does not accept these credentials: Authentication credentials not found."],
    [
      "attio",
      "strange",
      502,
      "Attio answered something we cannot read (status 200). Nothing was changed; try again in a moment.",
    ],
    ["hubspot", "good", 201, "HubSpot is connected as account 42."],
    ["hubspot", "wrong", 400, "HubSpot does not accept these credentials: Authentication credentials not found."],
  ])("%s with a token that is %s is answered %i", async (provider, access_token, status, message) => {
    const workspace = await newWorkspace();
    const answer = await workspace.post({ provider, credentials: { access_token } });
    expect([answer.status, answer.body.message]).toEqual([status, message]);
    expect(await workspace.status(provider)).toMatchObject({ connected: status === 201, webhook_status: "none" });
    if (status === 201) expect((await workspace.disconnect(provider)).status).toBe(204);
  });
});

test("a deleted workspace leaves no webhook behind", async () => {
  const workspace = await newWorkspace();
  await workspace.connect(standIn.account());
  expect(hooksAt(workspace.url)).toHaveLength(1);
  await deleteWorkspace.execute(workspace.caller, { confirm: "Test" });
  await expect.poll(() => hooksAt(workspace.url)).toEqual([]);
});

describe("a recorder", () => {
  const secret = (text: string) => `whsec_${Buffer.alloc(32, text).toString("base64")}`;

  test("needs only its secret, and waits for its first delivery", async () => {
    const workspace = await newWorkspace();
    const answer = await workspace.post({ provider: "fathom", credentials: { signing_secret: secret("a") } });
    expect(answer.body).toMatchObject({ ok: true, connection: { provider: "fathom", webhook_status: "pending" } });
    expect(await withWorkspace(workspace.id, (db) => findSigningSecret({ db }, "fathom"))).toBe(secret("a"));
    const withKey = { provider: "fathom", credentials: { signing_secret: secret("b"), api_key: "k" } };
    expect((await workspace.post(withKey)).body).toMatchObject({ error: "invalid_credentials" });
    fathom.tokens.add("k");
    expect((await workspace.post(withKey)).status).toBe(201);
    expect(await withWorkspace(workspace.id, (db) => findSigningSecret({ db }, "fathom"))).toBe(secret("b"));
    expect((await workspace.disconnect("fathom")).status).toBe(204);
    expect(await rowsOf(workspace.id)).toEqual([]);
  });
});

test("connections of one workspace are invisible to others", async () => {
  const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
  await mine.connect(standIn.account());
  expect(await theirs.status()).toMatchObject({ connected: false });
  expect((await theirs.disconnect()).status).toBe(404);
  expect(await mine.status()).toMatchObject({ connected: true });
});

test("a key without the admin scope reads and does not change", async () => {
  const workspace = await createTestWorkspace();
  const key = await workspace.key(["write"]);
  const body = { provider: "cal_com", credentials: { api_key: "x" } };
  expect(await server.call("/v2/workspace/integrations", { key, body })).toMatchObject({ status: 403 });
  expect(await server.call("/v2/workspace/integrations", { key })).toMatchObject({ status: 200 });
});
