import { callerFor, readSession } from "#lib/auth/sessions.ts";
import { Fault } from "#lib/core/errors.ts";
import type { Authenticate } from "./answer.ts";
import { requireSameOrigin } from "./same-origin.ts";

/** Authentication of the browser in a workspace: the session cookie, sent by a page of this site. */
export const bySession: Authenticate = async (exchange, requestId, client) => {
  requireSameOrigin(exchange);
  const session = await readSession(exchange.header("cookie"));
  if (!session) throw new Fault("session_required");
  const caller = callerFor(session, exchange.params.workspace ?? "", requestId, client);
  if (!caller) throw new Fault("not_found");
  return { caller, rateKey: `session:${session.id}`, gone: "not_found" };
};
