import createRouter from "find-my-way";
import { Fault } from "#lib/core/errors.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { operations } from "#lib/registry.ts";
import { answer, answered } from "./answer.ts";
import { type Exchange, handler, type RouteHandler } from "./exchange.ts";
import { requestIdOf } from "./request-id.ts";
import { bySession } from "./session.ts";

const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;
const PREFIX = "/api/app/";

const router = createRouter({ maxParamLength: 2_048 });
for (const operation of operations) {
  const { method, path } = operation.contract.http;
  router.on(method, path, () => undefined, operation);
}

/** Answers `/api/app/<workspace id>/…`: any operation, found by its method and path, for the signed-in member. */
export const appRoute = (): RouteHandler =>
  handler((exchange) => {
    // The path as sent: the outer router has decoded its parameters, which must not be decoded twice.
    const address = addressWithin(exchange);
    const method = exchange.method === "HEAD" ? "GET" : exchange.method;
    const match = router.find(method as "GET", address);
    if (match) {
      exchange.params = { ...match.params, workspace: exchange.params.workspace };
      return answer(match.store as Operation, exchange, bySession);
    }
    const allowed = METHODS.filter((other) => router.find(other, address));
    const fault = allowed.length > 0 ? new Fault("method_not_allowed", { allowed }) : new Fault("not_found");
    return answered("none", exchange, requestIdOf(exchange), () => Promise.reject(fault));
  });

function addressWithin({ path }: Exchange): string {
  const slash = path.indexOf("/", PREFIX.length);
  return slash < 0 ? "/" : path.slice(slash);
}
