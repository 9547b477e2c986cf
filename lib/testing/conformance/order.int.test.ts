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
import { type Sent, sender } from "./surface.ts";

const server = useServer();
const { send } = sender(server.url);
afterEach(() => bootWith());

const withHeader =
  (name: string, value: string) =>
  ({ init }: Sent): void => {
    init.headers[name] = value;
  };
const withBody =
  (body: (limit: number) => string) =>
  ({ init }: Sent, limit: number): void => {
    init.body ??= body(limit);
  };

/** The flaws of one request in the order of the checks; each test fixes those before its own. */
const flaws: [check: string, flaw: (sent: Sent, limit: number) => void][] = [
  ["authentication", withHeader("authorization", "Bearer nobody")],
  ["body size", withBody((limit) => `${" ".repeat(limit)}{`)],
  ["idempotency key", withHeader("idempotency-key", "two words")],
  ["content type", withHeader("content-type", "text/plain")],
  ["parse", withBody(() => "{")],
];

const expected: Readonly<Record<string, string>> = {
  authentication: "unauthorized",
  "rate limit": "rate_limited",
  scope: "insufficient_scope",
  "body size": "payload_too_large",
  "idempotency key": "invalid_idempotency_key",
  "content type": "unsupported_media_type",
  parse: "invalid_json",
};

const posts = publicOperations.filter(([, { contract }]) => contract.http.method === "POST");

describe.each(oneOfEachKind(posts))("%s", (name, operation) => {
  const { scope } = operation.contract;
  const limit = bodyLimit(operation.contract);

  test("looks at authentication, rate, scope, size, type, JSON and values in this order", async () => {
    const stage = await createStage();
    const weak = scope === "read" ? null : await stage.key([scope === "admin" ? "write" : "read"]);
    const input = await inputOf(name, stage);
    const told = async (from: string, key: string): Promise<unknown> => {
      const answered = await send(operation, input, { key }, (sent) => {
        delete sent.init.body;
        const start = flaws.findIndex(([check]) => check === from);
        for (const [, flaw] of flaws.slice(start < 0 ? 1 : start)) flaw(sent, limit);
      });
      return answered.body.error;
    };
    const strong = await stage.key();
    expect(await told("authentication", strong)).toBe(expected.authentication);
    if (weak) expect(await told("scope", weak)).toBe(expected.scope);
    for (const check of ["body size", "idempotency key", "content type", "parse"])
      expect(await told(check, strong), check).toBe(expected[check]);
    bootWith({ RATE_LIMIT_PER_MINUTE: "1" });
    const limited = weak ?? strong;
    await told("scope", limited);
    expect(await told("scope", limited)).toBe(expected["rate limit"]);
    expect(await told("authentication", limited)).toBe(expected.authentication);
  });
});
