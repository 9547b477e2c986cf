import { Fault } from "#lib/core/errors.ts";
import type { Exchange } from "#lib/http/exchange.ts";
import { isLoopback, ownHost } from "#lib/http/own-hosts.ts";
import { isOwn } from "#lib/http/same-origin.ts";
import { getBoot } from "#lib/settings/boot.ts";

/**
 * Throws 403 for a request whose Host is not this server's, or whose Origin is no page of ours, none of CORS_ORIGINS, and no
 * page on the same machine. A page elsewhere could otherwise reach a server in a private network under a name of its own
 * (DNS rebinding; the MCP specification asks for this check).
 */
export function requireOwnAddress(exchange: Pick<Exchange, "header">): void {
  const host = exchange.header("host");
  const { APP_URL, TRUST_PROXY, CORS_ORIGINS } = getBoot().env;
  const proxied = TRUST_PROXY > 0 && exchange.header("x-forwarded-host") !== undefined;
  const ours = ownHost(host);
  if (ours === null && !proxied && URL.parse(APP_URL ?? "")?.host !== host) throw new Fault("host_not_allowed");
  const origin = exchange.header("origin");
  if (origin === undefined || isOwn(origin, exchange) || CORS_ORIGINS.includes(origin)) return;
  const page = URL.parse(origin);
  if (
    ours !== null &&
    page !== null &&
    isLoopback(page.hostname) &&
    isLoopback(URL.parse(`http://${ours}`)?.hostname ?? "")
  )
    return;
  throw new Fault("origin_not_allowed");
}
