import { newId } from "#lib/core/ids.ts";
import type { Exchange } from "./exchange.ts";

const ACCEPTED = /^[A-Za-z0-9_-]{1,128}$/;

/** The caller's `x-request-id` where it is one we accept, else a new id. */
export function requestIdOf(exchange: Pick<Exchange, "header">): string {
  const header = exchange.header("x-request-id");
  return header && ACCEPTED.test(header) ? header : newId();
}
