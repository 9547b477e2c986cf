import { log } from "#lib/core/log.ts";
import { singleton } from "#lib/core/singleton.ts";
import { getBoot } from "#lib/settings/boot.ts";
import type { Exchange } from "./exchange.ts";
import { isHost, ownHost } from "./own-hosts.ts";

/**
 * This server's own origin, for links: APP_URL, else the host from a trusted proxy, else the Host header if it names
 * this machine, else localhost. The sender of a request chooses its Host, and must not choose where links lead.
 */
export function originOf(exchange: Pick<Exchange, "header">): string {
  const { APP_URL, TRUST_PROXY, PORT } = getBoot().env;
  if (APP_URL) return APP_URL;
  const proxied = TRUST_PROXY > 0;
  const scheme = proxied && exchange.header("x-forwarded-proto")?.split(",")[0]?.trim() === "https" ? "https" : "http";
  const forwarded = proxied ? exchange.header("x-forwarded-host")?.split(",")[0]?.trim() : undefined;
  if (forwarded && isHost(forwarded)) return `${scheme}://${forwarded}`;
  const host = exchange.header("host");
  const own = ownHost(host);
  if (own === null && host) warnOnce(host);
  return `${scheme}://${own ?? `localhost:${PORT}`}`;
}

const warned = singleton("foreign-host", () => ({ yet: false }));

function warnOnce(host: string): void {
  if (warned.yet) return;
  warned.yet = true;
  const problem = "APP_URL is not set, and this host is no address of this machine: links lead to localhost";
  log.warn({ host: host.slice(0, 255) }, `${problem}. Set APP_URL to the address people use`);
}
