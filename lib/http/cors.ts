import { getBoot } from "#lib/settings/boot.ts";
import type { Exchange } from "./exchange.ts";

const EXPOSED =
  "WWW-Authenticate, x-request-id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Idempotency-Replayed, rapport-position";

/**
 * What any page may call: an MCP client in the browser finds out here how to get its tokens. No cookie is read there. An answer with a secret is
 * for the client's own pages (`onlyFor`).
 */
const OPEN = /^\/(\.well-known\/oauth-|oauth\/(token|register|revoke)$)/;

/** Headers for a cross-origin caller whose origin is listed in CORS_ORIGINS; none otherwise. Only for addresses that use no cookie. */
export function corsHeaders(exchange: Exchange): Record<string, string> {
  const origin = exchange.header("origin");
  const { CORS_ORIGINS } = getBoot().env;
  if (OPEN.test(exchange.path)) return { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": EXPOSED };
  if (CORS_ORIGINS.length === 0 || exchange.path.startsWith("/api/app/") || exchange.path.startsWith("/api/account/"))
    return {};
  if (!origin || !CORS_ORIGINS.includes(origin)) return { Vary: "Origin" };
  return { "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": EXPOSED, Vary: "Origin" };
}

/** Lets a page of another site read an answer only when `isOwn` knows its origin, or CORS_ORIGINS lists it. */
export function onlyFor(exchange: Exchange, headers: Record<string, string>, isOwn: (origin: string) => boolean): void {
  const origin = exchange.header("origin");
  headers.Vary = "Origin";
  if (origin !== undefined && (isOwn(origin) || getBoot().env.CORS_ORIGINS.includes(origin)))
    headers["Access-Control-Allow-Origin"] = origin;
  else delete headers["Access-Control-Allow-Origin"];
}

/** The headers of the answer to a preflight, for the methods of an address. */
export function preflightHeaders(exchange: Exchange, methods: readonly string[]): Record<string, string> {
  const headers = corsHeaders(exchange);
  if (!headers["Access-Control-Allow-Origin"]) return headers;
  return {
    ...headers,
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers":
      "authorization, content-type, idempotency-key, rapport-position, x-request-id, x-service-client, mcp-protocol-version, mcp-method, mcp-name",
    "Access-Control-Max-Age": "600",
  };
}
