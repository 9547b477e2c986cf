/** What programs are answered over HTTP, status by status. */
import { beforeAll, describe, expect, test } from "vitest";
import { createStage } from "#lib/testing/conformance/stage.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";

const server = useServer();
const post = (path: string, body?: object, headers: Record<string, string> = {}) =>
  server.call(path, { method: "POST", ...(body ? { body } : {}), headers });
const start = async (body?: object) => (await post("/api/cli/auth/start", body)).body as Record<string, string>;
const poll = (device_code: unknown) => post("/api/cli/auth/poll", { device_code });
const set = (change: string, host: string) => inspect(`UPDATE device_logins SET ${change} WHERE host = $1`, [host]);

/** As the page sends it. */
async function decide(user_code: string, what: "approve" | "deny") {
  const stage = await createStage();
  const { cookie } = await stage.person("member");
  const headers = { cookie, origin: server.url(), "sec-fetch-site": "same-origin" };
  const body = what === "approve" ? { workspace_id: stage.id } : {};
  const answer = await post(`/api/account/device-logins/${user_code}/${what}`, body, headers);
  expect(answer.status).toBe(200);
  return stage;
}

beforeAll(() => bootWith({}));

test("a start needs neither key, page nor body, and leads to the host that was asked", async () => {
  const { status, headers, body } = await post("/api/cli/auth/start");
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(body).toMatchObject({ verification_uri: `${server.url()}/device`, interval: 5, expires_in: 600 });
  expect((await post("/api/cli/auth/start", { host: "x" }, { origin: "https://evil.example" })).status).toBe(200);
});

describe("a poll answers", () => {
  test("pending, approved once, then consumed; the key works until it is sent back", async () => {
    const { device_code, user_code } = await start({ host: "one" });
    expect((await poll(device_code)).body).toEqual({ status: "pending" });
    const stage = await decide(user_code as string, "approve");
    const { status, body } = await poll(device_code);
    expect([status, body]).toEqual([
      200,
      { status: "approved", api_key: expect.stringMatching(/^rpt_/), workspace_id: stage.id },
    ]);
    expect((await poll(device_code)).body).toEqual({ status: "consumed" });

    const key = body.api_key as string;
    const me = await server.call("/v2/me", { key });
    expect(me.body).toMatchObject({
      workspace: { id: stage.id },
      scopes: ["read", "write"],
      actor: { type: "api_key", role: null, name: "rapport login on one", expires_at: null },
    });
    expect((await post("/api/cli/auth/revoke", { api_key: key })).body).toEqual({ revoked: true });
    expect((await server.call("/v2/me", { key })).status).toBe(401);
    expect((await post("/api/cli/auth/revoke", { api_key: key })).body).toEqual({ revoked: false });
  });

  test("denied", async () => {
    const { device_code, user_code } = await start({ host: "two" });
    await decide(user_code as string, "deny");
    expect((await poll(device_code)).body).toEqual({ status: "denied" });
  });

  test("expired", async () => {
    const { device_code } = await start({ host: "three" });
    await set("expires_at = now()", "three");
    expect((await poll(device_code)).body).toEqual({ status: "expired" });
  });

  test("429 slow_down, still pending, when it comes too early", async () => {
    const { device_code } = await start({ host: "four" });
    await poll(device_code);
    const { status, headers, body } = await poll(device_code);
    expect([status, headers.get("retry-after")]).toEqual([429, "10"]);
    expect(body).toMatchObject({ error: "slow_down", status: "pending", interval: 10, retry_after: 10 });
  });

  test("404 and 400 to what is no device code", async () => {
    const unknown = await poll("x".repeat(32));
    expect([unknown.status, unknown.body.error]).toEqual([404, "login_not_found"]);
    for (const body of [{}, { device_code: 7 }, { device_code: null }]) {
      const wrong = await post("/api/cli/auth/poll", body);
      expect([wrong.status, wrong.body.error, wrong.body.parameter]).toEqual([400, "invalid_parameter", "device_code"]);
    }
  });
});

test("other addresses below /api/cli are JSON too", async () => {
  for (const path of ["/api/cli", "/api/cli/auth", "/api/cli/auth/started", "/api/cli/auth/start/now"]) {
    const { status, body } = await post(path, {});
    expect([status, body.error], path).toEqual([404, "not_found"]);
  }
  const wrongMethod = await server.call("/api/cli/auth/start");
  expect([wrongMethod.status, wrongMethod.headers.get("allow")]).toEqual([405, "POST"]);
});

test("a decision takes a session and a page of ours", async () => {
  const { user_code } = await start({ host: "five" });
  const path = `/api/account/device-logins/${user_code}/approve`;
  const { cookie } = await (await createStage()).person("member");
  const foreign = await post(path, {}, { cookie, origin: "https://evil.example" });
  expect([foreign.status, foreign.body.error]).toEqual([403, "origin_not_allowed"]);
  const stranger = await post(path, {}, { origin: server.url(), "sec-fetch-site": "same-origin" });
  expect([stranger.status, stranger.body.error]).toEqual([401, "session_required"]);
});
