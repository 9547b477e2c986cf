import { Fault } from "#lib/core/errors.ts";
import { getBoot } from "#lib/settings/boot.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Throws 403 `origin_not_allowed` when a request that changes something was not sent by a page of this site. Browsers
 * send that in Sec-Fetch-Site (on https and localhost) and in Origin; a request with neither is not from a page of
 * ours.
 */
export function requireSameOrigin(exchange: Pick<Exchange, "method" | "header">): void {
  if (exchange.method === "GET" || exchange.method === "HEAD") return;
  const site = exchange.header("sec-fetch-site");
  const origin = exchange.header("origin");
  const sameSite = site === undefined || site === "same-origin";
  const sameOrigin = origin === undefined || isOwn(origin, exchange);
  if ((site ?? origin) === undefined || !sameSite || !sameOrigin) throw new Fault("origin_not_allowed");
}

/** True for APP_URL, and for the host the request was sent to, with any scheme: only the proxy in front knows which. */
export function isOwn(origin: string, exchange: Pick<Exchange, "header">): boolean {
  const { APP_URL, TRUST_PROXY } = getBoot().env;
  if (origin === APP_URL) return true;
  const host = URL.parse(origin)?.host;
  const forwarded = TRUST_PROXY > 0 ? exchange.header("x-forwarded-host") : undefined;
  return host !== undefined && (host === exchange.header("host") || host === forwarded);
}
