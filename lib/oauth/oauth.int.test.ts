/** The authorization server as a client, a person and an attacker see it: from discovery to a person's decision. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { join, oauthClient, REDIRECT } from "#lib/testing/oauth.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";

bootWith({ SIGNUPS: "open" });
const server = useServer();
const { decide, exchange, open, register, registered, requestFor, send, verifier } = oauthClient(server.url);

type Person = Awaited<ReturnType<typeof signedInBrowser>>;
let ada: Person;
beforeAll(async () => {
  ada = await signedInBrowser(server.url());
});
beforeEach(() => inspect("DELETE FROM throttles"));

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
