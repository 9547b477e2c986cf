import { readSession } from "#lib/auth/sessions.ts";
import type { UserOperation, Visitor } from "#lib/domain/implement-user.ts";
import { type Authenticate, answer } from "./answer.ts";
import { handler, type RouteHandler } from "./exchange.ts";
import { originOf } from "./origin.ts";
import { requireSameOrigin } from "./same-origin.ts";

/** The session of a page of ours, if there is one; a program has none and may come from anywhere. */
const byVisitor =
  (isProgram: boolean): Authenticate<Visitor> =>
  async (exchange, requestId, client) => {
    if (!isProgram) requireSameOrigin(exchange);
    const session = isProgram ? null : await readSession(exchange.header);
    const userAgent = exchange.header("user-agent") ?? null;
    return {
      caller: { session, ip: exchange.ip, userAgent, requestId, client, origin: originOf(exchange) },
      rateKey: session ? `session:${session.id}` : `visitor:${exchange.ip}`,
    };
  };

/** The route handler of an operation of users. */
export const userRoute = (operation: UserOperation): RouteHandler =>
  handler((exchange) => answer(operation, exchange, byVisitor(operation.access === "program")));
