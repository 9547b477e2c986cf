import type { Answer, Exchange } from "./exchange.ts";
import { handler, type RouteHandler } from "./exchange.ts";
import { requestIdOf } from "./request-id.ts";

/** A handler of a public JSON document that needs no key: health, readiness, the API description. */
export const document = (
  produce: (exchange: Exchange) => Promise<{ status: number; value: unknown; maxAge?: number }>,
): RouteHandler =>
  handler(async (exchange): Promise<Answer> => {
    const { status, value, maxAge = 0 } = await produce(exchange);
    const headers = {
      "x-request-id": requestIdOf(exchange),
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": maxAge > 0 ? `public, max-age=${maxAge}` : "no-store",
    };
    return { status, headers, body: typeof value === "string" ? value : JSON.stringify(value) };
  });
