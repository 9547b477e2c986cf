import {
  classifyInboundRequest,
  createMcpHandler,
  ProtocolErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { noteKeyUse } from "#lib/auth/key-use.ts";
import { isFault } from "#lib/core/errors.ts";
import { parseJson } from "#lib/core/json.ts";
import { log } from "#lib/core/log.ts";
import { LARGE_BODY_LIMIT } from "#lib/core/operation.ts";
import { answered, requireSameLimits, type Work } from "#lib/http/answer.ts";
import { type Exchange, handler, type RouteHandler } from "#lib/http/exchange.ts";
import { originOf } from "#lib/http/origin.ts";
import { countRequest } from "#lib/http/rate-limit.ts";
import { received } from "#lib/http/received.ts";
import { requestIdOf } from "#lib/http/request-id.ts";
import { streamHeaders } from "#lib/http/streams.ts";
import { givenLabel } from "#lib/text/client-label.ts";
import { byBearer, challenging, requireTokenScope } from "./authenticate.ts";
import { clientOf } from "./client.ts";
import { requireOwnAddress } from "./guard.ts";
import { callTool, createServer, type Session } from "./server.ts";
import { LISTEN, listening } from "./subscriptions.ts";
import { type ToolChoice, toolNamed, wantedOf } from "./tools.ts";

/** Handed to the SDK with a request and back to the factory of servers. */
const SESSION = "rapport";

/** Requests of the revision of 2026: each brings everything that a server needs to know. */
const modern = createMcpHandler(
  ({ authInfo }) => createServer(authInfo?.extra?.[SESSION] as Session, { subscribe: true }),
  {
    legacy: "reject",
    onerror: (error) => log.debug({ err: error }, "an MCP request was refused"),
  },
);

/** `POST /mcp`: one message of the Model Context Protocol, streamable HTTP without sessions. */
export const mcp = (): RouteHandler =>
  handler((exchange) => {
    const requestId = requestIdOf(exchange);
    const work: Work = async ({ headers, note, calls }) => {
      requireOwnAddress(exchange);
      const named = givenLabel(exchange.header("x-service-client"));
      const lookUp = () => byBearer(exchange, requestId, named);
      const since = performance.now();
      const authenticated = await lookUp();
      const { rateKey, keyPrefix } = authenticated;
      const { workspaceId, viewer } = authenticated.caller;
      note({ workspace_id: workspaceId, user_id: viewer, key_prefix: keyPrefix });
      countRequest(rateKey, headers);
      const wanted = wantedOf(exchange.query);
      const { body, sender } = await received(exchange, LARGE_BODY_LIMIT, authenticated, { since, lookUp });
      const { caller } = sender;
      const message = messageOf(body);
      if (isFault(message)) return wholeAnswer(refusal(`${message.code}: ${message.message}`), headers);
      requireTokenScope(exchange, caller, message, wanted);
      const client = named ?? clientOf(exchange, message);
      if (keyPrefix && client !== named) noteKeyUse(caller.workspaceId, rateKey, client);
      const operation = operationOf(message, wanted);
      calls({ workspaceId: caller.workspaceId, callerId: rateKey, client, path: "/mcp", operation });
      const session: Session = { caller: { ...caller, client }, wanted, origin: originOf(exchange), note };
      if (methodOf(message) !== LISTEN || !isOf2026(exchange, message))
        return wholeAnswer(await respond(exchange, message, session), headers);
      const request = requestOf(exchange, message);
      const answer = await listening({
        session,
        request,
        message,
        over: exchange.over(),
        holder: rateKey,
        check: async () => requireSameLimits(caller, (await lookUp()).caller),
      });
      if (typeof answer !== "function") return wholeAnswer(answer, headers);
      Object.assign(headers, streamHeaders);
      return { status: 200, body: answer };
    };
    return answered("mcp", exchange, requestId, challenging(exchange, work));
  });

/** The message; undefined when the body is no JSON, for which the SDK has the answer; a fault when it takes too long to read. */
function messageOf(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (!isFault(error)) throw error;
    return error.code === "invalid_json" ? undefined : error;
  }
}

/** The answer to a message that is none. */
const refusal = (message: string): Response =>
  Response.json(
    { jsonrpc: "2.0", id: null, error: { code: ProtocolErrorCode.InvalidRequest, message } },
    { status: 400 },
  );

/** The headers by which the protocol tells versions and messages apart. */
const HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

/** The request as the SDK takes it: its body was read, and is no JSON when there is no message. */
function requestOf(exchange: Exchange, message: unknown): Request {
  const headers = HEADERS.flatMap((name): [string, string][] => {
    const value = exchange.header(name);
    return value === undefined ? [] : [[name, value]];
  });
  const unread = message === undefined ? { body: "" } : {};
  return new Request("http://localhost/mcp", { method: "POST", headers, ...unread });
}

async function respond(exchange: Exchange, message: unknown, session: Session): Promise<Response> {
  if (Array.isArray(message) && message.length === 0) return refusal("The batch holds no message.");
  const plain = plainCallOf(exchange, message, session.wanted);
  if (plain) {
    const result = await callTool(session, plain.params.name, plain.params.arguments ?? {});
    return Response.json({ result, jsonrpc: "2.0", id: plain.id });
  }
  const request = requestOf(exchange, message);
  if (isOf2026(exchange, message)) {
    const authInfo = { token: "", clientId: "", scopes: [...session.caller.scopes], extra: { [SESSION]: session } };
    return modern.fetch(request, { authInfo, parsedBody: message });
  }
  // Neither is closed: they hold nothing that outlives the request, and closing makes errors with stacks for no one.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await createServer(session).connect(transport);
  return transport.handleRequest(request, { parsedBody: message });
}

/** A call of a tool as clients of 2025 send it, with nothing unusual about it. */
const PlainCall = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.int()]),
  method: z.literal("tools/call"),
  params: z.strictObject({
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()).optional(),
    _meta: z.strictObject({ progressToken: z.union([z.string(), z.int()]) }).optional(),
  }),
});

/**
 * The call, when it is one that needs no more of the protocol than its answer: then it is answered without a server and a
 * transport of the SDK, which take as long as a fast operation. Null for everything else, whose answer is the SDK's.
 */
function plainCallOf(exchange: Exchange, message: unknown, wanted: ToolChoice): z.output<typeof PlainCall> | null {
  const [accept = "", type = "", version] = ["accept", "content-type", "mcp-protocol-version"].map(exchange.header);
  const accepts = accept.includes("application/json") && accept.includes("text/event-stream");
  const isSupported = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version);
  if (!accepts || !isSupported || !/^application\/json\b/i.test(type)) return null;
  const call = PlainCall.safeParse(message).data ?? null;
  return call && toolNamed(call.params.name, wanted) ? call : null;
}

/** Whether a message belongs to the revision of 2026, or is wrong in a way that only that revision has an answer for. */
function isOf2026(exchange: Exchange, message: unknown): boolean {
  if (message === undefined) return false;
  const headerMatches = (name: string, key: string) => {
    const value = exchange.header(name);
    return value === undefined ? {} : { [key]: value };
  };
  const { kind } = classifyInboundRequest({
    httpMethod: "POST",
    ...headerMatches("mcp-protocol-version", "protocolVersionHeader"),
    ...headerMatches("mcp-method", "mcpMethodHeader"),
    ...headerMatches("mcp-name", "mcpNameHeader"),
    body: message,
  });
  return kind !== "legacy";
}

/** What a message asks for, as the log of calls names it: a tool, else the protocol's method. */
function operationOf(message: unknown, wanted: ToolChoice): string {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
  const tool = method === "tools/call" && typeof params?.name === "string" ? toolNamed(params.name, wanted) : undefined;
  if (tool) return params?.name as string;
  return typeof method === "string" && /^[a-z/_]{1,40}$/i.test(method) ? method : "mcp";
}

const methodOf = (message: unknown): unknown => (message as { method?: unknown } | null | undefined)?.method;

/** Answers are whole: nothing but a subscription sends a message before its result. */
async function wholeAnswer(
  response: Response,
  headers: Record<string, string>,
): Promise<{ status: number; body: string | null }> {
  const type = response.headers.get("content-type");
  if (type) headers["Content-Type"] = type;
  const body = await response.text();
  return { status: response.status, body: body === "" ? null : body };
}
