import { randomBytes } from "node:crypto";
import { errorBody, Fault } from "#lib/core/errors.ts";
import { type Preparation, preparingPage, preparingPolicy } from "#lib/html/preparing-page.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { pageHeaders } from "./page-headers.ts";
import { requestIdOf } from "./request-id.ts";

/** The answer to a request for a page that is not there yet: a page that tries again by itself, or JSON. */
export function preparingAnswer(exchange: Exchange, state: Preparation): Answer {
  const requestId = requestIdOf(exchange);
  const headers = {
    ...pageHeaders,
    "x-request-id": requestId,
    "Cache-Control": "no-store",
    "Retry-After": "2",
    Vary: "Accept",
  };
  if (!(exchange.header("accept") ?? "").includes("text/html")) {
    const message = "The pages are not ready; the API answers.";
    const body = errorBody(new Fault("not_ready", { pages: state }, message), requestId);
    return {
      status: 503,
      headers: { ...headers, "Content-Type": "application/json; charset=utf-8" },
      body: JSON.stringify(body),
    };
  }
  const nonce = randomBytes(16).toString("base64");
  return {
    status: 503,
    headers: {
      ...headers,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": preparingPolicy(nonce),
    },
    body: preparingPage(state, nonce),
  };
}
