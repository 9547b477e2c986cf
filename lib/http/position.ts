import { cookieName, isSecure } from "#lib/auth/cookies.ts";
import { atPosition, formatPosition, parsePosition } from "#lib/core/position.ts";
import { getBoot } from "#lib/settings/boot.ts";
import type { Exchange } from "./exchange.ts";

/** The log position that a caller has seen is sent in this header; browsers use this cookie. */
const HEADER = "rapport-position";
const COOKIE_NAME = "rapport_position";
const COOKIE = /(?:^|;\s*)(?:__Host-)?rapport_position=([0-9A-Fa-f/]+)/;

/** How long a browser keeps it: a replica that is further behind cannot be used. */
const KEPT_SECONDS = 300;

/**
 * Runs the work of a request so that a replica's answer is not older than what the caller has seen, and returns the new
 * position to the caller. Without a replica it only runs the work.
 */
export const seeing = <T>(exchange: Exchange, headers: Record<string, string>, work: () => Promise<T>): Promise<T> =>
  getBoot().env.DATABASE_REPLICA_URL === undefined ? work() : seeingOf(exchange, headers, work);

async function seeingOf<T>(exchange: Exchange, headers: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const position = exchange.header(HEADER) ?? COOKIE.exec(exchange.header("cookie") ?? "")?.[1];
  const { result, seen } = await atPosition(parsePosition(position), work);
  if (seen === null) return result;
  headers[HEADER] = formatPosition(seen);
  if (exchange.path.startsWith("/api/app/")) {
    const secure = isSecure(exchange.header("x-forwarded-proto"));
    const attributes = `Path=/; Max-Age=${KEPT_SECONDS}; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`;
    headers["Set-Cookie"] ??= `${cookieName(COOKIE_NAME, secure)}=${headers[HEADER]}; ${attributes}`;
  }
  return result;
}
