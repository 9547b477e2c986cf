/** The authorization server as a client, a person and an attacker see it. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { removeMember } from "#lib/domain/access/members/service.ts";
import { sweepClients, sweepTokens } from "#lib/domain/access/oauth/service.ts";
import { listAudit } from "#lib/domain/records/audit/service.ts";
import { deleteWorkspace, setPlan } from "#lib/domain/workspace/workspaces/service.ts";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { oauthClient, REDIRECT, rowsOf } from "#lib/testing/oauth.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

/** Less than the five seconds that a grant is kept: what is noticed sooner was notified. */
const SOON_MS = 4_000;

bootWith({ SIGNUPS: "open" });
const server = useServer();
const client = oauthClient(server.url);
const { ask, connect, decide, exchange, form, open, refresh, register, registered, requestFor, send, verifier } =
  client;

type Person = Awaited<ReturnType<typeof signedInBrowser>>;
let ada: Person;
beforeAll(async () => {
  ada = await signedInBrowser(server.url());
});
beforeEach(() => inspect("DELETE FROM throttles"));

const ofCaller = (person: Person) => async () => {
  const { caller } = await createTestWorkspace();
  return {
    ...caller,
    workspaceId: person.workspaceId as WorkspaceId,
    actor: { type: "user" as const, id: person.userId },
  };
};

/** Makes someone a member of another's workspace, with this role. */
async function join(person: Person, workspaceId: string, role: string): Promise<string> {
  const [row] = await inspect<{ id: string }>(
    "INSERT INTO members (workspace_id, id, user_id, role) VALUES ($1, gen_random_uuid(), $2, $3::role) RETURNING id",
    [workspaceId, person.userId, role],
  );
  return row?.id as string;
}

describe("discovery", () => {
  test.each(["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"])(
    "%s names the resource and its authorization server",
    async (path) => {
      const { status, headers, body } = await send(path, { headers: { origin: "https://inspector.example" } });
      expect(status).toBe(200);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(body).toMatchObject({ resource: `${server.url()}/mcp`, authorization_servers: [server.url()] });
    },
  );

  test("the server's metadata name endpoints that answer, PKCE and what else clients look for", async () => {
    const { body } = await send("/.well-known/oauth-authorization-server", {});
    expect(body).toMatchObject({
      issuer: server.url(),
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      grant_types_supported: ["authorization_code", "refresh_token"],
    });
    for (const name of ["token_endpoint", "registration_endpoint", "revocation_endpoint"]) {
      const response = await fetch(body[name] as string, { method: "POST" });
      expect(response.status, name).toBe(400);
    }
  });

  test.each(["/oauth/token", "/oauth/register", "/oauth/revoke", "/.well-known/oauth-authorization-server"])(
    "%s lets pages of other sites ask",
    async (path) => {
      const response = await fetch(server.url() + path, {
        method: "OPTIONS",
        headers: { origin: "https://inspector.example", "access-control-request-method": "POST" },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-allow-headers")).toContain("mcp-protocol-version");
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    },
  );

  test("the page of the browser's own account is not open to other sites", async () => {
    const response = await fetch(`${server.url()}/api/account/authorizations`, {
      method: "OPTIONS",
      headers: { origin: "https://inspector.example" },
    });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("an address that is not there, or a wrong method, answers in JSON", async () => {
    expect((await send("/.well-known/openid-configuration", {})).body.error).toBe("not_found");
    expect((await send("/oauth/token", {})).status).toBe(405);
  });

  test("a Host header of someone else does not become the issuer", async () => {
    const http = await import("node:http");
    const text = await new Promise<string>((resolve) => {
      http.get(
        `${server.url()}/.well-known/oauth-authorization-server`,
        { headers: { host: "evil.example" } },
        (answer) => {
          let body = "";
          answer.on("data", (chunk) => {
            body += chunk;
          });
          answer.on("end", () => resolve(body));
        },
      );
    });
    expect(text).not.toContain("evil.example");
  });
});

describe("registration", () => {
  test("answers with an id and what was registered, and gives a public client no secret", async () => {
    const { status, body, headers } = await register();
    expect(status).toBe(201);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toMatchObject({
      client_name: "Claude Code",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
    });
    expect(body).not.toHaveProperty("client_secret");
  });

  test("gives a secret to a client that asks for one, and keeps only its hash", async () => {
    const { body } = await register({ token_endpoint_auth_method: "client_secret_post" });
    expect(body.client_secret).toMatch(/^rps_/);
    const rows = await inspect<{ row: string }>("SELECT oauth_clients::text AS row FROM oauth_clients WHERE id = $1", [
      body.client_id,
    ]);
    expect(rows[0]?.row).not.toContain(body.client_secret);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    [{ redirect_uris: ["feed:javascript:alert(1)"] }, "invalid_redirect_uri"],
    [{ redirect_uris: ["x-javascript:alert(1)"] }, "invalid_redirect_uri"],
    [{ redirect_uris: ["http://app.example/cb"] }, "invalid_redirect_uri"],
    [{ redirect_uris: [REDIRECT, "data:text/html,x"] }, "invalid_redirect_uri"],
    [{ redirect_uris: ["https://app.example/cb#x"] }, "invalid_redirect_uri"],
    [{ redirect_uris: [] }, "invalid_client_metadata"],
    [{ redirect_uris: undefined }, "invalid_client_metadata"],
    [{ redirect_uris: "https://app.example/cb" }, "invalid_client_metadata"],
    [{ redirect_uris: Array(11).fill(REDIRECT) }, "invalid_client_metadata"],
    [{ token_endpoint_auth_method: "private_key_jwt" }, "invalid_client_metadata"],
    [{ grant_types: ["client_credentials"] }, "invalid_client_metadata"],
    [{ response_types: ["token"] }, "invalid_client_metadata"],
    [{ client_name: 7 }, "invalid_client_metadata"],
    [{ client_name: "\u0000" }, "invalid_client_metadata"],
    [{ logo_uri: "x".repeat(17_000) }, "invalid_client_metadata"],
  ])("refuses %j as %s", async (more, error) => {
    const { status, body } = await register(more);
    expect([status >= 400 && status < 500, body.error]).toEqual([true, error]);
    expect(body.error_description).toEqual(expect.any(String));
  });

  test("says which redirect URI it refuses, and which forms are allowed", async () => {
    const { status, body } = await register({
      redirect_uris: [REDIRECT, "cursor://anysphere.cursor-mcp/oauth/callback"],
    });
    expect(status).toBe(400);
    expect(body).toEqual({
      error: "invalid_redirect_uri",
      error_description:
        "redirect_uris.1: A redirect URI must be https, http to this computer (localhost, 127.0.0.1 or [::1], any port), or an app's own scheme with a dot in it (com.example.app:/callback), without a fragment.",
    });
  });

  test("takes an app's own scheme that has a dot", async () => {
    const redirect_uris = ["com.example.app:/callback"];
    expect(await register({ redirect_uris })).toMatchObject({ status: 201, body: { redirect_uris } });
  });

  test.each(["", "{", "[]", "null", '"x"'])("refuses the body %j", async (body) => {
    const headers = { "content-type": "application/json" };
    expect((await send("/oauth/register", { method: "POST", headers, body })).body.error).toBe(
      "invalid_client_metadata",
    );
  });

  test("is limited by address", async () => {
    const statuses = new Set<number>();
    for (let count = 0; count < 61; count++) statuses.add((await register()).status);
    expect([...statuses]).toEqual([201, 429]);
  });
});

describe("an authorization request", () => {
  const asked = async (more: Record<string, string | undefined>) =>
    open(ada, requestFor(await registered(), verifier(), more));

  test("shows who asks, where it is, and for what", async () => {
    const opened = await asked({ scope: "read write admin" });
    expect(opened).toMatchObject({
      asked: {
        client: { name: "Claude Code", host: "localhost", selfRegistered: true },
        workspaces: [{ id: ada.workspaceId, scopes: ["read", "write", "admin"] }],
      },
    });
  });

  test("for a member offers no more than the member may", async () => {
    const grace = await signedInBrowser(server.url());
    await join(grace, ada.workspaceId, "member");
    const opened = await open(grace, requestFor(await registered(), verifier(), { scope: "admin" }));
    const { workspaces } = (opened as { asked: { workspaces: { id: string; scopes: string[] }[] } }).asked;
    expect(workspaces.map(({ scopes }) => scopes)).toEqual([
      ["read", "write", "admin"],
      ["read", "write"],
    ]);
  });

  test.each<[string, Record<string, string | undefined>]>([
    ["unregistered client", { client_id: "client_nobody" }],
    ["missing client", { client_id: undefined }],
    ["a client that no database could keep", { client_id: "client\u0000" }],
    ["a state that no database could keep", { state: "\ud800" }],
    ["another redirect URI", { redirect_uri: "https://evil.example/cb" }],
    ["a redirect URI with one character more", { redirect_uri: `${REDIRECT}/` }],
    ["no redirect URI", { redirect_uri: undefined }],
    ["a client's document on a private address", { client_id: "https://127.0.0.1/client.json" }],
    ["a client's document in the local network", { client_id: "https://localhost/client.json" }],
  ])("with %s is answered on our page only", async (_what, more) => {
    await expect(asked(more)).rejects.toMatchObject({ code: "authorization_invalid" });
  });

  test.each<[Record<string, string | undefined>, string]>([
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ response_type: undefined }, "invalid_request"],
    [{ code_challenge: undefined }, "invalid_request"],
    [{ code_challenge: "short" }, "invalid_request"],
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ code_challenge_method: undefined }, "invalid_request"],
    [{ scope: "openid" }, "invalid_scope"],
    [{ resource: undefined }, "invalid_target"],
    [{ resource: "https://other.example/mcp" }, "invalid_target"],
  ])("with %j goes back to the client as %s", async (more, error) => {
    const { to } = (await asked(more)) as { to: string };
    expect(to.startsWith(`${REDIRECT}?`)).toBe(true);
    const params = Object.fromEntries(new URL(to).searchParams);
    expect(params).toMatchObject({ error, state: "st4te", iss: server.url() });
    expect(params).not.toHaveProperty("code");
  });

  test("with a parameter given twice goes back as invalid_request", async () => {
    const request = { ...requestFor(await registered(), verifier()), scope: ["read", "admin"] };
    const { to } = (await open(ada, request)) as { to: string };
    expect(new URL(to).searchParams.get("error")).toBe("invalid_request");
  });
});

describe("a decision", () => {
  test("needs a session, and a page of ours", async () => {
    const request = requestFor(await registered(), verifier());
    const body = JSON.stringify({ request, approve: true, workspace_id: ada.workspaceId });
    const decideWith = (headers: Record<string, string>) =>
      send("/api/account/authorizations", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
      });
    const { cookie, ...page } = ada.headers();
    expect((await decideWith(page)).body.error).toBe("session_required");
    const foreign = await decideWith({ cookie: cookie as string, origin: "https://evil.example" });
    expect(foreign.body.error).toBe("origin_not_allowed");
  });

  test("checks the request again", async () => {
    const request = requestFor(await registered(), verifier(), { redirect_uri: "https://evil.example/cb" });
    expect((await decide(ada, request)).body).toMatchObject({ error: "authorization_invalid" });
  });

  test("to deny tells the client, and gives no code", async () => {
    const { params } = await decide(ada, requestFor(await registered(), verifier()), { approve: false });
    expect(params).toMatchObject({ error: "access_denied", state: "st4te", iss: server.url() });
    expect(params).not.toHaveProperty("code");
  });

  test("is refused for a workspace one does not belong to", async () => {
    const bob = await signedInBrowser(server.url());
    const { status, body } = await decide(ada, requestFor(await registered(), verifier()), {
      workspace_id: bob.workspaceId,
    });
    expect([status, body.error]).toEqual([404, "workspace_not_found"]);
  });

  test("gives not more than was asked for, and less when the person says so", async () => {
    const scopeOf = async (scope: string, scopes: string[] | undefined) => {
      const [id, secret] = [await registered(), verifier()];
      const { params } = await decide(ada, requestFor(id, secret, { scope }), { scopes });
      return (await exchange(id, params.code as string, secret)).body.scope;
    };
    expect(await scopeOf("read", ["read", "write", "admin"])).toBe("read");
    expect(await scopeOf("read write", ["read"])).toBe("read");
    expect(await scopeOf("admin", undefined)).toBe("read write admin");
  });
});

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
    ["of nobody", { refresh_token: "rpr_nonsense" }, "invalid_grant"],
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

describe("access ends or shrinks at once", () => {
  const revoke = (id: string, token: string, more: Record<string, string> = {}) =>
    form("/oauth/revoke", { client_id: id, token, ...more });

  test("when the client revokes its refresh token", async () => {
    const { clientId, tokens } = await connect(ada);
    expect((await ask(tokens.access_token)).status).toBe(200);
    expect((await revoke(clientId, tokens.refresh_token)).status).toBe(200);
    expect((await ask(tokens.access_token)).status).toBe(401);
    expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
  });

  test("for one access token when the client revokes that", async () => {
    const { clientId, tokens } = await connect(ada);
    expect((await ask(tokens.access_token)).status).toBe(200);
    expect((await revoke(clientId, tokens.access_token)).status).toBe(200);
    expect((await ask(tokens.access_token)).status).toBe(401);
    expect((await refresh(clientId, tokens.refresh_token)).status).toBe(200);
  });

  test("never through another client's revocation, which learns nothing", async () => {
    const { tokens } = await connect(ada);
    const other = await registered();
    expect((await revoke(other, tokens.refresh_token)).status).toBe(200);
    expect((await revoke(other, "rpr_nonsense")).status).toBe(200);
    expect((await revoke("client_nobody", tokens.refresh_token)).body.error).toBe("invalid_client");
    expect((await ask(tokens.access_token)).status).toBe(200);
  });

  test("when a member is removed, and a new invitation does not bring it back", async () => {
    const grace = await signedInBrowser(server.url());
    const memberId = await join(grace, ada.workspaceId, "member");
    const { clientId, tokens } = await connect(grace, { workspace_id: ada.workspaceId });
    expect((await ask(tokens.access_token)).status).toBe(200);
    const pending = verifier();
    const waiting = await registered();
    const { params } = await decide(grace, requestFor(waiting, pending), { workspace_id: ada.workspaceId });
    await removeMember.execute(await ofCaller(ada)(), { id: memberId });
    expect((await ask(tokens.access_token)).status).toBe(401);
    await join(grace, ada.workspaceId, "owner");
    expect((await ask(tokens.access_token)).status).toBe(401);
    expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
    expect((await exchange(waiting, params.code as string, pending)).body.error).toBe("invalid_grant");
  });

  test("when a member is removed while their client exchanges its code or refreshes", async () => {
    const caller = await ofCaller(ada)();
    for (let round = 0; round < 4; round++) {
      const grace = await signedInBrowser(server.url());
      const memberId = await join(grace, ada.workspaceId, "member");
      const given = { workspace_id: ada.workspaceId };
      const before = await connect(grace, given);
      const [clientId, secret] = [await registered(), verifier()];
      const { params } = await decide(grace, requestFor(clientId, secret), given);
      const [, exchanged, refreshed] = await Promise.all([
        removeMember.execute(caller, { id: memberId }),
        exchange(clientId, params.code as string, secret),
        refresh(before.clientId, before.tokens.refresh_token),
      ]);
      for (const { status, body } of [exchanged, refreshed]) {
        expect([200, 400]).toContain(status);
        if (status === 200) expect((await ask(body.access_token as string)).status).toBe(401);
        else expect(body.error).toBe("invalid_grant");
      }
      expect((await ask(before.tokens.access_token)).status).toBe(401);
      const left = await inspect("SELECT 1 FROM oauth_grants WHERE user_id = $1 AND revoked_at IS NULL", [
        grace.userId,
      ]);
      expect(left).toEqual([]);
    }
  });

  test("when a member's role is lowered", async () => {
    const grace = await signedInBrowser(server.url());
    const memberId = await join(grace, ada.workspaceId, "admin");
    const { clientId, tokens } = await connect(grace, { workspace_id: ada.workspaceId });
    expect(tokens.scope).toBe("read write admin");
    const { authenticateAccessToken } = await import("#lib/auth/access-tokens.ts");
    expect((await authenticateAccessToken(tokens.access_token)).scopes).toContain("admin");
    const lowered = await send(`${ada.app}/members/${memberId}`, {
      method: "PATCH",
      headers: { ...ada.headers(), "content-type": "application/json" },
      body: JSON.stringify({ role: "member" }),
    });
    expect(lowered.status, JSON.stringify(lowered.body)).toBe(200);
    expect((await authenticateAccessToken(tokens.access_token)).scopes).toEqual(["read", "write"]);
    expect((await refresh(clientId, tokens.refresh_token)).body.scope).toBe("read write");
  });

  test("when the plan changes", async () => {
    const { tokens } = await connect(ada);
    const { authenticateAccessToken } = await import("#lib/auth/access-tokens.ts");
    expect((await authenticateAccessToken(tokens.access_token)).plan).toBe("scale");
    const caller = await ofCaller(ada)();
    await setPlan(caller, "free");
    const planNow = async () => (await authenticateAccessToken(tokens.access_token)).plan;
    await expect.poll(planNow, { timeout: SOON_MS }).toBe("free");
    await setPlan(caller, "scale");
  });

  test("when another instance ends it", async () => {
    const { tokens } = await connect(ada);
    expect((await ask(tokens.access_token)).status).toBe(200);
    await inspect("UPDATE oauth_grants SET revoked_at = now() WHERE workspace_id = $1", [ada.workspaceId]);
    await inspect("SELECT pg_notify('rapport_keys', $1)", [ada.workspaceId]);
    await expect.poll(async () => (await ask(tokens.access_token)).status, { timeout: SOON_MS }).toBe(401);
  });

  test("when the workspace is deleted", async () => {
    const bob = await signedInBrowser(server.url());
    const { clientId, tokens } = await connect(bob);
    expect((await ask(tokens.access_token)).status).toBe(200);
    await deleteWorkspace.execute(await ofCaller(bob)(), { confirm: "Acme" });
    await expect.poll(async () => (await ask(tokens.access_token)).status, { timeout: SOON_MS }).toBe(401);
    expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
  });
});

describe("connected clients", () => {
  const list = async (person: Person, workspaceId = person.workspaceId) =>
    (await send(`/api/app/${workspaceId}/connected-clients`, { headers: person.headers() })).body.clients as {
      id: string;
      mine: boolean;
      name: string;
    }[];
  const disconnect = (person: Person, id: string, workspaceId = person.workspaceId) =>
    send(`/api/app/${workspaceId}/connected-clients/${id}/revoke`, {
      method: "POST",
      headers: { ...person.headers(), "content-type": "application/json" },
      body: "{}",
    });

  test("are listed for an admin, and for a member only their own; two workspaces know nothing of each other", async () => {
    const [owner, grace, stranger] = [
      await signedInBrowser(server.url()),
      await signedInBrowser(server.url()),
      await signedInBrowser(server.url()),
    ];
    await join(grace, owner.workspaceId, "member");
    const first = await connect(owner);
    const second = await connect(grace, { workspace_id: owner.workspaceId });
    const other = await connect(stranger);

    const seen = await list(owner);
    expect(seen.map(({ mine }) => mine)).toEqual([false, true]);
    expect(await list(grace, owner.workspaceId)).toMatchObject([{ mine: true }]);
    expect(await list(stranger)).toHaveLength(1);
    const [graces, owners] = [seen[0]?.id as string, seen[1]?.id as string];

    expect((await disconnect(grace, owners, owner.workspaceId)).body.error).toBe("role_required");
    expect((await disconnect(stranger, owners)).body.error).toBe("connected_client_not_found");
    expect((await ask(first.tokens.access_token)).status).toBe(200);

    expect((await ask(second.tokens.access_token)).status).toBe(200);
    expect((await disconnect(owner, graces)).status).toBe(200);
    expect((await ask(second.tokens.access_token)).status).toBe(401);
    expect((await ask(first.tokens.access_token)).status).toBe(200);
    expect((await ask(other.tokens.access_token)).status).toBe(200);
    expect((await disconnect(owner, graces)).body.error).toBe("connected_client_not_found");
    expect(await list(grace, owner.workspaceId)).toEqual([]);

    const { entries } = await listAudit.execute(await ofCaller(owner)(), {});
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["client.connected", "client.disconnected"]),
    );
  });
});

test("the first call of a connected client is the workspace's latest agent activity", async () => {
  const bob = await signedInBrowser(server.url());
  const activity = async () => (await send(`${bob.app}/agent-activity`, { headers: bob.headers() })).body;
  expect(await activity()).toMatchObject({ last_used_at: null });
  const { tokens } = await connect(bob);
  expect(await activity()).toMatchObject({ last_used_at: null });
  await ask(tokens.access_token);
  expect(await activity()).toMatchObject({ last_used_at: expect.any(String), client: "Claude Code", key_name: null });
  const { body } = await send(`${bob.app}/connected-clients`, { headers: bob.headers() });
  expect(body.clients).toMatchObject([{ last_used_at: (await activity()).last_used_at }]);
});

describe("what has ended", () => {
  test("is deleted, and nothing else", async () => {
    const bob = await signedInBrowser(server.url());
    const workspaceId = bob.workspaceId as WorkspaceId;
    const { tokens } = await connect(bob);
    await sweepTokens(workspaceId);
    expect([await rowsOf("oauth_tokens", workspaceId), await rowsOf("oauth_codes", workspaceId)]).toEqual([2, 1]);
    await inspect(
      "UPDATE oauth_tokens SET expires_at = now() - interval '1 second' WHERE workspace_id = $1 AND kind = 'refresh'",
      [workspaceId],
    );
    await inspect("UPDATE oauth_codes SET expires_at = now() - interval '2 days' WHERE workspace_id = $1", [
      workspaceId,
    ]);
    expect(await sweepTokens(workspaceId)).toBe(false);
    expect([await rowsOf("oauth_tokens", workspaceId), await rowsOf("oauth_codes", workspaceId)]).toEqual([1, 0]);
    expect((await ask(tokens.access_token)).status).toBe(200);
  });

  test("includes clients that no one uses", async () => {
    const [fresh, unused, used] = [await registered(), await registered(), await registered()];
    await inspect("UPDATE oauth_clients SET created_at = now() - interval '31 days' WHERE id = ANY($1)", [
      [unused, used],
    ]);
    await inspect("UPDATE oauth_clients SET last_used_at = now() - interval '90 days' WHERE id = $1", [used]);
    await sweepClients();
    const rows = await inspect<{ id: string }>("SELECT id FROM oauth_clients WHERE id = ANY($1)", [
      [fresh, unused, used],
    ]);
    expect(rows.map(({ id }) => id).sort()).toEqual([fresh, used].sort());
  });
});
