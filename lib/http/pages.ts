import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { errorBody } from "#lib/core/errors.ts";
import { wasLostSince } from "#lib/core/outage.ts";
import { notReady, RETRY_AFTER_SECONDS } from "#lib/core/unavailable.ts";
import { awayPage, awayPolicy } from "#lib/html/away-page.ts";
import type { Exchange } from "./exchange.ts";
import { pageHeaders } from "./page-headers.ts";
import { requestIdOf } from "./request-id.ts";
import { transportHeaders } from "./transport-headers.ts";

/**
 * Makes a failure of a page 503 instead of 500 when the database was lost while the page was made: as a page for a
 * reader who opens an address, else as JSON. Next itself answers when a page throws and gives no reason, so its answer
 * is held back before its head is sent.
 */
export function holdBackFailures(response: ServerResponse, exchange: Exchange): void {
  const began = performance.now();
  const writeHead = response.writeHead.bind(response) as (status: number, headers: OutgoingHttpHeaders) => void;
  const write = response.write.bind(response) as (...given: unknown[]) => boolean;
  const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
  let replaced = false;
  const isReplaced = (status: number): boolean => {
    if (replaced) return true;
    if (status < 500 || response.headersSent || !wasLostSince(began)) return false;
    replaced = true;
    const { headers, body } = awayAnswer({
      method: exchange.method,
      accept: exchange.header("accept") ?? "",
      forwardedProto: exchange.header("x-forwarded-proto"),
      requestId: requestIdOf(exchange),
    });
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    writeHead(503, headers);
    end(exchange.method === "HEAD" ? undefined : body);
    return true;
  };
  const done = (callArguments: readonly unknown[]) => {
    const callback = callArguments.at(-1);
    if (typeof callback === "function") process.nextTick(callback);
  };
  Object.assign(response, {
    writeHead(status: number, ...given: unknown[]) {
      if (!isReplaced(status)) (writeHead as (...all: unknown[]) => void)(status, ...given);
      return response;
    },
    write(...given: unknown[]) {
      if (!isReplaced(response.statusCode)) return write(...given);
      done(given);
      return true;
    },
    end(...given: unknown[]) {
      if (!isReplaced(response.statusCode)) return end(...given);
      done(given);
      return response;
    },
  });
}

type PageRequest = { method: string; accept: string; forwardedProto: string | undefined; requestId: string };

/** The answer when Next could not serve a request because the database is away. */
export function awayAnswer({ method, accept, forwardedProto, requestId }: PageRequest) {
  const reads = (method === "GET" || method === "HEAD") && accept.includes("text/html");
  const body = reads ? awayPage : JSON.stringify(errorBody(notReady(), requestId));
  const headers: Record<string, string> = {
    "Content-Type": reads ? "text/html; charset=utf-8" : "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    "Retry-After": String(RETRY_AFTER_SECONDS),
    "x-request-id": requestId,
    "Content-Security-Policy": awayPolicy,
    ...pageHeaders,
    ...transportHeaders(forwardedProto),
  };
  return { headers, body };
}
