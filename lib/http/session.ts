import { callerFor, readSession } from "#lib/auth/sessions.ts";
import { Fault } from "#lib/core/errors.ts";
import type { Authenticate } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import { requireSameOrigin } from "./same-origin.ts";

/** Authentication of the browser in a workspace: the session cookie, sent by a page of this site. */
export const bySession: Authenticate = async (exchange, requestId, client, age) => {
  requireSameOrigin(exchange);
  const session = await readSession(exchange.header, age);
  if (!session) throw new Fault("session_required");
  const caller = callerFor(session, exchange.params.workspace ?? "", requestId, { client, ip: exchange.ip });
  if (!caller) throw new Fault("not_found");
  return { caller, rateKey: `session:${session.id}`, gone: "not_found" };
};

/** As `bySession`, for a file that the browser downloads by a link of this site. */
export const byDownload: Authenticate = (exchange, requestId, client, age) => {
  requireOwnPage(exchange);
  return bySession(exchange, requestId, client, age);
};

/** A link on another site must not fill the reader's downloads with personal data. */
function requireOwnPage(exchange: Exchange): void {
  const site = exchange.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") throw new Fault("origin_not_allowed");
}
