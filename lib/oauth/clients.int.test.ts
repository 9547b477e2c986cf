/** The authorization server as the official clients of both generations use it. */
import { readFileSync } from "node:fs";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { auth as oldAuth } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { oauthClient, REDIRECT } from "#lib/testing/oauth.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { driveEveryTool } from "#lib/testing/tools.fixture.ts";

// The site that publishes a client's document runs on this machine.
vi.mock("#lib/providers/addresses.ts", async (original) => ({
  ...(await original<object>()),
  isPublicAddress: (address: string) => address === "127.0.0.1",
}));

bootWith({ SIGNUPS: "open" });
const server = useServer();
const person = oauthClient(server.url);

type Browser = Awaited<ReturnType<typeof signedInBrowser>>;
let ada: Browser;
beforeAll(async () => {
  ada = await signedInBrowser(server.url());
});
beforeEach(() => inspect("DELETE FROM throttles"));

/** What a client keeps between the steps. `sentTo` is where it would have opened the browser. */
function provider(documentAt?: string) {
  const kept: { client?: unknown; tokens?: unknown; found?: unknown; verifier?: string; sentTo?: URL } = {};
  const stand: OAuthClientProvider & { kept: typeof kept } = {
    kept,
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: "Official client",
      redirect_uris: [REDIRECT],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    ...(documentAt ? { clientMetadataUrl: documentAt } : {}),
    state: () => "from-the-client",
    clientInformation: () => kept.client as never,
    saveClientInformation(client) {
      kept.client = client;
    },
    tokens: () => kept.tokens as never,
    saveTokens(tokens) {
      kept.tokens = tokens;
    },
    redirectToAuthorization(url) {
      kept.sentTo = url;
    },
    saveCodeVerifier(verifier) {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? "",
    saveDiscoveryState(found) {
      kept.found = found;
    },
    discoveryState: () => kept.found as never,
    invalidateCredentials() {
      delete kept.tokens;
    },
  };
  return stand;
}

type Either = {
  connect(): Promise<void>;
  finish(params: URLSearchParams): Promise<void>;
  tools(): Promise<string[]>;
  drive(): Promise<string[]>;
  close(): Promise<void>;
};

/** A client that has not connected yet. */
function clientOf(generation: string, authProvider: OAuthClientProvider): Either {
  const address = new URL(`${server.url()}/mcp`);
  const info = { name: "official", version: "1.0" };
  if (generation === "v1") {
    const client = new OldClient(info);
    const transport = new OldTransport(address, { authProvider: authProvider as never });
    return {
      connect: () => client.connect(transport as never),
      finish: (params) => transport.finishAuth(params.get("code") ?? ""),
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      drive: () => driveEveryTool(client),
      close: () => client.close(),
    };
  }
  const client = new Client(info);
  const transport = new StreamableHTTPClientTransport(address, { authProvider });
  return {
    connect: () => client.connect(transport),
    finish: (params) => transport.finishAuth(params),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    drive: () => driveEveryTool(client),
    close: () => client.close(),
  };
}

/** The person opens the address the client sent them to, and approves. */
async function approve(sentTo: URL | undefined): Promise<URLSearchParams> {
  expect(sentTo?.pathname).toBe("/oauth/authorize");
  const request = Object.fromEntries(sentTo?.searchParams ?? []);
  const opened = await person.open(ada, request);
  expect(opened).toHaveProperty("asked");
  const { asked } = opened as { asked: { request: object } };
  const { to } = await person.decide(ada, asked.request, { approval: "none" });
  return new URL(to as string).searchParams;
}

/** Connects from nothing: refused, sent to the person, back with a code. */
async function connected(generation: string, stand: ReturnType<typeof provider>): Promise<Either> {
  await expect(clientOf(generation, stand).connect()).rejects.toThrow(/unauthorized/i);
  const params = await approve(stand.kept.sentTo);
  expect(params.get("state")).toBe("from-the-client");
  // As in a real client, the browser comes back to a new transport.
  await clientOf(generation, stand).finish(params);
  const client = clientOf(generation, stand);
  await client.connect();
  return client;
}

describe.each(["v1", "v2"])("the official client, %s", (generation) => {
  test("finds the server, registers, is approved, and calls every tool", async () => {
    const stand = provider();
    const client = await connected(generation, stand);
    expect(await client.drive()).toContain("get_context");
    expect(stand.kept.client).toMatchObject({ client_name: "Official client" });
    expect(stand.kept.tokens).toMatchObject({ scope: "read write", expires_in: 3600 });
    await client.close();
  });

  test("refreshes its tokens by itself when the access token has ended", async () => {
    const stand = provider();
    const client = await connected(generation, stand);
    const { access_token: before } = stand.kept.tokens as { access_token: string };
    await inspect("UPDATE oauth_tokens SET expires_at = now() WHERE kind = 'access'");
    await inspect("SELECT pg_notify('rapport_keys', $1)", [ada.workspaceId]);
    await expect.poll(async () => (await person.ask(before)).status).toBe(401);
    expect(await client.tools()).toContain("get_context");
    expect((stand.kept.tokens as { access_token: string }).access_token).not.toBe(before);
    await client.close();
  });
});

test("the official client signs in again once its connection was ended", async () => {
  const stand = provider();
  const client = await connected("v1", stand);
  await inspect("UPDATE oauth_grants SET revoked_at = now()");
  await inspect("SELECT pg_notify('rapport_keys', $1)", [ada.workspaceId]);
  const { access_token } = stand.kept.tokens as { access_token: string };
  await expect.poll(async () => (await person.ask(access_token)).status).toBe(401);
  delete stand.kept.sentTo;
  expect(await oldAuth(stand as never, { serverUrl: `${server.url()}/mcp` })).toBe("REDIRECT");
  expect(stand.kept.sentTo).toBeInstanceOf(URL);
  await client.close();
});

/** `fetch` of a page at this origin: the browser shows it only answers that name it. */
const pageAt =
  (origin: string): typeof fetch =>
  async (address, init) => {
    const headers = new Headers(init?.headers);
    headers.set("origin", origin);
    const answer = await fetch(address, { ...init, headers });
    if (!["*", origin].includes(answer.headers.get("access-control-allow-origin") ?? ""))
      throw new TypeError("Failed to fetch");
    return answer;
  };

test("the official client in a page gets its tokens, and not in a page of another site", async () => {
  const serverUrl = `${server.url()}/mcp`;
  const stand = provider();
  const fetchFn = pageAt(new URL(REDIRECT).origin);
  expect(await oldAuth(stand as never, { serverUrl, fetchFn })).toBe("REDIRECT");
  const authorizationCode = (await approve(stand.kept.sentTo)).get("code") as string;
  const elsewhere = pageAt("https://evil.example");
  await expect(oldAuth(provider() as never, { serverUrl, fetchFn: elsewhere })).rejects.toThrow("Failed to fetch");
  expect(await oldAuth(stand as never, { serverUrl, authorizationCode, fetchFn })).toBe("AUTHORIZED");
  expect(stand.kept.tokens).toMatchObject({ scope: "read write" });
});

describe("a client that publishes a document about itself", () => {
  const file = (name: string) => readFileSync(`lib/testing/samples/tls/loopback.${name}.pem`, "utf8");
  let reads = 0;
  let answer: (address: string) => { status?: number; type?: string; body: string; location?: string; hangs?: boolean };
  const site = https.createServer({ key: file("key"), cert: file("cert") }, (request, response) => {
    reads += 1;
    const { status = 200, type = "application/json", body, location, hangs } = answer(at(request.url ?? ""));
    if (hangs) return;
    response.writeHead(status, { "content-type": type, ...(location ? { location } : {}) }).end(body);
  });
  const at = (path: string) => `https://127.0.0.1:${(site.address() as AddressInfo).port}${path}`;
  const trusted = getCACertificates("default");
  const documentFor = (client_id: string, more: Record<string, unknown> = {}) =>
    JSON.stringify({
      client_id,
      client_name: "Published",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      ...more,
    });

  beforeAll(async () => {
    setDefaultCACertificates([...trusted, file("cert")]);
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    setDefaultCACertificates(trusted);
    site.closeAllConnections();
    site.close();
  });
  beforeEach(() => {
    reads = 0;
    answer = (address) => ({ body: documentFor(address) });
  });

  let count = 0;
  const openIt = (id: string) => person.open(ada, person.requestFor(id, person.verifier()));
  const fresh = () => at(`/client-${++count}.json`);

  test("is shown with the host that publishes it, and its document is read once an hour", async () => {
    const id = fresh();
    const opened = await openIt(id);
    expect(opened).toMatchObject({
      asked: {
        client: { name: "Published", host: new URL(id).host, selfRegistered: false },
        answersTo: "localhost",
      },
    });
    await openIt(id);
    expect(reads).toBe(1);
    await inspect("UPDATE oauth_clients SET fetched_at = fetched_at - interval '61 minutes' WHERE id = $1", [id]);
    answer = (address) => ({ body: documentFor(address, { client_name: "Renamed" }) });
    expect(await openIt(id)).toMatchObject({ asked: { client: { name: "Renamed" } } });
    expect(reads).toBe(2);
  });

  test("is what the official client uses when the server offers it", async () => {
    const id = fresh();
    const stand = provider(id);
    const client = await connected("v2", stand);
    expect(stand.kept.sentTo?.searchParams.get("client_id")).toBe(id);
    expect(await client.tools()).toContain("get_context");
    await client.close();
  });

  test.each<[string, (address: string) => ReturnType<typeof answer>]>([
    ["names another client", (address) => ({ body: documentFor(`${address}x`) })],
    ["has no redirect URI", (address) => ({ body: documentFor(address, { redirect_uris: [] }) })],
    [
      "has a redirect URI that runs a script",
      (address) => ({ body: documentFor(address, { redirect_uris: ["javascript:alert(1)"] }) }),
    ],
    [
      "has a redirect URI that hides a script",
      (address) => ({ body: documentFor(address, { redirect_uris: ["feed:javascript:alert(1)"] }) }),
    ],
    [
      "wants a secret",
      (address) => ({ body: documentFor(address, { token_endpoint_auth_method: "client_secret_post" }) }),
    ],
    ["is no JSON", () => ({ body: "{" })],
    ["is a page", (address) => ({ type: "text/html", body: documentFor(address) })],
    ["is an error", (address) => ({ status: 500, body: documentFor(address) })],
    ["is elsewhere", (address) => ({ status: 302, location: address, body: documentFor(address) })],
    ["is too large", (address) => ({ body: documentFor(address, { filler: "x".repeat(40_000) }) })],
  ])("is refused when the document %s", async (_what, given) => {
    answer = given;
    const id = fresh();
    await expect(openIt(id)).rejects.toMatchObject({ code: "authorization_invalid" });
    expect(reads).toBe(1);
    expect(await inspect("SELECT 1 FROM oauth_clients WHERE id = $1", [id])).toEqual([]);
  });

  test("is refused when its site does not answer within seconds", async () => {
    answer = () => ({ body: "", hangs: true });
    await expect(openIt(fresh())).rejects.toThrow(/did not answer in time/);
  });

  test("is refused when its certificate is not trusted", async () => {
    setDefaultCACertificates(trusted);
    await expect(openIt(fresh())).rejects.toThrow(/cannot be reached/);
    setDefaultCACertificates([...trusted, file("cert")]);
  });
});
