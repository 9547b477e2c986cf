import type { IncomingMessage, ServerResponse } from "node:http";
import { CallerGone, type Exchange, tooLarge } from "./exchange.ts";

/** The caller's address: the socket's, or what the outermost of `proxies` trusted proxies put in X-Forwarded-For. */
export function clientAddress(request: IncomingMessage, proxies: number): string {
  const peer = request.socket.remoteAddress ?? "0.0.0.0";
  if (proxies === 0) return peer;
  const forwarded = request.headers["x-forwarded-for"];
  const chain = (Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? ""))
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  return chain.at(-proxies) ?? peer;
}

/** A proxy may name the whole URL in the request line. */
const ABSOLUTE = /^https?:\/\/[^/?#]*\/?/i;

const NONE: Exchange["params"] = {};

/** The request as operations see it, read straight from the socket. */
export class Incoming implements Exchange {
  readonly method: string;
  path: string;
  readonly query: string;
  readonly ip: string;
  params = NONE;
  /** Its own, because callers take it off the request. */
  readonly header = (name: string): string | undefined => {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
  private readonly request: IncomingMessage;
  private readonly response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse, proxies: number) {
    const target = (request.url ?? "/").replace(ABSOLUTE, "/");
    const mark = target.indexOf("?");
    this.request = request;
    this.response = response;
    this.method = request.method ?? "GET";
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? "" : target.slice(mark + 1);
    this.ip = clientAddress(request, proxies);
  }

  body(limit: number): Promise<Buffer> {
    return readBody(this.request, limit);
  }

  stream(): AsyncGenerator<Buffer> {
    return piecesOf(this.request);
  }

  over(): AbortSignal {
    const leave = new AbortController();
    onceOver(this.request, this.response, () => leave.abort());
    return leave.signal;
  }
}

/**
 * Calls `done` when an answer is complete or its connection has ended. An answer that waits for the one before it on a
 * connection is never told that the connection has ended.
 */
export function onceOver({ socket }: IncomingMessage, response: ServerResponse, done: () => void): void {
  if (socket.destroyed) return void done();
  const over = () => {
    socket.off("close", over);
    response.off("close", over);
    done();
  };
  socket.on("close", over);
  response.on("close", over);
}

/**
 * Most clients send their whole body before they read. So a body over the limit is read and dropped, up to this many times
 * the limit, before it is refused: answered earlier, the client would see a broken pipe instead of the answer.
 */
const READ_AND_DROPPED = 2;

function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = Number(request.headers["content-length"] ?? 0);
  const most = limit * READ_AND_DROPPED;
  if (announced > most) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const gone = () => reject(new CallerGone());
    if (request.destroyed) return gone(); // while its credentials were checked: no event comes after that
    let chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) {
        request.removeAllListeners("data");
        request.pause();
        reject(tooLarge(limit));
      } else if (announced > limit || size > limit) chunks = [];
      else chunks.push(chunk);
    });
    request.on("end", () => {
      if (size > limit) reject(tooLarge(limit));
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    request.on("error", gone);
    request.on("close", () => {
      if (!request.readableEnded) gone(); // also when all of it has come and was not read yet
    });
  });
}

/** A reader that stops early leaves the connection open, so that it can be answered. */
async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch {
    throw new CallerGone();
  }
}
