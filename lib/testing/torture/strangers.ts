/** What strangers and their programs send beside right requests: broken messages, half bodies, wishes for another protocol. */
import { setTimeout as sleep } from "node:timers/promises";
import { tools } from "#lib/mcp/tools.ts";
import { openWire, requestText } from "../socket.fixture.ts";
import type { App } from "./app.ts";
import type { Chance } from "./chance.ts";
import type { Tenant } from "./requests.ts";
import type { Verdict } from "./verdict.ts";

type Stranger = { app: App; tenant: Tenant; chance: Chance; verdict: Verdict };

/** One odd request; what it may be answered is judged here. */
export const sendOdd = (on: Stranger): Promise<void> =>
  on.chance.pick([brokenMessage, halfBody, wishToUpgrade, register, askForMethods])(on);

/** Text that JSON can write and Postgres cannot keep. */
const BROKEN = ["\u0000", "a\u0000b", "\ud800", "x\udc00y"];

const JSON_TYPE = { "content-type": "application/json" };
const MCP_TYPE = { ...JSON_TYPE, accept: "application/json, text/event-stream" };

async function brokenMessage({ app, tenant, chance, verdict }: Stranger): Promise<void> {
  const message = messageOf(chance);
  const what = `a broken message, ${JSON.stringify(message).slice(0, 200)},`;
  verdict.count("broken messages");
  try {
    const response = await fetch(`${app.url}/mcp`, {
      method: "POST",
      headers: { ...MCP_TYPE, authorization: `Bearer ${tenant.key}` },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (response.status === 503) return verdict.count("broken messages without a database");
    const isOurs = /-32603|internal_error/.test(text) || !/-3260[02]|invalid_parameter/.test(text);
    if (response.status >= 500 || isOurs) verdict.wrong("fault", `${what} was answered ${response.status} ${text}`);
  } catch (error) {
    verdict.wrong("no answer", `${what}: ${String(error)}`);
  }
}

function messageOf(chance: Chance): unknown {
  const text = chance.pick(BROKEN);
  const request = (method: string, params: unknown) => ({ jsonrpc: "2.0", id: chance.int(1, 9), method, params });
  const ref = { type: "ref/prompt", name: "draft_email" };
  return chance.pick([
    () => {
      const { name, definition } = chance.pick(tools.filter((tool) => parametersOf(tool).length > 0));
      const parameter = chance.pick(parametersOf({ definition }));
      return request("tools/call", { name, arguments: { [parameter]: chance.pick([text, [text], { [text]: 1 }]) } });
    },
    () => request("resources/read", { uri: `rapport://accounts/${chance.pick([text, "%00", "a%00b"])}` }),
    () => request("prompts/get", { name: "draft_email", arguments: { focus: text } }),
    () => request("prompts/get", { name: chance.pick([5, null, {}]) }),
    () => request("completion/complete", { ref, argument: { name: "focus", value: text } }),
    () => chance.pick<unknown>([[], [null], [5], {}, null, "ping"]),
  ])();
}

const parametersOf = ({ definition }: Pick<(typeof tools)[number], "definition">): string[] =>
  Object.keys((definition.inputSchema.properties ?? {}) as object);

const person = '{"email":"anna@acme.com","first_name":"Anna"}';
const form = `--b\r\ncontent-disposition: form-data; name="csv"; filename="a.csv"\r\n\r\nemail\n${"a@b.co\n".repeat(9)}\r\n--b--\r\n`;

/** An address of every kind that reads a body. */
const bodies: readonly { path: string; headers: Record<string, string>; body: string }[] = [
  { path: "/v2/people", headers: JSON_TYPE, body: person },
  { path: "/api/app/:id/v2/people", headers: JSON_TYPE, body: person },
  { path: "/v2/imports", headers: { "content-type": "multipart/form-data; boundary=b" }, body: form },
  { path: "/v2/imports", headers: { "content-type": "text/csv" }, body: "email\na@b.co\n" },
  { path: "/mcp", headers: MCP_TYPE, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
  { path: "/oauth/token", headers: {}, body: "grant_type=refresh_token&client_id=a" },
  { path: "/oauth/register", headers: JSON_TYPE, body: '{"redirect_uris":[]}' },
  { path: "/inbound/fathom/:id", headers: { ...JSON_TYPE, "webhook-signature": "v1,a" }, body: "{}" },
  { path: "/api/cli/auth/start", headers: JSON_TYPE, body: "{}" },
  { path: "/api/account/workspaces", headers: JSON_TYPE, body: '{"name":"C"}' },
  { path: "/api/auth/callback/credentials", headers: {}, body: "email=a&password=b" },
  { path: "/v2/nothing", headers: JSON_TYPE, body: person },
];

/** A client that goes in the middle of its body, or that waits for no answer. */
async function halfBody({ app, tenant, chance, verdict }: Stranger): Promise<void> {
  const { path, headers, body } = chance.pick(bodies);
  const { key, cookie, stage } = tenant;
  const byBrowser = path.startsWith("/api/");
  const who: Record<string, string> = byBrowser ? { cookie, origin: app.url } : { authorization: `Bearer ${key}` };
  const text = requestText(`POST ${path.replace(":id", stage.id)}`, { ...who, ...headers }, body);
  const wire = openWire(app.url);
  wire.write(text.slice(0, text.length - chance.int(1, body.length)));
  await sleep(chance.int(0, 15));
  if (chance.percent(80)) wire.socket.resetAndDestroy();
  else wire.socket.end();
  await wire.closed;
  verdict.count("half bodies");
}

/** The header by which clients ask for HTTP/2 without https, at addresses that need no database. */
async function wishToUpgrade({ app, chance, verdict }: Stranger): Promise<void> {
  const [line, headers, body] = chance.pick<[string, Record<string, string>, string]>([
    ["GET /healthz", {}, ""],
    ["GET /", {}, ""],
    ["GET /v2/nothing", {}, ""],
    ["OPTIONS *", {}, ""],
    ["POST /v2/people", JSON_TYPE, person],
    ["POST /mcp", MCP_TYPE, "[]"],
  ]);
  const wish = chance.pick(["h2c", "websocket"]);
  const wire = openWire(app.url);
  wire.write(requestText(line, { ...headers, connection: "Upgrade", upgrade: wish }, body));
  await wire.until(/^HTTP\/1\.1 [24]\d\d/).catch(() => verdict.wrong("no answer", `${line} with Upgrade: ${wish}`));
  wire.destroy();
  verdict.count("wishes to upgrade");
}

const SCRIPTS = ["feed:javascript:alert(1)", "x-javascript:alert(1)", "javascript:alert(1)", "data:text/html,a"];

/** A client whose redirect URI is a script, alone or behind a right one. */
async function register({ app, chance, verdict }: Stranger): Promise<void> {
  const wrong = chance.pick(SCRIPTS);
  const redirect_uris = chance.percent(50) ? [wrong] : ["https://client.example/callback", wrong];
  const what = `registering ${wrong}`;
  verdict.count("registrations of scripts");
  try {
    const response = await fetch(`${app.url}/oauth/register`, {
      method: "POST",
      headers: { ...JSON_TYPE, "x-forwarded-for": `10.1.${chance.int(0, 255)}.${chance.int(0, 255)}` },
      body: JSON.stringify({ client_name: "Stranger", redirect_uris }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (response.status < 300) verdict.wrong("fault", `${what} was taken: ${text}`);
    else if (response.status !== 429 && (response.status !== 400 || !text.includes("invalid_redirect_uri")))
      verdict.wrong("fault", `${what} was answered ${response.status} ${text}`);
  } catch (error) {
    verdict.wrong("no answer", `${what}: ${String(error)}`);
  }
}

/** Which methods an address has, of every kind of address; the answer has an id, as all have. */
async function askForMethods({ app, chance, verdict }: Stranger): Promise<void> {
  const target = chance.pick(["*", "/", "/sign-in", "/v2/people", "/v2/people/a", "/mcp", "/oauth/token", "/healthz"]);
  const wire = openWire(app.url);
  wire.write(requestText(`OPTIONS ${target}`, { connection: "close" }));
  const answer = await wire.closed;
  verdict.count("questions for methods");
  if (!/^HTTP\/1\.1 204 /.test(answer) || !/^x-request-id: \S+/im.test(answer))
    verdict.wrong("fault", `OPTIONS ${target} was answered ${answer.slice(0, 300)}`);
}
