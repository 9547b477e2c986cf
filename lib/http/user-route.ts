import { readSession } from "#lib/auth/sessions.ts";
import { DEFAULT_BODY_LIMIT } from "#lib/core/operation.ts";
import { requireAccess, type UserOperation } from "#lib/domain/implement-user.ts";
import { givenLabel } from "#lib/text/client-label.ts";
import { answered } from "./answer.ts";
import { handler, type RouteHandler } from "./exchange.ts";
import { originOf } from "./origin.ts";
import { rawInput } from "./parse.ts";
import { countRequest } from "./rate-limit.ts";
import { received } from "./received.ts";
import { requestIdOf } from "./request-id.ts";
import { requireSameOrigin } from "./same-origin.ts";

/**
 * The route handler of an operation of users. Order of checks: request id, origin, session, rate limit, access, body size,
 * parse, validate, service.
 */
export const userRoute = (operation: UserOperation): RouteHandler =>
  handler((exchange) => {
    const { contract, access, execute } = operation;
    const requestId = requestIdOf(exchange);
    return answered(contract.name, exchange, requestId, async (headers) => {
      const isProgram = access === "program";
      if (!isProgram) requireSameOrigin(exchange);
      const sessionNow = async () => (isProgram ? null : readSession(exchange.header("cookie")));
      const session = await sessionNow();
      const client = givenLabel(exchange.header("x-service-client"));
      const userAgent = exchange.header("user-agent") ?? null;
      let visitor = { session, ip: exchange.ip, userAgent, requestId, client, origin: originOf(exchange) };
      countRequest(session ? `session:${session.id}` : `visitor:${exchange.ip}`, headers);
      requireAccess(access, visitor);
      const { http } = contract;
      const hasBody = http.method === "POST" || http.method === "PATCH";
      let body: Buffer | null = null;
      if (hasBody) {
        const limit = http.bodyLimit ?? DEFAULT_BODY_LIMIT;
        const lookUp = async () => ({ ...visitor, session: await sessionNow() });
        ({ body, sender: visitor } = await received(exchange, limit, visitor, lookUp));
        requireAccess(access, visitor);
      }
      const output = await execute(visitor, rawInput(contract, exchange, body));
      return { status: http.status ?? 200, body: JSON.stringify(output) };
    });
  });
