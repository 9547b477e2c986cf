/** How every operation of a person's own account treats its caller and its input. */
import { beforeAll, describe, expect, test } from "vitest";
import { bodyLimit, type Contract, pathFields } from "#lib/core/operation.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { userOperations } from "#lib/registry.ts";
import { bootWith } from "../database.ts";
import { useServer } from "../server.fixture.ts";
import { oneOfEachKind } from "./cast.ts";
import { createStage } from "./stage.ts";
import { requestOf, type SurfaceAnswer, type SurfaceRequest, sender } from "./surface.ts";
import { isWrongOnTheWire, mutationsOf, refusalOf } from "./wrong-values.ts";

// Visitors without a session are told apart by their address.
beforeAll(() => bootWith({ TRUST_PROXY: "1" }));
const server = useServer();
const { raw } = sender(server.url);

/** Codes any of them may answer with, besides their own. */
const shared = [
  ...["invalid_json", "invalid_parameter", "unknown_parameter", "session_required", "origin_not_allowed", "not_found"],
  ...["payload_too_large", "unsupported_media_type", "rate_limited", "too_many_attempts", "method_not_allowed"],
];

/** As a page of ours sends it, signed in or not. */
async function send(
  contract: Contract,
  input: Record<string, unknown>,
  cookie: string | null,
  change: (sent: SurfaceRequest) => void = () => undefined,
): Promise<SurfaceAnswer> {
  const sent = requestOf({ contract } as Operation, input, { key: "" }, server.url());
  Object.assign(sent.init.headers, {
    origin: server.url(),
    "sec-fetch-site": "same-origin",
    ...(cookie ? { cookie } : {}),
  });
  change(sent);
  const answered = await raw(sent);
  const known = [...shared, ...(contract.errors ?? [])];
  expect(answered.status, `${contract.name}: ${answered.text}`).toBeLessThan(500);
  if (answered.status >= 400) expect(known, `${contract.name}: ${answered.text}`).toContain(answered.body.error);
  else if (answered.status !== 204) contract.output.parse(answered.body);
  return answered;
}

const all = userOperations.map((operation) => [operation.contract.name, operation] as const);
const example = ({ example }: Contract) => example.input as Record<string, unknown>;
const signedIn = async () => (await (await createStage()).person("owner")).cookie;

describe.each(all)("%s", (_name, { contract, access }) => {
  const changes = contract.http.method !== "GET";
  const hasBody = ["POST", "PATCH"].includes(contract.http.method);
  const broken = ({ init }: SurfaceRequest) => {
    if (hasBody) init.body = "{";
  };

  test("asks for a session before it looks at the body, if it asks for one", async () => {
    for (const cookie of [null, "next-auth.session-token=x"]) {
      const answered = await send(contract, example(contract), cookie, broken);
      if (access === "signed-in") expect([answered.status, answered.body.error]).toEqual([401, "session_required"]);
      else if (hasBody) expect([answered.status, answered.body.error]).toEqual([400, "invalid_json"]);
      // Its example names nothing that is there, which is not said before it was looked for.
      else expect([answered.status, answered.body.error]).toEqual([404, expect.stringMatching(/not_found$/)]);
    }
  });

  if (changes && access !== "program")
    test("is refused to pages of other sites", async () => {
      const cookie = await signedIn();
      const foreign: Record<string, string>[] = [
        { origin: "https://evil.example" },
        { origin: "null" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "none" },
        {},
      ];
      for (const headers of foreign) {
        const answered = await send(contract, example(contract), cookie, ({ init }) => {
          delete init.headers.origin;
          delete init.headers["sec-fetch-site"];
          Object.assign(init.headers, headers);
        });
        expect([answered.status, answered.body.error], JSON.stringify(headers)).toEqual([403, "origin_not_allowed"]);
      }
    });

  test("refuses fields it does not have, and wrong values", async () => {
    const cookie = await signedIn();
    const right = example(contract);
    const unknown = await send(contract, { ...right, "No-Such-Field": "1" }, cookie);
    expect(unknown.body).toMatchObject({ error: "unknown_parameter", parameter: "No-Such-Field" });
    const wrong = mutationsOf(contract, right).filter(isWrongOnTheWire(contract));
    const sent = Object.keys(contract.input.shape).filter((field) => !pathFields(contract).includes(field));
    const broken = wrong.map(({ what }) => what.split(/[ .]/)[0]);
    expect(broken).toEqual(expect.arrayContaining(sent));
    for (const mutation of wrong) {
      const { what, input } = mutation;
      const answered = await send(contract, input, cookie);
      expect([answered.status, answered.body.error], `${what}: ${answered.text}`).toEqual(
        refusalOf(contract, mutation),
      );
    }
  });

  if (hasBody)
    test("refuses a body that is no JSON object, or not called JSON", async () => {
      const cookie = await signedIn();
      const right = example(contract);
      for (const body of ["{", "null", "[]", '"x"', "7", '{"a":1e400}', '{"a":"\\u0000"}']) {
        const answered = await send(contract, right, cookie, ({ init }) => {
          init.body = body;
        });
        expect(
          [answered.status, ["invalid_json", "invalid_parameter"].includes(String(answered.body.error))],
          body,
        ).toEqual([400, true]);
      }
      const wrong: Record<string, string>[] = [
        { "content-type": "text/plain" },
        { "content-type": "application/json; charset=latin1" },
        { "content-encoding": "br" },
        { "content-encoding": "identity, br" },
      ];
      for (const headers of wrong) {
        const answered = await send(contract, right, cookie, ({ init }) => {
          Object.assign(init.headers, headers);
        });
        expect([answered.status, answered.body.error], JSON.stringify(headers)).toEqual([
          415,
          "unsupported_media_type",
        ]);
      }
    });

  test("says what is left of the rate, and is never kept by a cache", async () => {
    const { headers } = await send(contract, example(contract), await signedIn(), broken);
    expect(headers.get("ratelimit-limit")).not.toBeNull();
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-request-id")).toMatch(/^[\w-]+$/);
  });
});

let visitors = 0;

/** What the builder of their routes does, which treats operations of one kind alike. */
describe.each(oneOfEachKind(all))("%s", (_name, { contract, access }) => {
  if (["POST", "PATCH"].includes(contract.http.method))
    test("takes a body of its limit, and refuses one byte more with 413", async () => {
      const cookie = await signedIn();
      const limit = bodyLimit(contract);
      const withLength = (length: number) =>
        send(contract, example(contract), cookie, ({ init }) => {
          init.body = " ".repeat(length);
        });
      const taken = await withLength(limit);
      expect([taken.status, taken.body.error]).toEqual([400, "invalid_json"]);
      for (const length of [limit + 1, limit * 3]) {
        const refused = await withLength(length);
        expect([refused.status, refused.body]).toMatchObject([413, { error: "payload_too_large", limit_bytes: limit }]);
      }
    });

  test("is refused with 429 once the minute's rate is used up, by each session or visitor on its own", async () => {
    bootWith({ RATE_LIMIT_PER_MINUTE: "2" });
    try {
      const withSession = access === "signed-in";
      const from = async (n: number) => {
        const cookie = withSession ? await signedIn() : null;
        return () =>
          send(contract, example(contract), cookie, ({ init }) => {
            // Refused requests count too. Whose session it is counts, not the address.
            init.headers["x-forwarded-for"] = withSession ? "192.0.2.1" : `192.0.2.${n + visitors}`;
            if (init.body !== undefined) init.body = "{";
          });
      };
      visitors += 2;
      for (const again of [await from(1), await from(2)]) {
        const left = [];
        for (let request = 0; request < 4; request++) {
          const { status, body, headers } = await again();
          left.push([status === 429, headers.get("ratelimit-remaining")]);
          if (status !== 429) continue;
          expect(body.error).toBe("rate_limited");
          expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
        }
        expect(left).toEqual([
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
});
