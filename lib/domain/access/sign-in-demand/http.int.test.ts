/** What a workspace demands of how its members signed in, at every way in. */
import { Secret, TOTP } from "otpauth";
import { beforeAll, describe, expect, test } from "vitest";
import { authOptions } from "#lib/auth/next-auth.ts";
import { headersOf, signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { eventsOf } from "#lib/testing/events.fixture.ts";
import { oauthClient } from "#lib/testing/oauth.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";

const server = useServer();
const oauth = oauthClient(server.url);
const OIDC = {
  OIDC_ISSUER: "https://idp.example",
  OIDC_CLIENT_ID: "rapport",
  OIDC_CLIENT_SECRET: "secret",
  OIDC_NAME: "Okta",
};

beforeAll(() => bootWith({ SIGNUPS: "open" }));

type Demand = "any" | "second_factor" | "oidc";
type Browser = Awaited<ReturnType<typeof signedInBrowser>>;

const code = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body.error];
const owner = () => signedInBrowser(server.url());
const read = ({ app, headers }: Browser, path = "/members") => server.call(app + path, { headers: headers() });
const set = ({ app, headers }: Browser, demand: Demand) =>
  server.call(`${app}/workspace/sign-in`, { method: "PATCH", headers: headers(), body: { demand } });
const demandOf = ({ workspaceId }: Browser, demand: Demand) =>
  inspect("UPDATE workspaces SET sign_in_demand = $2::sign_in_demand WHERE id = $1", [workspaceId, demand]);
const proven = ({ sessionId }: Browser, what: "second_factor" | "by_oidc") =>
  inspect(`UPDATE sessions SET ${what} = true WHERE id = $1`, [sessionId]);

/** Sets up an app that makes codes; its secret. */
async function withApp({ headers }: Browser): Promise<Secret> {
  const post = (path: string, body: object) => server.call(`/api/account/${path}`, { headers: headers(), body });
  const secret = Secret.fromBase32(String((await post("second-factor", {})).body.secret));
  const confirmed = await post("second-factor/confirm", { code: new TOTP({ secret }).generate() });
  expect(confirmed.status).toBe(200);
  return secret;
}

describe("demanding", () => {
  test("a second factor is refused to who has none, and takes one of this session", async () => {
    const ada = await owner();
    const refused = await set(ada, "second_factor");
    expect(refused).toMatchObject({ status: 409, body: { error: "locks_out", parameter: "demand" } });
    expect((await read(ada, "/workspace/sign-in")).body).toEqual({ demand: "any", of_server: "any", oidc: null });
    await withApp(ada);
    expect((await set(ada, "second_factor")).body).toEqual({ demand: "second_factor" });
    expect((await set(ada, "second_factor")).status).toBe(200);
    expect((await set(ada, "any")).body).toEqual({ demand: "any" });
    const log = await inspect(
      "SELECT detail FROM audit_log WHERE workspace_id = $1 AND action = 'sign_in_demand.changed' ORDER BY id",
      [ada.workspaceId],
    );
    expect(log).toEqual([
      { detail: { from: "any", to: "second_factor" } },
      { detail: { from: "second_factor", to: "any" } },
    ]);
  });

  test("OIDC is refused where the server has none, and to who did not sign in with it", async () => {
    const ada = await owner();
    await withApp(ada);
    expect(await set(ada, "oidc")).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("OIDC_ISSUER") },
    });
    bootWith({ SIGNUPS: "open", ...OIDC });
    try {
      expect(code(await set(ada, "oidc"))).toEqual([409, "locks_out"]);
      await proven(ada, "by_oidc");
      expect((await set(ada, "oidc")).body).toEqual({ demand: "oidc" });
      expect((await read(ada, "/workspace/sign-in")).body).toEqual({ demand: "oidc", of_server: "any", oidc: "Okta" });
    } finally {
      bootWith({ SIGNUPS: "open" });
    }
  });

  test("asks for a recent sign-in, and is not for members", async () => {
    const ada = await owner();
    await withApp(ada);
    await inspect("UPDATE sessions SET proven_at = now() - interval '16 minutes' WHERE id = $1", [ada.sessionId]);
    expect(code(await set(ada, "second_factor"))).toEqual([403, "recent_sign_in_required"]);
    await inspect("UPDATE members SET role = 'member' WHERE user_id = $1", [ada.userId]);
    expect((await set(ada, "any")).status).toBe(403);
  });
});

describe("what the server demands", () => {
  /** With the server as if it had been started so. */
  async function withServer(settings: Record<string, string>, work: () => Promise<void>): Promise<void> {
    bootWith({ SIGNUPS: "open", ...settings });
    try {
      await work();
    } finally {
      bootWith({ SIGNUPS: "open" });
    }
  }

  test.each([
    ["second_factor", "second_factor_required", "second_factor"],
    ["oidc", "oidc_required", "by_oidc"],
  ] as const)("%s: opens no workspace to who did not sign in so, and is shown", async (demand, error, what) => {
    const ada = await owner();
    const clientId = await oauth.registered();
    await withServer({ ...OIDC, SIGN_IN_DEMAND: demand }, async () => {
      expect(code(await read(ada))).toEqual([403, error]);
      expect(code(await oauth.decide(ada, oauth.requestFor(clientId, oauth.verifier())))).toEqual([403, error]);
      await proven(ada, what);
      expect((await read(ada, "/workspace/sign-in")).body).toMatchObject({ demand: "any", of_server: demand });
    });
    expect((await read(ada)).status).toBe(200);
  });

  test("counts beside what the workspace demands: both are needed", async () => {
    const ada = await owner();
    await demandOf(ada, "second_factor");
    await withServer({ ...OIDC, SIGN_IN_DEMAND: "oidc" }, async () => {
      expect(code(await read(ada))).toEqual([403, "second_factor_required"]);
      await proven(ada, "second_factor");
      expect(code(await read(ada))).toEqual([403, "oidc_required"]);
      await proven(ada, "by_oidc");
      expect((await read(ada)).status).toBe(200);
    });
  });

  test("keeps the last second factor of a person too", async () => {
    const ada = await owner();
    const secret = await withApp(ada);
    await withServer({ SIGN_IN_DEMAND: "second_factor" }, async () => {
      const removed = await server.call("/api/account/second-factor/remove", {
        headers: ada.headers(),
        body: { code: new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 }) },
      });
      expect(code(removed)).toEqual([409, "second_factor_demanded"]);
    });
  });
});

describe("who has a second factor and signs in with a provider", () => {
  /** As the browser of `person`, after next-auth has begun a session there. */
  async function cameFrom({ userId, email }: Browser, provider: string) {
    const { callbacks } = authOptions({
      ...{ ip: "203.0.113.9", userAgent: "test", secure: false, endsOldSession: false, address: server.url() },
      ...{ callbackUrl: null, before: async () => null, signedIn: () => undefined },
      ...{ refused: () => undefined, refusedUnknown: () => undefined, passwordReplaced: () => undefined },
      ...{ signedOut: () => undefined, noteAway: () => undefined, endAccess: async () => undefined },
      groups: { awaits: async () => false, follow: async () => undefined },
    });
    const claims = await callbacks?.jwt?.({
      token: {},
      user: { id: userId },
      account: { type: "oauth", provider, providerAccountId: `${provider}-${userId}` },
      profile: { email, email_verified: true } as never,
    });
    const { sid } = claims as { sid: string };
    return headersOf(server.url(), { userId, sessionId: sid });
  }

  /** As `owner`, with an address that is proven: else the provider's word drops what was set up under it. */
  async function proven() {
    const person = await owner();
    await inspect("UPDATE users SET email_verified_at = now() WHERE id = $1", [person.userId]);
    return { person, secret: await withApp(person) };
  }

  test.each(["google", "github"])("%s: opens no workspace until it is given, once a session", async (provider) => {
    const { person, secret } = await proven();
    const there = { ...person, ...(await cameFrom(person, provider)) };
    expect(code(await read(there))).toEqual([403, "second_factor_required"]);
    const next = new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 });
    const confirmed = await server.call("/api/account/confirm", { headers: there.headers(), body: { code: next } });
    expect(confirmed.status).toBe(200);
    there.keep(confirmed.headers);
    expect((await read(there)).status).toBe(200);
    const removed = await server.call("/api/account/second-factor/remove", {
      headers: there.headers(),
      body: { code: new TOTP({ secret }).generate({ timestamp: Date.now() + 60_000 }) },
    });
    expect([removed.status, removed.body.error]).not.toEqual([409, "second_factor_demanded"]);
  });

  test("is not asked by a session with an OIDC provider, nor who has none", async () => {
    bootWith({ SIGNUPS: "open", ...OIDC });
    try {
      const { person } = await proven();
      expect((await read({ ...person, ...(await cameFrom(person, "oidc")) })).status).toBe(200);
      const plain = await owner();
      expect((await read({ ...plain, ...(await cameFrom(plain, "google")) })).status).toBe(200);
    } finally {
      bootWith({ SIGNUPS: "open" });
    }
  });
});

describe("a member who did not sign in so", () => {
  test.each([
    ["second_factor", "second_factor_required", "second_factor"],
    ["oidc", "oidc_required", "by_oidc"],
  ] as const)(
    "%s: is refused everywhere in that workspace with %s, and nowhere in another",
    async (demand, error, what) => {
      const ada = await owner();
      const { body } = await server.call("/api/account/workspaces", {
        headers: ada.headers(),
        body: { name: "Second" },
      });
      const second = { ...ada, app: `/api/app/${body.workspace_id}` };
      await demandOf(ada, demand);
      for (const path of ["/members", "/v2/workspace/facts", "/export", "/live", "/v2/me"])
        expect(code(await read(ada, path)), path).toEqual([403, error]);
      expect(code(await set(ada, "any"))).toEqual([403, error]);
      expect((await read(second)).status).toBe(200);
      await proven(ada, what);
      expect((await read(ada)).status).toBe(200);
    },
  );

  test("cannot approve a program or a client there, while keys and clients that are connected go on", async () => {
    const ada = await owner();
    const { tokens } = await oauth.connect(ada);
    const minted = await server.call(`${ada.app}/api-keys`, {
      headers: ada.headers(),
      body: { name: "Agent", scopes: ["read"] },
    });
    await demandOf(ada, "second_factor");
    const { user_code } = (await server.call("/api/cli/auth/start", { body: {} })).body;
    const approve = () =>
      server.call(`/api/account/device-logins/${user_code}/approve`, {
        headers: ada.headers(),
        body: { workspace_id: ada.workspaceId },
      });
    expect(code(await approve())).toEqual([403, "second_factor_required"]);
    const clientId = await oauth.registered();
    const request = oauth.requestFor(clientId, oauth.verifier());
    expect(code(await oauth.decide(ada, request))).toEqual([403, "second_factor_required"]);
    expect((await oauth.ask(tokens.access_token)).status).toBe(200);
    expect((await server.call("/v2/me", { key: String(minted.body.api_key) })).status).toBe(200);
    await proven(ada, "second_factor");
    expect((await approve()).status).toBe(200);
    expect((await oauth.decide(ada, request)).params).toHaveProperty("code");
  });

  test("is let in by confirming with a code in this session, not with the password", async () => {
    const ada = await owner();
    const secret = await withApp(ada);
    await inspect("UPDATE sessions SET second_factor = false WHERE id = $1", [ada.sessionId]);
    await demandOf(ada, "second_factor");
    const confirm = (body: object) => server.call("/api/account/confirm", { headers: ada.headers(), body });
    expect(code(await confirm({ password: "correct horse battery" }))).toEqual([400, "wrong_code"]);
    expect(code(await read(ada))).toEqual([403, "second_factor_required"]);
    const next = new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 });
    const confirmed = await confirm({ code: next });
    expect(confirmed.status).toBe(200);
    ada.keep(confirmed.headers);
    expect((await read(ada)).status).toBe(200);
  });

  test("cannot remove what is demanded", async () => {
    const ada = await owner();
    const secret = await withApp(ada);
    await demandOf(ada, "second_factor");
    const removed = await server.call("/api/account/second-factor/remove", {
      headers: ada.headers(),
      body: { code: new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 }) },
    });
    expect(removed).toMatchObject({
      status: 409,
      body: { error: "second_factor_demanded", message: expect.stringContaining("The workspace Acme requires") },
    });
    expect((await read(ada)).status).toBe(200);
  });

  test("can leave, but for the last owner", async () => {
    const [ada, grace] = [await owner(), await owner()];
    await inspect(
      "INSERT INTO members (workspace_id, id, user_id, role) VALUES ($1, gen_random_uuid(), $2, 'member')",
      [ada.workspaceId, grace.userId],
    );
    await demandOf(ada, "oidc");
    const leave = ({ headers }: Browser, id: string) =>
      server.call(`/api/account/workspaces/${id}`, { method: "DELETE", headers: headers() });
    expect(code(await leave(ada, ada.workspaceId))).toEqual([409, "last_owner"]);
    expect((await leave(grace, ada.workspaceId)).status).toBe(200);
    expect(code(await leave(grace, ada.workspaceId))).toEqual([404, "workspace_not_found"]);
    const members = await inspect("SELECT user_id FROM members WHERE workspace_id = $1", [ada.workspaceId]);
    expect(members).toEqual([{ user_id: ada.userId }]);
  });

  test("loses what is open within a moment", async () => {
    const ada = await owner();
    const bo = await owner();
    await withApp(ada);
    await inspect(
      "INSERT INTO members (workspace_id, id, user_id, role) VALUES ($1, gen_random_uuid(), $2, 'member')",
      [ada.workspaceId, bo.userId],
    );
    const stream = await eventsOf(`${server.url()}${ada.app}/live`, bo.headers());
    expect((await stream.next())?.event).toBe("missed");
    const since = Date.now();
    expect((await set(ada, "second_factor")).status).toBe(200);
    expect(await stream.next()).toBeNull();
    expect(Date.now() - since).toBeLessThan(25_000); // it was told, not found by the look every 30 s
  });
});
