/** The authorization server as a client, a person and an attacker see it: codes, tokens and /mcp. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { oauthClient, REDIRECT, rowsOf } from "#lib/testing/oauth.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";

bootWith({ SIGNUPS: "open" });
const server = useServer();
const { ask, connect, decide, exchange, form, refresh, register, registered, requestFor, send, verifier } = oauthClient(
  server.url,
);

let ada: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  ada = await signedInBrowser(server.url());
});
beforeEach(() => inspect("DELETE FROM throttles"));

describe("a code", () => {
  async function approved(more: Record<string, unknown> = {}) {
    const clientId = await registered();
    const secret = verifier();
    const { params } = await decide(ada, requestFor(clientId, secret), more);
    return { clientId, secret, code: params.code as string, params };
  }

  test("is exchanged for tokens that open /mcp, and nothing else", async () => {
    const { clientId, secret, code, params } = await approved();
    expect(params).toMatchObject({ state: "st4te", iss: server.url() });
    const { status, body, headers } = await exchange(clientId, code, secret);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toEqual({
      access_token: expect.stringMatching(/^rpa_/),
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^rpr_/),
      scope: "read write",
    });
    expect((await ask(body.access_token as string)).status).toBe(200);
    expect((await ask(body.refresh_token as string)).status).toBe(401);
    const rest = await server.call("/v2/workspace/status", { key: body.access_token as string });
    expect([rest.status, rest.body.error]).toEqual([401, "unauthorized"]);
  });

  test("its tokens are read by pages of its client and of CORS_ORIGINS alone", async () => {
    const own = new URL(REDIRECT).origin;
    const [foreign, listed] = ["https://evil.example", "https://inspector.example"];
    const from = async (origin: string) => {
      const { clientId, secret, code } = await approved();
      const fields = { client_id: clientId, code, code_verifier: secret, redirect_uri: REDIRECT };
      const issued = await form("/oauth/token", { grant_type: "authorization_code", ...fields }, { origin });
      const refresh_token = issued.body.refresh_token as string;
      const again = { grant_type: "refresh_token", client_id: clientId, refresh_token };
      const renewed = await form("/oauth/token", again, { origin });
      const made = await send("/oauth/register", {
        method: "POST",
        headers: { origin, "content-type": "application/json" },
        body: JSON.stringify({ redirect_uris: [REDIRECT], token_endpoint_auth_method: "client_secret_post" }),
      });
      expect([issued, renewed, made].map(({ status }) => status)).toEqual([200, 200, 201]);
      for (const { headers } of [issued, renewed, made]) expect(headers.get("vary")).toContain("Origin");
      return [issued, renewed, made].map(({ headers }) => headers.get("access-control-allow-origin"));
    };
    expect(await from(own)).toEqual([own, own, own]);
    expect(await from(foreign)).toEqual([null, null, null]);
    expect(await from("null")).toEqual([null, null, null]);
    bootWith({ SIGNUPS: "open", CORS_ORIGINS: listed });
    expect(await from(listed)).toEqual([listed, listed, listed]);
    bootWith({ SIGNUPS: "open" });
    const refused = await form("/oauth/token", { grant_type: "password" }, { origin: foreign });
    expect(refused.headers.get("access-control-allow-origin"), "a refusal holds nothing").toBe("*");
  });

  test.each<[string, Record<string, string | undefined>, string]>([
    ["a wrong verifier", { code_verifier: "x".repeat(43) }, "invalid_grant"],
    ["no verifier", { code_verifier: undefined }, "invalid_request"],
    ["another redirect URI", { redirect_uri: "http://127.0.0.1:9/other" }, "invalid_grant"],
    ["a foreign resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["no code", { code: undefined }, "invalid_request"],
    ["an unknown code", { code: "rpc_nonsense" }, "invalid_grant"],
    ["an unregistered client", { client_id: "client_nobody" }, "invalid_client"],
    ["no client", { client_id: undefined }, "invalid_client"],
    ["no grant type", { grant_type: undefined }, "invalid_request"],
    ["another grant type", { grant_type: "password" }, "unsupported_grant_type"],
  ])("with %s gives nothing, and still works for its client", async (_what, more, error) => {
    const { clientId, secret, code } = await approved();
    const { status, body } = await exchange(clientId, code, secret, more);
    expect([status, body.error]).toEqual([error === "invalid_client" ? 401 : 400, error]);
    expect(JSON.stringify(body)).not.toContain(code);
    expect((await exchange(clientId, code, secret)).status).toBe(200);
  });

  test("is refused to another client", async () => {
    const { secret, code } = await approved();
    expect((await exchange(await registered(), code, secret)).body.error).toBe("invalid_grant");
  });

  test("is refused in a body that is no form", async () => {
    const json = await send("/oauth/token", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect([json.status, json.body.error]).toEqual([400, "invalid_request"]);
    const twice = await send("/oauth/token", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "grant_type=authorization_code&grant_type=refresh_token&client_id=x",
    });
    expect(twice.body.error).toBe("invalid_request");
    const large = await form("/oauth/token", { grant_type: "x".repeat(17_000) });
    expect([large.status, large.body.error]).toEqual([413, "invalid_request"]);
  });

  test("that was used before ends what it gave", async () => {
    const { clientId, secret, code } = await approved();
    const { body } = await exchange(clientId, code, secret);
    expect((await ask(body.access_token as string)).status).toBe(200);
    const again = await exchange(clientId, code, secret);
    expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
    expect((await ask(body.access_token as string)).status).toBe(401);
    expect((await refresh(clientId, body.refresh_token as string)).body.error).toBe("invalid_grant");
  });

  test("exchanged twice at once gives exactly one set of tokens, and that is ended", async () => {
    for (let round = 0; round < 5; round++) {
      const { clientId, secret, code } = await approved();
      const before = (await rowsOf("oauth_tokens", ada.workspaceId)) as number;
      const both = await Promise.all([exchange(clientId, code, secret), exchange(clientId, code, secret)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(await rowsOf("oauth_tokens", ada.workspaceId)).toBe(before + 2);
      const given = both.find(({ status }) => status === 200)?.body.access_token as string;
      expect((await ask(given)).status).toBe(401);
    }
  });

  test("is not used up when its tokens cannot be written", async () => {
    const { clientId, secret, code } = await approved();
    await inspect("ALTER TABLE oauth_tokens ADD CONSTRAINT none CHECK (false) NOT VALID");
    const { status, body } = await exchange(clientId, code, secret);
    await inspect("ALTER TABLE oauth_tokens DROP CONSTRAINT none");
    expect([status, body.error]).toEqual([500, "server_error"]);
    expect(JSON.stringify(body)).not.toMatch(/oauth_tokens|constraint/i);
    expect((await exchange(clientId, code, secret)).status).toBe(200);
  });

  test("expires after a minute", async () => {
    const { clientId, secret, code } = await approved();
    const [row] = await inspect<{ seconds: number }>(
      "SELECT extract(epoch FROM max(expires_at) - now())::int AS seconds FROM oauth_codes",
    );
    expect(row?.seconds).toBeLessThanOrEqual(60);
    await inspect("UPDATE oauth_codes SET expires_at = now()");
    expect((await exchange(clientId, code, secret)).body.error).toBe("invalid_grant");
  });

  test("and tokens are stored as hashes only", async () => {
    const { clientId, secret, code } = await approved();
    const { body } = await exchange(clientId, code, secret);
    const rows = await inspect<{ row: string }>(
      "SELECT t::text AS row FROM oauth_tokens t UNION ALL SELECT c::text FROM oauth_codes c UNION ALL SELECT g::text FROM oauth_grants g",
    );
    for (const text of [code, body.access_token, body.refresh_token] as string[]) {
      expect(rows.some(({ row }) => row.includes(text))).toBe(false);
      expect(rows.some(({ row }) => row.includes(Buffer.from(text).toString("hex")))).toBe(false);
    }
  });

  test("of a client without refresh_token gives an access token only", async () => {
    const clientId = await registered({ grant_types: ["authorization_code"] });
    const secret = verifier();
    const { params } = await decide(ada, requestFor(clientId, secret));
    const { body } = await exchange(clientId, params.code as string, secret);
    expect(body).not.toHaveProperty("refresh_token");
    expect((await refresh(clientId, "rpr_x")).body.error).toBe("unauthorized_client");
  });
});

describe("a client with a secret", () => {
  test.each(["client_secret_post", "client_secret_basic"])(
    "proves itself by %s",
    async (token_endpoint_auth_method) => {
      const { body: made } = await register({ token_endpoint_auth_method });
      const [id, key] = [made.client_id as string, made.client_secret as string];
      const attempt = async (given: string | undefined) => {
        const secret = verifier();
        const { params } = await decide(ada, requestFor(id, secret));
        const fields = {
          grant_type: "authorization_code",
          code: params.code,
          code_verifier: secret,
          redirect_uri: REDIRECT,
        };
        if (token_endpoint_auth_method === "client_secret_post")
          return form("/oauth/token", { ...fields, client_id: id, client_secret: given });
        const basic = Buffer.from(`${id}:${given ?? ""}`).toString("base64");
        return form("/oauth/token", fields, { authorization: `Basic ${basic}` });
      };
      expect((await attempt(key)).status).toBe(200);
      for (const wrong of [`${key}x`, "", undefined]) {
        const { status, body, headers } = await attempt(wrong);
        expect([status, body.error]).toEqual([401, "invalid_client"]);
        if (token_endpoint_auth_method === "client_secret_basic")
          expect(headers.get("www-authenticate")).toMatch(/^Basic /);
      }
    },
  );
});

describe("a refresh token", () => {
  test("gives new tokens; the old access token lasts to its end", async () => {
    const { clientId, tokens } = await connect(ada);
    const { status, body } = await refresh(clientId, tokens.refresh_token);
    expect(status).toBe(200);
    expect(body.refresh_token).not.toBe(tokens.refresh_token);
    expect((await ask(body.access_token as string)).status).toBe(200);
    expect((await ask(tokens.access_token)).status).toBe(200);
  });

  test("may be used again for a moment while its answer may be lost", async () => {
    const { clientId, tokens } = await connect(ada);
    const first = await refresh(clientId, tokens.refresh_token);
    const again = await refresh(clientId, tokens.refresh_token);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect((await ask(first.body.access_token as string)).status).toBe(200);
    expect((await refresh(clientId, again.body.refresh_token as string)).status).toBe(200);
  });

  test("used twice at once gives two sets of tokens that both work", async () => {
    const { clientId, tokens } = await connect(ada);
    const both = await Promise.all([refresh(clientId, tokens.refresh_token), refresh(clientId, tokens.refresh_token)]);
    for (const { body } of both) expect((await ask(body.access_token as string)).status).toBe(200);
  });

  test.each<[string, (clientId: string, answer: Record<string, unknown>) => Promise<unknown>]>([
    ["once its successor was used", (clientId, { refresh_token }) => refresh(clientId, refresh_token as string)],
    ["after the moment", () => inspect("UPDATE oauth_tokens SET used_at = used_at - interval '31 seconds'")],
  ])("used again %s ends everything it ever gave", async (_when, then) => {
    const { clientId, tokens } = await connect(ada);
    const first = await refresh(clientId, tokens.refresh_token);
    await then(clientId, first.body);
    expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
    expect((await ask(first.body.access_token as string)).status).toBe(401);
    expect((await ask(tokens.access_token)).status).toBe(401);
    expect((await refresh(clientId, first.body.refresh_token as string)).body.error).toBe("invalid_grant");
  });

  test("gives no more than a few sets in that moment", async () => {
    const { clientId, tokens } = await connect(ada);
    const statuses: number[] = [];
    for (let count = 0; count < 7; count++) statuses.push((await refresh(clientId, tokens.refresh_token)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 400, 400]);
  });

  test.each<[string, Record<string, string | undefined>, string]>([
    ["that does not exist", { refresh_token: "rpr_nonsense" }, "invalid_grant"],
    ["left out", { refresh_token: undefined }, "invalid_request"],
    ["for a foreign resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["for an unknown scope", { scope: "everything" }, "invalid_scope"],
  ])("%s is refused", async (_what, more, error) => {
    const { clientId, tokens } = await connect(ada);
    expect((await refresh(clientId, tokens.refresh_token, more)).body.error).toBe(error);
    expect((await refresh(clientId, tokens.refresh_token)).status).toBe(200);
  });

  test("is refused to another client, and when it has expired", async () => {
    const { clientId, tokens } = await connect(ada);
    expect((await refresh(await registered(), tokens.refresh_token)).body.error).toBe("invalid_grant");
    await inspect("UPDATE oauth_tokens SET expires_at = now() WHERE kind = 'refresh'");
    expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
  });

  test("ends a year after the approval, however much it is used", async () => {
    const { clientId, tokens } = await connect(ada);
    const approved = (age: string) =>
      inspect(`UPDATE oauth_grants SET created_at = now() - interval '${age}' WHERE client_id = $1`, [clientId]);
    await approved("364 days 23 hours 30 minutes");
    const last = await refresh(clientId, tokens.refresh_token);
    expect(last.status).toBe(200);
    expect(last.body.expires_in).toBeGreaterThan(1_700);
    expect(last.body.expires_in).toBeLessThanOrEqual(1_800);
    const ends = await inspect(
      "SELECT max(t.expires_at) <= g.created_at + interval '365 days' AS kept FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id WHERE g.client_id = $1 AND t.parent_id IS NOT NULL GROUP BY g.id, g.created_at",
      [clientId],
    );
    expect(ends).toEqual([{ kept: true }]);
    await approved("365 days");
    expect((await refresh(clientId, last.body.refresh_token as string)).body.error).toBe("invalid_grant");
  });

  test("may ask for less, never for more than was approved", async () => {
    const { clientId, tokens } = await connect(ada, { scopes: ["read", "write"] });
    expect((await refresh(clientId, tokens.refresh_token, { scope: "admin" })).body.error).toBe("invalid_scope");
    expect((await refresh(clientId, tokens.refresh_token, { scope: "read" })).body.scope).toBe("read");
  });
});

describe("/mcp", () => {
  test("tells a caller without a token where to get one", async () => {
    const { status, challenge } = await ask(null);
    expect(status).toBe(401);
    expect(challenge).toContain(`resource_metadata="${server.url()}/.well-known/oauth-protected-resource/mcp"`);
    expect(challenge).not.toContain("error=");
  });

  test.each(["rpa_nonsense", "rpt_nonsense", "x"])("calls %s an invalid token", async (token) => {
    const { status, challenge } = await ask(token);
    expect(status).toBe(401);
    expect(challenge).toMatch(/^Bearer error="invalid_token", resource_metadata="/);
  });

  test("refuses an expired token", async () => {
    const { tokens } = await connect(ada);
    await inspect("UPDATE oauth_tokens SET expires_at = now() WHERE kind = 'access'");
    expect((await ask(tokens.access_token)).status).toBe(401);
  });

  test("answers a call beyond the token's scopes with 403 and the scope it takes", async () => {
    const { tokens } = await connect(ada, { scopes: ["read"] });
    const given = { name: "record", arguments: {} };
    const { status, challenge } = await ask(tokens.access_token, { method: "tools/call", params: given });
    expect(status).toBe(403);
    expect(challenge).toMatch(/error="insufficient_scope", scope="read write", resource_metadata="/);
  });

  test("records what a client does under its own name", async () => {
    const { tokens } = await connect(ada);
    const { status, text } = await ask(tokens.access_token, {
      method: "tools/call",
      params: {
        name: "update_gtm_profile",
        arguments: { section: "ICP", content: "Series A fintechs", mode: "replace" },
      },
    });
    expect([status, text.includes('"isError":true')], text).toEqual([200, false]);
    const history = await send(`${ada.app}/gtm-context/history?category=ICP`, { headers: ada.headers() });
    expect(history.body.versions).toMatchObject([{ source: "mcp", author: `Claude Code (${ada.email})` }]);
  });

  test("does not take tokens for the address a server had before", async () => {
    const { tokens } = await connect(ada);
    bootWith({ SIGNUPS: "open", APP_URL: "https://moved.example" });
    const { authenticateAccessToken } = await import("#lib/auth/access-tokens.ts");
    await expect(authenticateAccessToken(tokens.access_token)).rejects.toMatchObject({ code: "unauthorized" });
    bootWith({ SIGNUPS: "open" });
    expect((await authenticateAccessToken(tokens.access_token)).userId).toBe(ada.userId);
  });
});
