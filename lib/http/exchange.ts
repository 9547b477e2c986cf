import { Fault } from "#lib/core/errors.ts";

/** One request, whichever server received it. Header names are lower case. */
export type Exchange = {
  method: string;
  path: string;
  /** without the question mark */
  query: string;
  params: Readonly<Record<string, string | undefined>>;
  header(name: string): string | undefined;
  /** The caller's address, proxies already taken into account. */
  ip: string;
  /** Reads the body once. Throws 413 as soon as more than `limit` bytes are announced or received. */
  body(limit: number): Promise<Buffer>;
  /** Reads the body once, in pieces as they arrive, for a reader that bounds it. Throws when the caller goes away. */
  stream(): AsyncIterable<Buffer>;
  /** Aborts when the answer is complete or its connection has ended: no one waits for it any more. */
  over(): AbortSignal;
};

type Out = {
  write(chunk: string | Uint8Array): void;
  /** Waits until the caller has received what was written, or is gone. */
  drained(): Promise<void>;
  end(): void;
  /** Ends the answer in a way that shows the caller that something is missing. */
  fail(): void;
};

/**
 * An answer that is written while the connection is open: begins, and returns a function to call when the connection
 * ends.
 */
export type Streaming = (out: Out) => () => void;

export type Answer = { status: number; headers: Record<string, string>; body: string | Buffer | Streaming | null };

/** A route handler: callable by Next with a `Request`, and by the front directly without one. */
export type RouteHandler = ((
  request: Request,
  context?: { params: Promise<Record<string, string | string[] | undefined>> },
) => Promise<Response>) & {
  direct(exchange: Exchange): Promise<Answer>;
};

/** Makes a handler for both servers from the one function that answers. */
export function handler(direct: (exchange: Exchange) => Promise<Answer>): RouteHandler {
  const viaRequest = async (
    request: Request,
    context?: { params: Promise<Record<string, string | string[] | undefined>> },
  ) => {
    const params = Object.entries((await context?.params) ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join("/") : value,
    ]);
    const { status, headers, body } = await direct(fromRequest(request, Object.fromEntries(params)));
    const none = request.method === "HEAD" || body === null;
    if (none || typeof body !== "function")
      return new Response(none ? null : new Uint8Array(Buffer.from(body as string)), { status, headers });
    return new Response(streamed(body), { status, headers });
  };
  return Object.assign(viaRequest, { direct });
}

function streamed(begin: Streaming): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop: () => void;
  let taken = () => {};
  return new ReadableStream({
    start(controller) {
      stop = begin({
        write: (chunk) => controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk),
        drained: () =>
          (controller.desiredSize ?? 1) > 0 ? Promise.resolve() : new Promise((resolve) => (taken = resolve)),
        end: () => controller.close(),
        fail: () => controller.error(new Error("the answer broke off")),
      });
    },
    pull: () => taken(),
    cancel() {
      stop();
      taken();
    },
  });
}

function fromRequest(request: Request, params: Record<string, string | undefined>): Exchange {
  const url = new URL(request.url);
  return {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    params,
    header: (name) => request.headers.get(name) ?? undefined,
    ip: request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "127.0.0.1",
    async body(limit) {
      if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
      const bytes = Buffer.from(await request.arrayBuffer());
      if (bytes.length > limit) throw tooLarge(limit);
      return bytes;
    },
    async *stream() {
      for await (const piece of request.body ?? []) yield Buffer.from(piece);
    },
    over: () => request.signal,
  };
}

export const tooLarge = (limit: number): Fault => new Fault("payload_too_large", { limit_bytes: limit });

/** The caller closed the connection before its request was complete: there is no one to answer. */
export class CallerGone extends Error {
  constructor() {
    super("the caller went away");
    this.name = "CallerGone";
  }
}
