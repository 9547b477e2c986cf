import { createHash, randomBytes } from "node:crypto";
import { liveSession } from "#lib/auth/sessions.ts";
import { openAuthorization, type Tokens } from "#lib/domain/access/oauth/service.ts";
import { inspect } from "./database.ts";

/** A person's browser, as `signedInBrowser` makes it. */
type Browser = {
  userId: string;
  sessionId: string;
  workspaceId: string;
  headers(): Record<string, string>;
};

export const REDIRECT = "http://127.0.0.1:33418/callback";

type Answer = { status: number; headers: Headers; body: Record<string, unknown> };

/** Makes someone a member of another's workspace, with this role. Returns the member's id. */
export async function join(person: Pick<Browser, "userId">, workspaceId: string, role: string): Promise<string> {
  const [row] = await inspect<{ id: string }>(
    "INSERT INTO members (workspace_id, id, user_id, role) VALUES ($1, gen_random_uuid(), $2, $3::role) RETURNING id",
    [workspaceId, person.userId, role],
  );
  return row?.id as string;
}

/** An MCP client that speaks OAuth by hand with the server at `url`, and the browser of the person it asks. */
export function oauthClient(url: () => string) {
  const verifier = () => randomBytes(32).toString("base64url");
  const challengeOf = (text: string) => createHash("sha256").update(text).digest("base64url");

  async function send(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(url() + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
  }

  const form = (path: string, fields: Record<string, string | undefined>, headers: Record<string, string> = {}) => {
    const entries = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
    return send(path, { method: "POST", headers, body: new URLSearchParams(entries) });
  };

  /** Registers a client and returns what the server answered. */
  const register = (more: Record<string, unknown> = {}) =>
    send("/oauth/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        client_name: "Claude Code",
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        ...more,
      }),
    });

  const registered = async (more: Record<string, unknown> = {}): Promise<string> =>
    (await register(more)).body.client_id as string;

  /** A right authorization request, with some parameters changed; undefined leaves one out. */
  const requestFor = (clientId: string, secret: string, more: Record<string, string | undefined> = {}) => ({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: challengeOf(secret),
    code_challenge_method: "S256",
    scope: "read write",
    state: "st4te",
    resource: `${url()}/mcp`,
    ...more,
  });

  /** What the page of this request would show, or where it would lead. */
  async function open(browser: Browser, request: Record<string, string | readonly string[] | undefined>) {
    const session = await liveSession(browser.sessionId, browser.userId);
    if (!session) throw new Error("the session has ended");
    return openAuthorization(request, { session, ip: "192.0.2.1", origin: url() });
  }

  /** What the person decides on the page; the answer's parameters, or the refusal. */
  async function decide(browser: Browser, request: object, more: Record<string, unknown> = {}) {
    const answer = await send("/api/account/authorizations", {
      method: "POST",
      headers: { ...browser.headers(), "content-type": "application/json" },
      body: JSON.stringify({ request, approve: true, workspace_id: browser.workspaceId, ...more }),
    });
    const to = answer.body.redirect_to as string | undefined;
    return { ...answer, to, params: Object.fromEntries(to ? new URL(to).searchParams : []) as Record<string, string> };
  }

  const exchange = (clientId: string, code: string, secret: string, more: Record<string, string | undefined> = {}) =>
    form("/oauth/token", {
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      code_verifier: secret,
      redirect_uri: REDIRECT,
      resource: `${url()}/mcp`,
      ...more,
    });

  const refresh = (clientId: string, token: string, more: Record<string, string | undefined> = {}) =>
    form("/oauth/token", { grant_type: "refresh_token", client_id: clientId, refresh_token: token, ...more });

  /** The whole way: a client, its approval and its tokens. */
  async function connect(browser: Browser, more: Record<string, unknown> = {}) {
    const clientId = await registered();
    const secret = verifier();
    const { params } = await decide(browser, requestFor(clientId, secret, { scope: "admin" }), more);
    const code = params.code as string;
    const { body } = await exchange(clientId, code, secret);
    return { clientId, code, secret, tokens: body as unknown as Tokens & { refresh_token: string } };
  }

  /** The status of a call of `/mcp` with a token, and the header that says what is wrong. */
  async function ask(token: string | null, message: object = { method: "tools/list" }) {
    const response = await fetch(`${url()}/mcp`, {
      method: "POST",
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-06-18",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
    });
    const text = await response.text();
    return { status: response.status, challenge: response.headers.get("www-authenticate"), text };
  }

  return {
    verifier,
    challengeOf,
    send,
    form,
    register,
    registered,
    requestFor,
    open,
    decide,
    exchange,
    refresh,
    connect,
    ask,
  };
}

/** How many rows of a table a workspace has. */
export const rowsOf = async (table: "oauth_grants" | "oauth_tokens" | "oauth_codes", workspaceId: string) =>
  (
    await inspect<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = $1`, [
      workspaceId,
    ])
  )[0]?.count;
