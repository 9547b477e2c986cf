import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type ErrorCode, errorBody, Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { isHost } from "./own-hosts.ts";
import { logRequest } from "./request-log.ts";
import { plainHeaders, transportHeaders } from "./transport-headers.ts";

/** The error codes for a connection whose bytes are not a readable request. */
const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "payload_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

/** Node's property for the answer in progress on a connection. */
type Serving = Duplex & { _httpMessage?: (ServerResponse & { req?: IncomingMessage }) | null };

/**
 * Answers bytes that are not a request, or come too slowly, in the common error format, and closes the connection. An
 * earlier request that is not answered yet is dropped; an answer that has begun is cut off.
 */
export function refuseBytes(error: NodeJS.ErrnoException, socket: Duplex): void {
  const answering = (socket as Serving)._httpMessage;
  const left = error.code === "HPE_INVALID_EOF_STATE" || error.code === "ECONNRESET"; // the caller is gone
  if (left || !socket.writable || answering?.headersSent) return void socket.destroy();
  if (answering?.req?.complete) return void answering.once("finish", () => refuseBytes(error, socket));
  const fault = new Fault(codes[error.code ?? ""] ?? "invalid_request");
  const requestId = newId();
  const body = JSON.stringify(errorBody(fault, requestId));
  const headers = {
    "x-request-id": requestId,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    ...plainHeaders,
    ...transportHeaders(undefined),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  logRequest({ request_id: requestId, operation: "none", status: fault.status, error: fault.code });
  socket.end(`HTTP/1.1 ${fault.status} ${phrases[fault.status]}\r\n${lines.join("")}\r\n${body}`);
}

const phrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  413: "Payload Too Large",
  431: "Request Header Fields Too Large",
};

/**
 * Why a request is invalid: it does not have exactly one Host header with a valid host (RFC 9112, 3.2), or its target
 * is not a path. Null when it is valid. Given two hosts, a proxy and we might use different ones.
 */
export function wrongRequest({ rawHeaders, httpVersion, url = "", method }: IncomingMessage): Fault | null {
  let hosts = 0;
  let host = "";
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length !== 4 || name.toLowerCase() !== "host") continue;
    hosts++;
    host = rawHeaders[at + 1] as string;
  }
  if (hosts > 1) return invalid("The request has more than one Host header.");
  if (hosts === 0 && httpVersion === "1.1") return invalid("The request has no Host header.");
  if (!isHost(host)) return invalid("The Host header is not a host and port.");
  if (!url.startsWith("/") && !ABSOLUTE.test(url) && !(url === "*" && method === "OPTIONS"))
    return invalid("The request's target is not a path.");
  return null;
}

const ABSOLUTE = /^https?:\/\//i;

const invalid = (message: string) => new Fault("invalid_request", {}, message);
