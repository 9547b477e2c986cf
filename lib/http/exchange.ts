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
};

export type Answer = { status: number; headers: Record<string, string>; body: string | Buffer | null };

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
    const answer = await direct(fromRequest(request, Object.fromEntries(params)));
    const body =
      request.method === "HEAD" || answer.body === null ? null : new Uint8Array(Buffer.from(answer.body as string));
    return new Response(body, { status: answer.status, headers: answer.headers });
  };
  return Object.assign(viaRequest, { direct });
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
  };
}

export const tooLarge = (limit: number): Fault => new Fault("payload_too_large", { limit_bytes: limit });

/** The caller closed the connection before its request was whole: nobody is left to answer. */
export class CallerGone extends Error {
  constructor() {
    super("the caller went away");
    this.name = "CallerGone";
  }
}
