/**
 * Whom the builders of routes let in, on the surface of keys and on that of the browser: proven with one operation of each
 * kind. That every operation goes through a builder is held by `wiring.test.ts`; what each asks for by `rights.int.test.ts`.
 */
import { beforeAll, describe, expect, test, vi } from "vitest";
import { startKeyChanges } from "#lib/auth/key-changes.ts";
import { mintKey } from "#lib/auth/secret-tokens.ts";
import { newId } from "#lib/core/ids.ts";
import { roles, scopes } from "#lib/core/plans.ts";
import { inspect } from "../database.ts";
import { useServer } from "../server.fixture.ts";
import { appOperations, everyOperation, oneOfEachKind, publicOperations } from "./cast.ts";
import { leastRoleOf } from "./rights.ts";
import { inputOf } from "./scenarios.ts";
import { createStage, type Stage } from "./stage.ts";
import { type SurfaceRequest, sender } from "./surface.ts";

const server = useServer();
const { send, raw } = sender(server.url);

/** An unreadable body: permissions are checked before it is read. */
const withBadBody = ({ init }: SurfaceRequest): void => {
  if (init.method === "GET" || init.method === "DELETE") return;
  init.body = '{"broken';
};

const noKeys: (string | null)[] = [
  null,
  "Bearer ",
  "Bearer rpt_abc",
  `Basic ${Buffer.from("a:b").toString("base64")}`,
  mintKey().key,
  `Bearer ${mintKey().key}`,
  `Bearer ${mintKey().key} ${mintKey().key}`,
  `Bearer ${"x".repeat(5_000)}`,
];

/** A workspace with an input that succeeds there, for all who are refused: they leave both as they were. */
function useRefusing(name: string): { stage: Stage; input: Record<string, unknown> } {
  const refusing = {} as ReturnType<typeof useRefusing>;
  beforeAll(async () => {
    refusing.stage = await createStage();
    refusing.input = await inputOf(name, refusing.stage);
  });
  return refusing;
}

describe.each(oneOfEachKind(publicOperations))("%s with a key", (name, operation) => {
  const refusing = useRefusing(name);
  const refuse = async (authorization: string | null) => {
    const answered = await send(operation, refusing.input, { key: "" }, (sent) => {
      if (authorization !== null) sent.init.headers.authorization = authorization;
      withBadBody(sent);
    });
    expect([answered.status, answered.body.error], String(authorization)).toEqual([401, "unauthorized"]);
    expect(answered.headers.get("www-authenticate")).toBe("Bearer");
    expect(answered.headers.get("ratelimit-limit")).toBeNull();
  };

  test("answers 401 without one, and to an invalid one", async () => {
    for (const authorization of noKeys) await refuse(authorization);
  });

  test("answers 401 when it has expired", async () => {
    const key = await refusing.stage.key(["admin"], { expiresAt: new Date(Date.now() - 1_000) });
    await refuse(`Bearer ${key}`);
  });

  test("answers 401 from the request after it was revoked", async () => {
    await startKeyChanges();
    const stage = await createStage();
    const key = await stage.key();
    const before = await send(operation, await inputOf(name, stage), { key });
    expect(before.status, before.text).toBeLessThan(300);
    const minted = await inspect<{ id: string }>(
      "SELECT id FROM api_keys WHERE workspace_id = $1 AND revoked_at IS NULL",
      [stage.id],
    );
    for (const { id } of minted) await stage.run("revokeApiKey", { id });
    await expect
      .poll(() =>
        raw({
          path: operation.contract.http.path,
          init: { method: operation.contract.http.method, headers: { authorization: `Bearer ${key}` } },
        }).then(({ status, body }) => [status, body.error]),
      )
      .toEqual([401, "unauthorized"]);
  });

  test("answers 403 from an address outside its ranges", async () => {
    const key = await refusing.stage.key(["admin"], { allowedCidrs: ["192.0.2.0/24"] });
    const answered = await send(operation, refusing.input, { key }, withBadBody);
    expect([answered.status, answered.body.error]).toEqual([403, "ip_not_allowed"]);
  });

  test("is answered with its scope and with those that imply it", async () => {
    const stage = await createStage();
    for (const scope of scopes.slice(scopes.indexOf(operation.contract.scope))) {
      const key = await stage.key([scope]);
      const answered = await send(operation, await inputOf(name, stage), { key });
      expect(answered.status, `${scope}: ${answered.text}`).toBeLessThan(300);
    }
  });

  test("is not answered for a session cookie", async () => {
    const { cookie } = await refusing.stage.person("owner");
    const answered = await send(operation, refusing.input, { key: "" }, ({ init }) => {
      Object.assign(init.headers, { cookie });
    });
    expect([answered.status, answered.body.error]).toEqual([401, "unauthorized"]);
  });
});

describe.each(oneOfEachKind(everyOperation))("%s in the browser", (name, operation) => {
  const { method } = operation.contract.http;
  const refusing = useRefusing(name);

  test("answers 401 without a session, and to an invalid cookie", async () => {
    const { stage, input } = refusing;
    for (const cookie of [
      null,
      "",
      "next-auth.session-token=x",
      `next-auth.session-token=${newId()}`,
      "next-auth.session-token.0=x; next-auth.session-token.1=y",
    ]) {
      const answered = await send(operation, input, { cookie, workspace: stage.id }, withBadBody);
      expect([answered.status, answered.body.error], String(cookie)).toEqual([401, "session_required"]);
    }
  });

  test("answers 401 from the request after the session ended", async () => {
    const { stage, input } = refusing;
    const { cookie, userId } = await stage.person("owner");
    await inspect("UPDATE sessions SET revoked_at = now() WHERE user_id = $1", [userId]);
    const answered = await send(operation, input, { cookie, workspace: stage.id }, withBadBody);
    expect([answered.status, answered.body.error]).toEqual([401, "session_required"]);
  });

  test("answers 404 in a workspace of others, as in one that does not exist", async () => {
    const { stage: theirs, input } = refusing;
    const { cookie } = await (await createStage()).person("owner");
    const answers = [];
    for (const workspace of [theirs.id, newId(), "not-an-id", "%00"]) {
      const { status, body } = await send(operation, input, { cookie, workspace }, withBadBody);
      answers.push([status, { ...body, request_id: "" }]);
    }
    expect(answers[0]).toMatchObject([404, { error: "not_found" }]);
    for (const answered of answers) expect(answered).toEqual(answers[0]);
  });

  if (method !== "GET")
    test("answers 403 to a page of another site", async () => {
      const { stage, input } = refusing;
      const { cookie } = await stage.person("owner");
      const foreign: Record<string, string>[] = [
        { origin: "https://evil.example" },
        { origin: "null" },
        { origin: server.url(), "sec-fetch-site": "cross-site" },
        { origin: server.url(), "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" },
        { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
        {},
      ];
      const before = await stage.rows();
      for (const headers of foreign) {
        const answered = await send(operation, input, { cookie, workspace: stage.id }, ({ init }) => {
          delete init.headers.origin;
          delete init.headers["sec-fetch-site"];
          Object.assign(init.headers, headers);
        });
        expect([answered.status, answered.body.error], JSON.stringify(headers)).toEqual([403, "origin_not_allowed"]);
      }
      expect(await stage.rows()).toEqual(before);
    });

  test("is answered to its role and to those that include it", async () => {
    for (const role of roles.slice(roles.indexOf(leastRoleOf(operation)))) {
      const stage = await createStage();
      const { cookie } = await stage.person(role);
      if (role !== "owner") await stage.person("owner");
      const answered = await send(operation, await inputOf(name, stage), { cookie, workspace: stage.id });
      expect(answered.status, `${role}: ${answered.text}`).toBeLessThan(300);
    }
  });

  test("ignores an API key", async () => {
    const { stage, input } = refusing;
    const key = await stage.key(["admin"]);
    const answered = await send(operation, input, { cookie: null, workspace: stage.id }, ({ init }) => {
      init.headers.authorization = `Bearer ${key}`;
    });
    expect([answered.status, answered.body.error]).toEqual([401, "session_required"]);
  });
});

test("a key that was just used answers 401 from the moment it expires", async () => {
  const stage = await createStage();
  const expiresAt = new Date(Date.now() + 3_600_000);
  const headers = { authorization: `Bearer ${await stage.key(["read"], { expiresAt })}` };
  const ask = () => raw({ path: "/v2/me", init: { method: "GET", headers } });
  expect((await ask()).status).toBe(200);
  vi.spyOn(Date, "now").mockReturnValue(expiresAt.getTime());
  const { status, body } = await ask();
  expect([status, body.error]).toEqual([401, "unauthorized"]);
});

test("operations of the browser are not part of the API of keys", async () => {
  const stage = await createStage();
  const headers = { authorization: `Bearer ${await stage.key()}` };
  for (const [name, { contract }] of appOperations) {
    const { method, path } = contract.http;
    const { status } = await raw({ path: `/v2${path}`, init: { method, headers } });
    expect([404, 405], name).toContain(status);
  }
});
