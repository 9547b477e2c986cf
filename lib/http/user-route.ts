import { readSession } from "#lib/auth/sessions.ts";
import { givenLabel } from "#lib/core/client-label.ts";
import { DEFAULT_BODY_LIMIT } from "#lib/core/operation.ts";
import { requireAccess, type UserOperation } from "#lib/domain/implement-user.ts";
import { answered } from "./answer.ts";
import { handler, type RouteHandler } from "./exchange.ts";
import { originOf } from "./origin.ts";
import { rawInput } from "./parse.ts";
import { countRequest } from "./rate-limit.ts";
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
      const session = isProgram ? null : await readSession(exchange.header("cookie"));
      const client = givenLabel(exchange.header("x-service-client"));
      const userAgent = exchange.header("user-agent") ?? null;
      const visitor = { session, ip: exchange.ip, userAgent, requestId, client, origin: originOf(exchange) };
      countRequest(session ? `session:${session.id}` : `visitor:${exchange.ip}`, headers);
      requireAccess(access, visitor);
      const { http } = contract;
      const hasBody = http.method === "POST" || http.method === "PATCH";
      const body = hasBody ? await exchange.body(http.bodyLimit ?? DEFAULT_BODY_LIMIT) : null;
      const output = await execute(visitor, rawInput(contract, exchange, body));
      return { status: http.status ?? 200, body: JSON.stringify(output) };
    });
  });
