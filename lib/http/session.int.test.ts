import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { type CookieKind, signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { useLog } from "#lib/testing/log.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";

const { call, url } = useServer();
const logged = useLog();
beforeAll(() => bootWith({ SIGNUPS: "open" }));

const browser = (kind: CookieKind = {}) => signedInBrowser(url(), kind);

describe("the browser's API", () => {
  test("answers the operations of the API and of the app to a member", async () => {
    const { app, headers } = await browser();
    const saved = await call(`${app}/v2/workspace/facts`, {
      headers: headers(),
      body: { section: "ICP", content: "Fintechs" },
    });
    expect([saved.status, saved.body]).toMatchObject([201, { fact: { source: "manual" } }]);
    const listed = await call(`${app}/v2/workspace/facts?categories=ICP&categories=Market`, { headers: headers() });
    expect(listed.body).toMatchObject({ count: 1 });
    expect((await call(`${app}/members`, { headers: headers() })).body).toMatchObject({ members: [{ role: "owner" }] });
  });

  test.each<[string, CookieKind, number]>([
    ["a cookie in pieces", { chunks: 3 }, 200],
    ["the cookie of https, on http", { prefix: "__Host-" }, 401],
    ["a cookie sealed with another secret", { secret: "another secret that is long enough" }, 401],
  ])("with %s", async (_what, kind, status) => {
    const { app, headers } = await browser(kind);
    expect((await call(`${app}/members`, { headers: headers() })).status).toBe(status);
  });

  test.each<[string, CookieKind, number]>([
    ["the cookie of this host", { prefix: "__Host-" }, 200],
    ["it in pieces", { prefix: "__Host-", chunks: 3 }, 200],
    ["the cookie as releases before named it", { prefix: "__Secure-" }, 200],
    ["a cookie that http could have set", {}, 401],
  ])("on https with %s", async (_what, kind, status) => {
    const { app, headers } = await browser(kind);
    bootWith({ SIGNUPS: "open", APP_URL: "https://rapport.example" });
    const sent = { ...headers(), origin: "https://rapport.example" };
    expect((await call(`${app}/members`, { headers: sent })).status).toBe(status);
    bootWith({ SIGNUPS: "open" });
  });

  test("names the person in the log line of each request, by id", async () => {
    const { app, headers, userId, workspaceId, email } = await browser();
    await call(`${app}/members`, { headers: headers() });
    await call("/api/account/profile", { headers: headers() });
    await call("/api/account/profile");
    const lines = logged.lines().filter(({ msg }) => msg === "request");
    expect(lines.map(({ operation, workspace_id, user_id }) => [operation, workspace_id, user_id])).toEqual([
      ["listMembers", workspaceId, userId],
      ["getProfile", undefined, userId],
      ["getProfile", undefined, undefined],
    ]);
    expect(logged.text()).not.toContain(email);
  });

  test("is closed without a session, after sign-out, and for someone else's workspace", async () => {
    const [one, two] = [await browser(), await browser()];
    expect((await call(`${one.app}/members`)).body).toMatchObject({ error: "session_required" });
    const foreign = await call(`${two.app}/members`, { headers: one.headers() });
    const absent = await call(`/api/app/${newId()}/members`, { headers: one.headers() });
    const nonsense = await call("/api/app/x/members", { headers: one.headers() });
    for (const answer of [foreign, absent, nonsense])
      expect([answer.status, answer.body.error]).toEqual([404, "not_found"]);
    expect({ ...foreign.body, request_id: "" }).toEqual({ ...absent.body, request_id: "" });
    await inspect("UPDATE sessions SET revoked_at = now() WHERE id = $1", [one.sessionId]);
    expect((await call(`${one.app}/members`, { headers: one.headers() })).status).toBe(401);
  });

  test("accepts no API key, and the API accepts no cookie", async () => {
    const { app, headers } = await browser();
    expect((await call(`${app}/members`, { key: "rpt_abcdef_x" })).status).toBe(401);
    expect((await call("/v2/workspace/facts", { headers: headers() })).body).toMatchObject({ error: "unauthorized" });
  });

  test("refuses a change that another site sent with the member's cookie", async () => {
    const { app, headers } = await browser();
    const forged = { ...headers(), origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const answer = await call(`${app}/v2/workspace/facts`, { headers: forged, body: { section: "ICP", content: "x" } });
    expect([answer.status, answer.body.error]).toEqual([403, "origin_not_allowed"]);
  });

  test("lists the methods of an address, and says that others do not exist", async () => {
    const { app, headers } = await browser();
    const wrong = await call(`${app}/members`, { method: "DELETE", headers: headers() });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET"]);
    expect((await call(`${app}/nothing`, { headers: headers() })).status).toBe(404);
  });
});

describe("the account's API", () => {
  test("creates an account, and refuses a request from another site", async () => {
    const body = { email: "new@acme.example", password: "correct horse battery", workspace_name: "New" };
    const forged = await call("/api/account/sign-up", { body, headers: { origin: "https://evil.example" } });
    expect(forged.body).toMatchObject({ error: "origin_not_allowed" });
    expect((await call("/api/account/sign-up", { body, headers: { origin: url() } })).status).toBe(201);
  });

  test("knows the signed-in user", async () => {
    const { headers, email, workspaceId } = await browser();
    expect((await call("/api/account/profile", { headers: headers() })).body).toMatchObject({
      email,
      has_password: true,
    });
    expect((await call("/api/account/workspaces", { headers: headers() })).body).toMatchObject({
      workspaces: [{ workspace_id: workspaceId }],
    });
    expect((await call("/api/account/profile")).body).toMatchObject({ error: "session_required" });
  });

  test("gives the same answer whether the account exists or not", async () => {
    const { email } = await browser();
    const ask = (address: string) =>
      call("/api/account/password/forgot", { body: { email: address }, headers: { origin: url() } });
    const [known, unknown] = [await ask(email), await ask("nobody@acme.example")];
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
  });

  test("names an unknown field and a bad value", async () => {
    const { headers } = await browser();
    const send = (body: object) => call("/api/account/profile", { method: "PATCH", headers: headers(), body });
    expect((await send({ name: "A", role: "owner" })).body).toMatchObject({
      error: "unknown_parameter",
      parameter: "role",
    });
    expect((await send({ name: "A\u0000" })).body).toMatchObject({ error: "invalid_parameter" });
  });
});
