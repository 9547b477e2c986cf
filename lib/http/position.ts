import { getBoot } from "#lib/core/boot.ts";
import { atPosition, formatPosition, parsePosition } from "#lib/core/position.ts";
import type { Exchange } from "./exchange.ts";

/** What a caller has seen of the database travels in this header, a browser's in this cookie. */
const HEADER = "rapport-position";
const COOKIE = /(?:^|;\s*)rapport_position=([0-9A-Fa-f/]+)/;

/** How long a browser keeps it: a replica that is further behind is of no use. */
const KEPT_SECONDS = 300;

/**
 * Runs the work of a request so that a replica answers it with nothing older than its caller has seen, and tells the caller
 * what it has seen now. Where there is no replica it only runs it.
 */
export const seeing = <T>(exchange: Exchange, headers: Record<string, string>, work: () => Promise<T>): Promise<T> =>
  getBoot().env.DATABASE_REPLICA_URL === undefined ? work() : seeingOf(exchange, headers, work);

async function seeingOf<T>(exchange: Exchange, headers: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const given = exchange.header(HEADER) ?? COOKIE.exec(exchange.header("cookie") ?? "")?.[1];
  const { result, seen } = await atPosition(parsePosition(given), work);
  if (seen === null) return result;
  headers[HEADER] = formatPosition(seen);
  if (exchange.path.startsWith("/api/app/"))
    headers["Set-Cookie"] ??=
      `rapport_position=${headers[HEADER]}; Path=/api/app; Max-Age=${KEPT_SECONDS}; HttpOnly; SameSite=Strict`;
  return result;
}
