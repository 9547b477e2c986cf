import type { Operation } from "#lib/domain/implement.ts";
import { answer, byApiKey } from "./answer.ts";
import { handler, type RouteHandler } from "./exchange.ts";

/** The route handler of an operation of the public API. */
export const route = (operation: Operation): RouteHandler =>
  handler((exchange) => answer(operation, exchange, byApiKey));
