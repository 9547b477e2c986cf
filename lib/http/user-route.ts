import { isSecure, sessionCookie } from "#lib/auth/cookies.ts";
import { readSession } from "#lib/auth/sessions.ts";
import type { UserOperation, Visitor } from "#lib/domain/implement-user.ts";
import { type Authenticate, answer } from "./answer.ts";
import { handler, type RouteHandler } from "./exchange.ts";
import { originOf } from "./origin.ts";
import { requireSameOrigin } from "./same-origin.ts";

/** The session of a page of ours, if there is one; a program has none and may come from anywhere. */
const byVisitor =
  (isProgram: boolean, keepToken: (token: string) => void): Authenticate<Visitor> =>
  async (exchange, requestId, client, age) => {
    if (!isProgram) requireSameOrigin(exchange);
    const session = isProgram ? null : await readSession(exchange.header, age);
    const userAgent = exchange.header("user-agent") ?? null;
    return {
      caller: { session, ip: exchange.ip, userAgent, requestId, client, origin: originOf(exchange), keepToken },
      rateKey: session ? `session:${session.id}` : `visitor:${exchange.ip}`,
    };
  };

/** The route handler of an operation of users. */
export const userRoute = (operation: UserOperation): RouteHandler =>
  handler(async (exchange) => {
    let kept: string | undefined;
    const keepToken = (token: string) => {
      kept = token;
    };
    const answered = await answer(operation, exchange, byVisitor(operation.access === "program", keepToken));
    if (kept !== undefined)
      answered.headers["Set-Cookie"] = sessionCookie(kept, isSecure(exchange.header("x-forwarded-proto")));
    return answered;
  });
