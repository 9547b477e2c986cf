import { getBoot } from "#lib/core/boot.ts";
import type { Exchange } from "./exchange.ts";

/** This server's own origin as the caller sees it: APP_URL, else the Host header (a trusted proxy's scheme included). */
export function originOf(exchange: Pick<Exchange, "header">): string {
  const { APP_URL, TRUST_PROXY } = getBoot().env;
  if (APP_URL) return APP_URL;
  const forwarded = TRUST_PROXY > 0;
  const host = (forwarded && exchange.header("x-forwarded-host")) || exchange.header("host") || "localhost";
  const scheme = (forwarded && exchange.header("x-forwarded-proto")?.split(",")[0]) || "http";
  return `${scheme}://${host}`;
}
