/** An OpenID provider on this machine, and browsers that sign in with it through next-auth. */
import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import NextAuth from "next-auth";
import { callbackUrlIn, hasOldSessionOnly, isSecure, sessionTokensIn } from "#lib/auth/cookies.ts";
import { authOptions } from "#lib/auth/next-auth.ts";
import { readSession } from "#lib/auth/sessions.ts";
import { newId } from "#lib/core/ids.ts";
import { groupsAtSignIn } from "#lib/domain/access/directory/service.ts";
import { endAccessEverywhere, PROVEN } from "#lib/domain/access/members/service.ts";
import type { notingSignIns } from "#lib/domain/records/audit/service.ts";

const key = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** What a provider says about a person, and how it may go wrong. */
export type Vouching = {
  claims?: Record<string, unknown>;
  /** signed by another key, or by none */
  signed?: "by another key" | "not at all";
};

type Signing = { signed?: Vouching["signed"]; typ?: string | undefined };

type IssuedCode = Vouching & { challenge: string | null; nonce: string | null };

/** Approves everyone who is sent to it, and exchanges a code once, for the client that has its PKCE verifier. */
export class OidcProvider {
  readonly #server: Server;
  readonly #key = key();
  readonly #otherKey = key();
  readonly #codes = new Map<string, IssuedCode>();
  readonly clientId = "rapport";
  readonly clientSecret = "a secret of the client";
  /** The issuer that its metadata name; unset: its own. */
  poses: string | undefined;
  /** Whether its metadata say that it names itself in its answers (RFC 9207). */
  namesItself = false;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const answer = (status: number, body: unknown) =>
        void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      if (request.url === "/.well-known/openid-configuration") return answer(200, this.#metadata());
      if (request.url === "/jwks") return answer(200, { keys: [this.#jwk()] });
      const token = request.url === "/token" ? this.#exchange(form) : null;
      return token ? answer(200, token) : answer(400, { error: "invalid_grant" });
    });
  }

  /** Codes that were given and not exchanged. */
  get unused(): number {
    return this.#codes.size;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The settings of a server that lets people sign in with it. */
  get settings(): Record<string, string> {
    return { OIDC_ISSUER: this.issuer, OIDC_CLIENT_ID: this.clientId, OIDC_CLIENT_SECRET: this.clientSecret };
  }

  /** Its entry in the list of several providers. */
  entry(id: string, more: Record<string, unknown> = {}): Record<string, unknown> {
    const { issuer, clientId: client_id, clientSecret: client_secret } = this;
    return { id, name: id, issuer, client_id, client_secret, ...more };
  }

  /** What it sends when a session has ended; `claims` with the value undefined are left out. */
  logoutToken(claims: Record<string, unknown>, { signed, typ = "logout+jwt" }: Signing = {}): string {
    const now = Math.floor(Date.now() / 1000);
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    const own = { iss: this.issuer, aud: this.clientId, iat: now, exp: now + 120, jti: randomUUID(), events };
    return this.#signed({ ...own, ...claims }, { signed, typ });
  }

  /** The person approves; where the browser is sent back to. `address` is what it was sent here with. */
  approve(address: string, vouching: Vouching): URL {
    const asked = new URL(address).searchParams;
    const code = randomBytes(16).toString("hex");
    this.#codes.set(code, { ...vouching, challenge: asked.get("code_challenge"), nonce: asked.get("nonce") });
    const back = new URL(asked.get("redirect_uri") as string);
    back.searchParams.set("code", code);
    back.searchParams.set("state", asked.get("state") ?? "");
    if (this.namesItself) back.searchParams.set("iss", this.issuer);
    return back;
  }

  #exchange(form: URLSearchParams): object | null {
    const issued = this.#codes.get(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    this.#codes.delete(form.get("code") ?? "");
    if (!issued || issued.challenge !== challenge) return null;
    return { access_token: "a", token_type: "Bearer", id_token: this.#idToken(issued) };
  }

  #idToken({ claims = {}, signed, nonce }: IssuedCode): string {
    const now = Math.floor(Date.now() / 1000);
    const own = {
      iss: this.poses ?? this.issuer,
      aud: this.clientId,
      iat: now,
      exp: now + 300,
      ...(nonce === null ? {} : { nonce }),
    };
    return this.#signed({ ...own, sub: "ada", ...claims }, { signed });
  }

  #signed(claims: object, { signed, typ }: Signing): string {
    const head = encoded(signed === "not at all" ? { alg: "none" } : { alg: "RS256", kid: "one", typ });
    const text = `${head}.${encoded(claims)}`;
    if (signed === "not at all") return `${text}.`;
    const { privateKey } = signed === "by another key" ? this.#otherKey : this.#key;
    return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
  }

  #metadata(): object {
    const at = (path: string) => `${this.issuer}${path}`;
    return {
      issuer: this.poses ?? this.issuer,
      authorization_endpoint: at("/authorize"),
      token_endpoint: at("/token"),
      jwks_uri: at("/jwks"),
      authorization_response_iss_parameter_supported: this.namesItself,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    };
  }

  #jwk(): object {
    return { ...this.#key.publicKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" };
  }
}

/** A browser on the server at `url`: its cookies, and what it does on next-auth's addresses. `noting`: who is told of its sign-ins. */
export function authBrowser(url: string, jar = new Map<string, string>(), noting?: ReturnType<typeof notingSignIns>) {
  const refusals: unknown[][] = [];
  const cookieHeader = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

  async function send(path: string, form?: Record<string, string>): Promise<{ to: string | null; body: unknown }> {
    const cookie = cookieHeader();
    const { pathname, searchParams } = new URL(path, url);
    const options = authOptions({
      ip: "192.0.2.1",
      userAgent: "test",
      address: url,
      secure: isSecure(null),
      endsOldSession: pathname.endsWith("/signout") && hasOldSessionOnly(cookie),
      callbackUrl: callbackUrlIn(cookie),
      before: () => readSession((name) => (name === "cookie" ? cookie : undefined)),
      signedIn: () => undefined,
      refused: (...refusal) => void refusals.push(refusal),
      refusedUnknown: (what) => void refusals.push([what]),
      passwordReplaced: () => undefined,
      signedOut: () => undefined,
      groups: groupsAtSignIn({ requestId: newId(), ip: "192.0.2.1" }),
      endAccess: (userId) => endAccessEverywhere(userId, PROVEN, { requestId: newId(), ip: "192.0.2.1" }),
      noteAway: () => undefined,
      ...noting,
    });
    const request = {
      method: form ? "POST" : "GET",
      query: { ...Object.fromEntries(searchParams), nextauth: pathname.split("/").slice(3) },
      headers: { host: new URL(url).host, cookie },
      cookies: Object.fromEntries([...jar].map(([name, value]) => [name, decodeURIComponent(value)])),
      body: form,
    };
    const answer = answerOf();
    await NextAuth(request as never, answer as never, options); // its types are those of Next
    for (const set of answer.cookies()) {
      const [pair = "", ...attributes] = set.split("; ");
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      const isOver = value === "" || attributes.some((each) => /^Max-Age=0$/i.test(each));
      if (isOver) jar.delete(name);
      else jar.set(name, value);
    }
    return { to: answer.header("location") ?? null, body: answer.body() };
  }

  return {
    jar,
    /** Sign-ins that were refused, as the audit log is told. */
    refusals,
    get: (path: string) => send(path),
    post: send,
    /** Where the browser is sent to sign in, with next-auth's token against forgery. */
    async leave(provider = "oidc", callbackUrl = "/"): Promise<string> {
      const { body } = await send("/api/auth/csrf");
      const { csrfToken } = body as { csrfToken: string };
      const { to } = await send(`/api/auth/signin/${provider}`, { csrfToken, callbackUrl });
      return to ?? "";
    },
    /** Comes back from the provider; where it is sent to. */
    comeBack: async (back: URL) => (await send(back.pathname + back.search)).to ?? "",
    sessionToken: (): string | null => sessionTokensIn(cookieHeader(), isSecure(null))[0] ?? null,
    header: (name: string) => (name === "cookie" ? cookieHeader() : undefined),
  };
}

/** What next-auth writes its answer to, with what was written. */
function answerOf() {
  const headers = new Map<string, string | string[]>();
  let sent: unknown;
  const answer = {
    status: () => answer,
    setHeader(name: string, value: string | string[]) {
      headers.set(name.toLowerCase(), value);
      return answer;
    },
    getHeader: (name: string) => headers.get(name.toLowerCase()),
    json: (body: unknown) => {
      sent = body;
    },
    send: (body: unknown) => {
      sent = body;
    },
    end: () => undefined,
    header: (name: string) => headers.get(name)?.toString(),
    cookies: (): string[] => [headers.get("set-cookie") ?? []].flat(),
    body: () => sent,
  };
  return answer;
}
