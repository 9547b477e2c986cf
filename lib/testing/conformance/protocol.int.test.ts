/** What every address of the API does with HTTP itself. */
import { beforeAll, describe, expect, test } from "vitest";
import { writeKeyUses } from "#lib/auth/key-use.ts";
import { newId } from "#lib/core/ids.ts";
import { bootWith, inspect } from "../database.ts";
import { useServer } from "../server.fixture.ts";
import { castOf, everyOperation, oneOfEachKind, publicOperations } from "./cast.ts";
import { inputOf } from "./scenarios.ts";
import { createStage, type Stage } from "./stage.ts";
import { sender } from "./surface.ts";

const server = useServer();
const { send, raw } = sender(server.url);
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The methods some operation answers at this very path. */
const methodsOf = (path: string): string[] => {
  const matching = publicOperations.filter(([, { contract }]) =>
    new RegExp(`^${contract.http.path.replaceAll(/:[a-z_]+/g, "[^/]+")}$`).test(path),
  );
  return [...new Set(matching.map(([, { contract }]) => contract.http.method))].sort();
};

/** The path of an address, its parameters filled in. */
const filled = (path: string): string => path.replaceAll(/:[a-z_]+/g, newId());
const addresses = [...new Set(publicOperations.map(([, { contract }]) => contract.http.path))];
const methodsAt = (path: string): string[] =>
  publicOperations
    .filter(([, { contract }]) => contract.http.path === path)
    .map(([, { contract }]) => contract.http.method);

describe.each(addresses)("%s", (path) => {
  test("answers 405 with Allow to a method it does not have", async () => {
    const address = filled(path);
    const has = methodsOf(address);
    for (const method of METHODS.filter((candidate) => !has.includes(candidate))) {
      const answered = await raw({ path: address, init: { method, headers: {} } });
      expect([answered.status, answered.body.error], method).toEqual([405, "method_not_allowed"]);
      expect(answered.headers.get("allow")?.split(", ").sort()).toEqual(has);
    }
  });

  test("tells OPTIONS what it has, without a key", async () => {
    const answered = await raw({ path: filled(path), init: { method: "OPTIONS", headers: {} } });
    expect(answered.status).toBe(204);
    for (const method of methodsAt(path)) expect(answered.headers.get("allow")).toContain(method);
  });

  test("is the same address with a slash at its end", async () => {
    const method = methodsAt(path)[0] as string;
    const answered = await raw({ path: `${filled(path)}/`, init: { method, headers: {} } });
    expect([answered.status, answered.body.error]).toEqual([401, "unauthorized"]);
  });
});

describe.each(oneOfEachKind(everyOperation))("%s", (name, operation) => {
  test("gives back the request id it was sent, and makes one where it was sent none it accepts", async () => {
    const { stage, as } = await castOf(operation);
    const input = await inputOf(name, stage);
    const idFor = async (given: string | null, bad = true) => {
      const { headers } = await send(operation, input, as, ({ init }) => {
        if (bad) init.headers["content-type"] = "text/plain";
        if (given !== null) init.headers["x-request-id"] = given;
      });
      return headers.get("x-request-id");
    };
    for (const given of ["a", "req_1-2", "x".repeat(128)]) expect(await idFor(given)).toBe(given);
    const made = [null, "", "two words", "a,b", "x".repeat(129), "../../etc", "ü"].map(async (given) => [
      given,
      await idFor(given),
    ]);
    for (const [given, id] of await Promise.all(made)) {
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(id).not.toBe(given);
    }
  });

  test("is never kept by a cache and never guessed to be another type", async () => {
    const { stage, as } = await castOf(operation);
    for (const change of [{}, { authorization: "", cookie: "" }]) {
      const { headers, status } = await send(operation, await inputOf(name, stage), as, ({ init }) =>
        Object.assign(init.headers, change),
      );
      expect(headers.get("cache-control"), String(status)).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      if (status !== 204) expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    }
  });
});

describe("a request id", () => {
  test.each(["/healthz", "/readyz", "/openapi.json", "/v2/no-such-thing", "/api/app/x/members", "/v2/%zz"])(
    "is answered by %s",
    async (path) => {
      expect(
        (await raw({ path, init: { method: "GET", headers: { "x-request-id": "mine" } } })).headers.get("x-request-id"),
      ).toBe("mine");
      expect((await raw({ path, init: { method: "GET", headers: {} } })).headers.get("x-request-id")).toMatch(
        /^[0-9a-f-]{36}$/,
      );
    },
  );
});

describe("an address that does not exist", () => {
  test.each([
    "/v2",
    "/v2/",
    "/v2/no-such-thing",
    "/v2/workspace",
    "/v2//workspace/facts",
    "/v2/workspace/facts/extra",
    "/v2/workspace/Facts",
    "/v2/%",
    "/v2/%zz/facts",
    "/v2/%ff%fe",
    "/v2/people/%",
    "/v2/workspace%2Ffacts",
    "/v2/workspace/facts%00",
    "/v2/workspace/facts;x=1",
    "/api/v1/no-such-thing",
    "/api/app",
    "/api/app/",
    "/api/app/x",
    `/v2/${"x".repeat(10_000)}`,
    `/v2/people/${"x".repeat(10_000)}`,
  ])("answers 4xx in JSON: %s", async (path) => {
    const answered = await raw({ path, init: { method: "GET", headers: {} } });
    expect(answered.status, answered.text).toBeGreaterThanOrEqual(400);
    expect(answered.status, answered.text).toBeLessThan(500);
    if (/^\/(v2|api)/.test(path))
      expect(answered.body).toMatchObject({ error: expect.any(String), request_id: expect.any(String) });
  });

  test("that is too long for any server is 431, and the connection is not needed any more", async () => {
    const answered = await fetch(`${server.url()}/v2/${"x".repeat(40_000)}`).catch(() => null);
    expect(answered?.status).toBe(431);
  });

  test("holding broken percent-encoding in its query is 400 and never 500", async () => {
    const stage = await createStage();
    const key = await stage.key();
    for (const query of [
      "?limit=%",
      "?%zz",
      "?categories=%ff",
      "?limit=%00",
      "?%00=1",
      "?categories=%ED%A0%80",
      "?a=1&a=2",
      "?limit=1&limit=2",
      "?__proto__=1",
      "?constructor=1",
      "?=",
      "?&&",
      "?limit",
    ]) {
      const answered = await raw({
        path: `/v2/workspace/facts${query}`,
        init: { method: "GET", headers: { authorization: `Bearer ${key}` } },
      });
      expect(answered.status, `${query} ${answered.text}`).toBe(query === "?&&" ? 200 : 400);
    }
  });
});

describe("the rate limit", () => {
  test("is given on every authenticated answer and ends in 429 with Retry-After", async () => {
    bootWith({ RATE_LIMIT_PER_MINUTE: "3" });
    try {
      for (const [name, operation] of oneOfEachKind(everyOperation)) {
        const { stage, as } = await castOf(operation);
        const input = await inputOf(name, stage);
        const left = [];
        for (let request = 0; request < 5; request++) {
          const answered = await send(operation, input, as, ({ init }) => {
            // Refused requests count too: the limit comes before anything is looked at.
            if (request > 0 && init.body !== undefined) init.body = "{";
          });
          expect(answered.headers.get("ratelimit-limit")).toBe("3");
          expect(Number(answered.headers.get("ratelimit-reset"))).toBeGreaterThan(0);
          expect(Number(answered.headers.get("ratelimit-reset"))).toBeLessThanOrEqual(60);
          left.push([answered.status === 429, answered.headers.get("ratelimit-remaining")]);
          if (answered.status !== 429) continue;
          expect(answered.body).toMatchObject({ error: "rate_limited" });
          expect(Number(answered.headers.get("retry-after"))).toBeGreaterThan(0);
        }
        expect(left, name).toEqual([
          [false, "2"],
          [false, "1"],
          [false, "0"],
          [true, "0"],
          [true, "0"],
        ]);
      }
    } finally {
      bootWith();
    }
  });

  test("counts each key on its own, and nothing at all when it is 0", async () => {
    const [, operation] = publicOperations[0] as (typeof publicOperations)[number];
    bootWith({ RATE_LIMIT_PER_MINUTE: "1" });
    const stage = await createStage();
    const [one, other] = [await stage.key(), await stage.key()];
    const input = await inputOf(operation.contract.name, stage);
    expect((await send(operation, input, { key: one })).status).not.toBe(429);
    expect((await send(operation, input, { key: one })).status).toBe(429);
    expect((await send(operation, input, { key: other })).status).not.toBe(429);
    bootWith({ RATE_LIMIT_PER_MINUTE: "0" });
    const free = await send(operation, input, { key: one });
    expect([free.status === 429, free.headers.get("ratelimit-limit")]).toEqual([false, null]);
    bootWith();
  });
});

describe("another site's page", () => {
  const origin = "https://app.example";
  const cors = (headers: Headers) => [...headers.keys()].filter((header) => header.startsWith("access-control-"));

  test("is allowed nothing while CORS_ORIGINS is empty", async () => {
    for (const path of [...addresses.map(filled), "/healthz", "/api/app/x/members", "/no/page"]) {
      for (const method of ["OPTIONS", "GET"]) {
        const answered = await raw({
          path,
          init: { method, headers: { origin, "access-control-request-method": "POST" } },
        });
        expect(cors(answered.headers), `${method} ${path}`).toEqual([]);
      }
    }
  });

  test("may call the API of keys when its origin is listed, and only then", async () => {
    bootWith({ CORS_ORIGINS: `${origin}, http://localhost:5173` });
    try {
      for (const path of addresses) {
        const preflight = await raw({
          path: filled(path),
          init: {
            method: "OPTIONS",
            headers: { origin, "access-control-request-method": methodsAt(path)[0] as string },
          },
        });
        expect(preflight.status).toBe(204);
        expect(preflight.headers.get("access-control-allow-origin")).toBe(origin);
        for (const method of methodsAt(path))
          expect(preflight.headers.get("access-control-allow-methods")).toContain(method);
        for (const header of ["authorization", "content-type", "idempotency-key", "x-request-id", "x-service-client"])
          expect(preflight.headers.get("access-control-allow-headers")).toContain(header);
        expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
        const refused = await raw({
          path: filled(path),
          init: { method: methodsAt(path)[0] as string, headers: { origin } },
        });
        expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, origin]);
        expect(refused.headers.get("access-control-expose-headers")).toContain("Retry-After");
        for (const other of [
          "https://evil.example",
          "https://app.example.evil.example",
          "http://app.example",
          "null",
        ]) {
          const answered = await raw({
            path: filled(path),
            init: { method: "OPTIONS", headers: { origin: other, "access-control-request-method": "GET" } },
          });
          expect(cors(answered.headers), other).toEqual([]);
          expect(answered.headers.get("vary")).toContain("Origin");
        }
      }
      const browser = await raw({
        path: "/api/app/x/members",
        init: { method: "OPTIONS", headers: { origin, "access-control-request-method": "GET" } },
      });
      expect(cors(browser.headers)).toEqual([]);
    } finally {
      bootWith();
    }
  });
});

describe("x-service-client", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await createStage();
  });
  const used = async (client: string | null) => {
    const key = await stage.key();
    const [name, operation] = publicOperations.find(
      ([, { contract }]) => contract.scope === "write",
    ) as (typeof publicOperations)[number];
    const input = await inputOf(name, stage);
    const answered = await send(operation, input, { key }, ({ init }) => {
      if (client !== null) init.headers["x-service-client"] = client;
    });
    expect(answered.status, answered.text).toBeLessThan(300);
    await writeKeyUses(true);
    const [row] = await inspect<{ client: string | null; used: boolean }>(
      "SELECT last_used_client AS client, last_used_at IS NOT NULL AS used FROM api_keys WHERE prefix = $1",
      [key.slice(4, 10)],
    );
    return row;
  };

  test.each(["claude-code/2.1", "a", "A.b_c-d/1", "x".repeat(64)])(
    "is recorded with the use of the key: %s",
    async (client) => {
      expect(await used(client)).toEqual({ client, used: true });
    },
  );

  test.each([null, "", "two words", "x".repeat(65), "<script>", "a\tb", "ü"])(
    "is ignored, not refused, when it is %j",
    async (client) => {
      expect(await used(client === null ? null : Buffer.from(client).toString("latin1"))).toEqual({
        client: null,
        used: true,
      });
    },
  );
});
