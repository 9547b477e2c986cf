import http, { type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import createRouter from "find-my-way";
import { startCalls } from "#lib/auth/calls.ts";
import { startKeyChanges, stopKeyChanges } from "#lib/auth/key-changes.ts";
import { startKeyUses } from "#lib/auth/key-use.ts";
import { errorBody, Fault } from "#lib/core/errors.ts";
import { log, logOutage, logStall } from "#lib/core/log.ts";
import { onOutage } from "#lib/core/outage.ts";
import { beginPiece, endPiece, watchStalls } from "#lib/core/stalls.ts";
import { together } from "#lib/core/together.ts";
import { asFault, RETRY_AFTER_SECONDS } from "#lib/core/unavailable.ts";
import { startLive, stopLive } from "#lib/live/announce.ts";
import { endWaits } from "#lib/live/news.ts";
import type { Env } from "#lib/settings/env.ts";
import { startDispatcher, stopDispatcher } from "#lib/worker/dispatcher.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import { answered } from "./answer.ts";
import { packed } from "./content-encoding.ts";
import { preflightHeaders } from "./cors.ts";
import type { Answer, Exchange, RouteHandler, Streaming } from "./exchange.ts";
import { clientAddress, Incoming, onceOver } from "./incoming.ts";
import { originOf } from "./origin.ts";
import type { PageServer } from "./page-server.ts";
import { holdBackFailures } from "./pages.ts";
import { countRequest } from "./rate-limit.ts";
import { asReader } from "./reader.ts";
import { refuseBytes, wrongRequest } from "./refusal.ts";
import { requestIdOf } from "./request-id.ts";
import { loadRoutes } from "./routes.ts";
import { startTelemetry } from "./telemetry.ts";
import { commonHeaders } from "./transport-headers.ts";

export type Front = {
  server: Server;
  /** Stops accepting, waits for the requests under way, then stops the background work. */
  drain(): Promise<void>;
};

/**
 * A caller who sends nothing, or too slowly, gets an error; `checkEvery` is how often that is checked. In milliseconds.
 */
const PATIENCE = { headersTimeout: 70_000, requestTimeout: 600_000, connectionsCheckingInterval: 10_000 };

/** Addresses whose unknown paths and methods answer in JSON, not with a page. */
const API =
  /^\/(v2|api|mcp|inbound|scim|oauth\/(token|register|revoke)|\.well-known|healthz|readyz|openapi\.json)(\/|$)/;

/** What next-auth answers under `/api/auth`; Next serves it. */
const SIGN_IN = /^\/api\/auth\/(session|csrf|providers|signin|signout|callback|error|verify-request|_log)(\/|$)/;

const isApi = (path: string): boolean => API.test(path) && !SIGN_IN.test(path);

/** The path as operations see it: with a slash at its end it is the same address. */
const addressed = (path: string): string => (path.endsWith("/") && isApi(path) ? path.slice(0, -1) : path);

/**
 * The server of the whole app: pure route handlers are called straight from the socket, everything else goes to the
 * pages, which may be ready later.
 */
export async function createFront({
  env,
  pages,
  root = process.cwd(),
  patience = PATIENCE,
}: {
  env: Env;
  pages: PageServer;
  root?: string;
  patience?: typeof PATIENCE;
}): Promise<Front> {
  const proxies = env.TRUST_PROXY;
  log.level = env.LOG_LEVEL;
  onOutage(logOutage);
  const stopStallWatch = watchStalls(logStall);
  const router = createRouter({ ignoreTrailingSlash: false, maxParamLength: 2_048, defaultRoute: undefined });
  for (const { method, pattern, handler } of await loadRoutes(root)) {
    router.on(method as "GET", pattern, () => undefined, { handler, pattern });
  }
  /** A parameter is never empty: `/v2/notes/` is not a note. */
  const find = (method: string, path: string) => {
    const match = router.find(method as "GET", path);
    if (!match) return null;
    for (const name in match.params) if (match.params[name] === "") return null;
    return match;
  };
  const stopTelemetry = env.OTEL_EXPORTER_OTLP_ENDPOINT ? await startTelemetry(env.OTEL_EXPORTER_OTLP_ENDPOINT) : null;
  await startKeyChanges();
  await startLive();
  if (env.WORKER === "app") await together([startWorker(), startDispatcher()]);
  const stopKeyUses = startKeyUses((error) => log.warn({ err: error }, "could not write key use"));
  const stopCalls = startCalls((error) => log.warn({ err: error }, "could not write how often clients called"));

  const toPages = async (request: IncomingMessage, response: ServerResponse, exchange: Exchange): Promise<void> => {
    const handler = await pages.handler();
    if (request.socket.destroyed) return;
    if (!handler) return respond(server, request, response, exchange, Promise.resolve(pages.meanwhile(exchange)));
    holdBackFailures(response, exchange);
    watchPage(request, response);
    await handler(request, response);
  };
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = new Incoming(request, response, proxies);
    exchange.path = addressed(exchange.path);
    const send = (promised: Promise<Answer>) => respond(server, request, response, exchange, promised);
    const wrong = wrongRequest(request);
    if (wrong) return void send(refused(exchange, wrong));
    if (request.url === "*") return void send(methodsTold(exchange, METHODS));
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "GET");
    const match = find(method, exchange.path);
    if (match) {
      const { handler } = match.store as { handler: RouteHandler };
      const { "*": rest } = match.params;
      exchange.params = rest === undefined ? match.params : { ...match.params, path: rest };
      return void send(handler.direct(exchange));
    }
    if (!isApi(exchange.path)) {
      const has = methodsOfPage(exchange.path);
      if (request.method === "OPTIONS") return void send(methodsTold(exchange, has));
      if (!has.includes(method)) return void send(refused(exchange, new Fault("method_not_allowed", { allowed: has })));
      const file = method === "GET" ? pages.file(exchange) : undefined;
      if (file) {
        response.writeHead(200, { ...commonHeaders(request), ...file.headers });
        response.end(request.method === "HEAD" ? undefined : file.body);
        return;
      }
      const tooMany = refusedPage(exchange);
      if (tooMany) return void send(refused(exchange, tooMany));
      const common = commonHeaders(request);
      for (const name in common) response.setHeader(name, common[name] as string);
      forward(request, exchange, proxies);
      const shown = asReader(
        (name) => exchange.header(name),
        () => toPages(request, response, exchange),
      );
      shown.catch((error: unknown) => fail(request, response, exchange, error));
      return;
    }
    const allowed = METHODS.filter((other) => find(other, exchange.path));
    if (request.method === "OPTIONS" && allowed.length > 0) return void send(methodsTold(exchange, allowed));
    send(refused(exchange, allowed.length > 0 ? new Fault("method_not_allowed", { allowed }) : new Fault("not_found")));
  };
  const settings = {
    keepAliveTimeout: 65_000,
    requireHostHeader: false, // a missing one is refused by `wrongRequest`, in the common error format
    // Next listens for upgrades and answers those it does not know with silence. To us they are requests like others.
    shouldUpgradeCallback: (request: IncomingMessage) => pages.takesSocket(request),
    ...patience,
  };
  const server = http.createServer(settings, serve);
  server.on("checkExpectation", serve); // HTTP allows us to ignore expectations other than 100-continue
  /** Connections without a request yet (browsers open them in advance): closing the server would wait for them. */
  const unused = new Set<Socket>();
  server.on("connection", (socket) => {
    socket.setMaxListeners(0); // one for each page under way: requests may be sent before the answer to the first
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("request", ({ socket }) => unused.delete(socket));
  server.on("clientError", refuseBytes);

  return {
    server,
    async drain() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const response of streams) response.end();
      endWaits();
      server.closeIdleConnections();
      for (const socket of unused) socket.destroy();
      pages.stop();
      // Running requests may still queue jobs for another process or the next start.
      await together([stopWorker(), closed.then(stopDispatcher)]);
      await stopKeyUses();
      await stopCalls();
      await stopKeyChanges();
      await stopLive();
      await stopTelemetry?.();
      stopStallWatch();
    },
  };
}

/** Why a page is not given: too many were asked for from this address. Null: it is. What pages are made of is not counted. */
function refusedPage({ path, ip }: Exchange): Fault | null {
  if (path.startsWith("/_next/")) return null;
  try {
    countRequest(`page:${ip}`, {});
    return null;
  } catch (error) {
    return asFault(error);
  }
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const refused = (exchange: Exchange, fault: Fault): Promise<Answer> =>
  answered("none", exchange, requestIdOf(exchange), () => Promise.reject(fault));

/** The answer to OPTIONS. */
async function methodsTold(exchange: Exchange, allowed: readonly string[]): Promise<Answer> {
  const allow = [...allowed, "OPTIONS"].join(", ");
  const headers = { "x-request-id": requestIdOf(exchange), Allow: allow, ...preflightHeaders(exchange, allowed) };
  return { status: 204, headers, body: null };
}

/**
 * Pages only take GET and HEAD; next-auth's addresses also take forms, and so do Next's own addresses while developing.
 */
const methodsOfPage = (path: string): readonly string[] =>
  /^\/(api\/auth\/|_next\/|__next)/.test(path) ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"];

/**
 * Writes an answer; a body that was refused unread closes the connection, so that its bytes are not read as a request.
 */
function respond(
  server: Server,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  promised: Promise<Answer>,
): void {
  promised
    .then((answer) => {
      const sent = packed(answer, exchange.header("accept-encoding"));
      return sent instanceof Promise ? sent.then(write) : write(sent);
    })
    .catch((error: unknown) => fail(request, response, exchange, error));

  function write({ status, headers: own, body }: Answer): void {
    if (response.destroyed || request.socket.destroyed) return;
    const headers: Record<string, string> = { ...commonHeaders(request), ...own };
    if (typeof body === "function") {
      stream(request, response, { status, headers }, body);
      return;
    }
    if ((!request.complete && status >= 400) || !server.listening) headers.Connection = "close";
    const length = body === null ? 0 : Buffer.byteLength(body);
    if (status !== 204) headers["Content-Length"] = String(length);
    response.writeHead(status, headers);
    if (body === null || request.method === "HEAD") response.end();
    else if (request.complete || status < 400) response.end(body);
    else refuseUnread(request, response, body);
  }
}

/** How long a client that still sends has to read why it was refused. */
const LINGER_MS = 2_000;

/**
 * Answers a request whose body is not read to its end. Closed at once, the connection would be reset under a client that still
 * sends, and the answer lost: what comes is dropped until the client is done, for a moment at most.
 */
function refuseUnread(request: IncomingMessage, response: ServerResponse, body: string | Buffer): void {
  response.write(body);
  request.resume();
  const close = () => {
    clearTimeout(patience);
    response.end();
  };
  const patience = setTimeout(close, LINGER_MS);
  request.once("close", close);
}

/** Open event streams; a server that stops ends them, and their readers reconnect to the next one. */
const streams = new Set<ServerResponse>();

/** How many event streams are written to. */
export const writtenStreams = (): number => streams.size;

/** A reader who receives nothing is disconnected before its backlog fills the memory. */
const MOST_BACKLOG = 1024 * 1024;
/** A reader who stalls a file download for this long is disconnected too: it holds a database connection. */
const MOST_STALL_MS = 60_000;

function stream(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers }: Pick<Answer, "status" | "headers">,
  begin: Streaming,
): void {
  response.writeHead(status, { ...headers, Connection: "close" });
  if (request.method === "HEAD") return void response.end();
  if (headers["Content-Type"]?.startsWith("text/event-stream")) streams.add(response);
  const write = (chunk: string | Uint8Array) => {
    if (response.writableEnded) return; // the server stops
    if (response.writableLength > MOST_BACKLOG) request.socket.destroy();
    else response.write(chunk);
  };
  const drained = () =>
    new Promise<void>((resolve) => {
      if (!response.writableNeedDrain || response.destroyed) return resolve();
      const stalled = setTimeout(() => request.socket.destroy(), MOST_STALL_MS);
      const go = () => {
        clearTimeout(stalled);
        response.off("drain", go);
        request.socket.off("close", go);
        resolve();
      };
      response.on("drain", go);
      request.socket.on("close", go);
    });
  const stop = begin({ write, drained, end: () => response.end(), fail: () => response.destroy() });
  onceOver(request, response, () => {
    streams.delete(response);
    stop();
  });
}

/** A page is a piece of work too; it is named without its path, which contains ids of workspaces and people. */
function watchPage(request: IncomingMessage, response: ServerResponse): void {
  const piece = { operation: "page" };
  const began = performance.now();
  beginPiece(piece);
  onceOver(request, response, () => endPiece(piece, performance.now() - began));
}

/**
 * Tells Next (pages, next-auth) the request's client address and host; the caller's own headers count only behind
 * trusted proxies. Next-auth builds its links with the forwarded host.
 */
function forward(request: IncomingMessage, exchange: Exchange, proxies: number): void {
  request.headers["x-forwarded-for"] = clientAddress(request, proxies);
  if (proxies === 0) {
    request.headers["x-forwarded-host"] = new URL(originOf(exchange)).host;
    delete request.headers["x-forwarded-proto"];
    delete request.headers["x-forwarded-port"];
  }
  request.url = exchange.query === "" ? exchange.path : `${exchange.path}?${exchange.query}`;
}

function fail(request: IncomingMessage, response: ServerResponse, exchange: Exchange, error: unknown): void {
  const requestId = requestIdOf(exchange);
  const fault = asFault(error);
  log.error({ request_id: requestId, err: error }, "request failed outside an operation");
  if (response.headersSent) return void response.destroy(); // half an answer must not look complete
  const headers = {
    ...commonHeaders(request),
    "Content-Type": "application/json; charset=utf-8",
    "x-request-id": requestId,
  };
  const wait = fault.code === "not_ready" ? { "Retry-After": String(RETRY_AFTER_SECONDS) } : {};
  response.writeHead(fault.status, { ...headers, ...wait });
  response.end(JSON.stringify(errorBody(fault, requestId)));
}
