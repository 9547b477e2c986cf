/**
 * Each check comes before the next: a request that fails several gets the error of the first. Proven with one operation of
 * each kind.
 */
import { afterEach, describe, expect, test } from "vitest";
import { bodyLimit } from "#lib/core/operation.ts";
import { bootWith } from "../database.ts";
import { useServer } from "../server.fixture.ts";
import { oneOfEachKind, publicOperations } from "./cast.ts";
import { inputOf } from "./scenarios.ts";
import { createStage } from "./stage.ts";
import { type SurfaceRequest, sender } from "./surface.ts";

const server = useServer();
const { send } = sender(server.url);
afterEach(() => bootWith());

const withHeader =
  (name: string, value: string) =>
  ({ init }: SurfaceRequest): void => {
    init.headers[name] = value;
  };
const withBody =
  (body: (limit: number) => string) =>
  ({ init }: SurfaceRequest, limit: number): void => {
    init.body ??= body(limit);
  };

/** The flaws of one request in the order of the checks; each test fixes those before its own. */
const flaws: [check: string, flaw: (sent: SurfaceRequest, limit: number, right: string) => void][] = [
  ["authentication", withHeader("authorization", "Bearer nobody")],
  ["body size", withBody((limit) => `${" ".repeat(limit)}{`)],
  ["idempotency key", withHeader("idempotency-key", "two words")],
  ["content type", withHeader("content-type", "text/plain")],
  ["parse", withBody(() => "{")],
  [
    "values",
    (sent, _limit, right) => {
      if (hasBody(sent.init.method)) sent.init.body ??= `{"No-Such-Field":1,${right.slice(1)}`.replace(",}", "}");
      else sent.path += `${sent.path.includes("?") ? "&" : "?"}No-Such-Field=1`;
    },
  ],
];

const hasBody = (method: string): boolean => method === "POST" || method === "PATCH";

/** The checks that there are of requests of this method. */
const checksOf = (method: string): string[] => {
  const [first = "", ...others] = flaws.map(([check]) => check);
  const own = others.filter((check) => check === "values" || hasBody(method));
  return [first, ...own.filter((check) => check !== "idempotency key" || method === "POST")];
};

const expected: Readonly<Record<string, string>> = {
  authentication: "unauthorized",
  "rate limit": "rate_limited",
  scope: "insufficient_scope",
  "body size": "payload_too_large",
  "idempotency key": "invalid_idempotency_key",
  "content type": "unsupported_media_type",
  parse: "invalid_json",
  values: "unknown_parameter",
};

describe.each(oneOfEachKind(publicOperations))("%s", (name, operation) => {
  const { scope, http } = operation.contract;
  const limit = bodyLimit(operation.contract);

  test("looks at authentication, rate, scope, size, type, JSON and values in this order", async () => {
    const stage = await createStage();
    const weak = scope === "read" ? null : await stage.key([scope === "admin" ? "write" : "read"]);
    const input = await inputOf(name, stage);
    const told = async (from: string, key: string): Promise<unknown> => {
      const answered = await send(operation, input, { key }, (sent) => {
        const right = String(sent.init.body);
        delete sent.init.body;
        const checks = checksOf(http.method);
        const left = checks.slice(from === "scope" ? 1 : checks.indexOf(from));
        for (const [check, flaw] of flaws) if (left.includes(check)) flaw(sent, limit, right);
      });
      return answered.body.error;
    };
    const strong = await stage.key();
    expect(await told("authentication", strong)).toBe(expected.authentication);
    if (weak) expect(await told("scope", weak)).toBe(expected.scope);
    for (const check of checksOf(http.method).slice(1)) expect(await told(check, strong), check).toBe(expected[check]);
    bootWith({ RATE_LIMIT_PER_MINUTE: "1" });
    const limited = weak ?? strong;
    await told("scope", limited);
    expect(await told("scope", limited)).toBe(expected["rate limit"]);
    expect(await told("authentication", limited)).toBe(expected.authentication);
  });
});
