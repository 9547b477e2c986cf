/** The token endpoints of Google and Microsoft on this machine, as their documents describe them, for mailboxes on the IMAP stand-in. */
import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { described, type MailProvider } from "#lib/providers/mail-sign-in/client.ts";
import { type ImapServer, LOGIN } from "./imap.fixture.ts";

type Code = { challenge: string; redirectUri: string; provider: MailProvider; scope: string };

const CLIENT = { id: "rapport-mail", secret: "the client's secret" };

/** The settings of a server with a client at both. */
export const signInSettings = {
  GOOGLE_CLIENT_ID: CLIENT.id,
  GOOGLE_CLIENT_SECRET: CLIENT.secret,
  MICROSOFT_CLIENT_ID: CLIENT.id,
  MICROSOFT_CLIENT_SECRET: CLIENT.secret,
  MICROSOFT_TENANT: "acme.onmicrosoft.com",
};

export class MailSignIn {
  readonly #server: Server;
  readonly #imap: ImapServer;
  readonly #codes = new Map<string, Code>();
  readonly #grants = new Map<string, MailProvider>();
  /** Forms that it got, without their secrets. */
  readonly asked: Record<string, string>[] = [];
  /** Whose mailbox the person signs in to. */
  account: string | null = LOGIN.user;
  /** How long access tokens work, in seconds. */
  lifetime = 3_600;
  /** What it answers in place of tokens. */
  trouble: { status: number; body: unknown } | null = null;
  /** how long it takes to answer, in milliseconds */
  delay = 0;

  constructor(imap: ImapServer) {
    this.#imap = imap;
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      const { client_secret: _secret, refresh_token: _token, code: _code, code_verifier: _verifier, ...rest } = form;
      this.asked.push({ ...rest, path: request.url ?? "" });
      if (this.delay > 0) await new Promise((resolve) => setTimeout(resolve, this.delay));
      const { status, body } = this.trouble ?? this.#answer(form);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    for (const provider of ["google", "microsoft"] as const)
      Object.assign(described[provider], {
        server: this.#imap.address,
        addressesOf: () => ({ authorize: `${base}/${provider}/authorize`, token: `${base}/${provider}/token` }),
      });
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  calm(): void {
    this.asked.length = 0;
    Object.assign(this, { account: LOGIN.user, lifetime: 3_600, trouble: null, delay: 0 });
  }

  /** The person takes the permission back. */
  revoke(): void {
    this.#grants.clear();
    this.#imap.tokens.clear();
  }

  /** The person approves; where the browser is sent back to. `address` is what it was sent here with. */
  approve(address: string): URL {
    const { pathname, searchParams } = new URL(address);
    const said = (name: string) => searchParams.get(name) ?? "";
    if (said("code_challenge_method") !== "S256" || said("client_id") !== CLIENT.id)
      throw new Error("it was asked wrongly");
    const code = randomBytes(16).toString("hex");
    this.#codes.set(code, {
      challenge: said("code_challenge"),
      redirectUri: said("redirect_uri"),
      provider: pathname.split("/")[1] as MailProvider,
      scope: said("scope"),
    });
    const back = new URL(said("redirect_uri"));
    back.searchParams.set("code", code);
    back.searchParams.set("state", said("state"));
    return back;
  }

  #answer(form: Record<string, string>): { status: number; body: unknown } {
    if (form.client_id !== CLIENT.id || form.client_secret !== CLIENT.secret)
      return { status: 401, body: { error: "invalid_client" } };
    if (form.grant_type === "refresh_token") {
      const provider = this.#grants.get(form.refresh_token ?? "");
      return provider ? this.#tokens(provider, false) : over;
    }
    const code = this.#codes.get(form.code ?? "");
    this.#codes.delete(form.code ?? "");
    const challenge = createHash("sha256")
      .update(form.code_verifier ?? "")
      .digest("base64url");
    if (!code || code.challenge !== challenge || code.redirectUri !== form.redirect_uri) return over;
    return this.#tokens(code.provider, true);
  }

  #tokens(provider: MailProvider, isFirst: boolean): { status: number; body: unknown } {
    const [access, refresh] = [randomBytes(12).toString("hex"), randomBytes(12).toString("hex")];
    this.#imap.tokens.add(access);
    // Google gives one refresh token, Microsoft another each time.
    const given = isFirst || provider === "microsoft";
    if (given) this.#grants.set(refresh, provider);
    const claims = { aud: CLIENT.id, ...(this.account === null ? {} : { email: this.account }) };
    return {
      status: 200,
      body: {
        ...{ access_token: access, token_type: "Bearer", expires_in: this.lifetime },
        ...(given ? { refresh_token: refresh } : {}),
        id_token: `h.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`,
      },
    };
  }
}

const over = { status: 400, body: { error: "invalid_grant", error_description: "Token has been expired or revoked." } };

/** The endpoints for a test file, in place of the real ones. */
export function useMailSignIn(imap: ImapServer): MailSignIn {
  const signIn = new MailSignIn(imap);
  const real = structuredClone({ google: described.google.server, microsoft: described.microsoft.server });
  const addresses = { google: described.google.addressesOf, microsoft: described.microsoft.addressesOf };
  beforeAll(() => signIn.start());
  afterAll(async () => {
    await signIn.stop();
    for (const provider of ["google", "microsoft"] as const)
      Object.assign(described[provider], { server: real[provider], addressesOf: addresses[provider] });
  });
  return signIn;
}
