import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import {
  booked,
  connectProvider,
  type ProviderRequest,
  RECORDER_SECRET,
  recorded,
} from "#lib/testing/inbound.fixture.ts";
import { useLog } from "#lib/testing/log.fixture.ts";
import pingSample from "#lib/testing/samples/cal/ping.json" with { type: "json" };
import minimalSample from "#lib/testing/samples/fathom/webhook.minimal.json" with { type: "json" };
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const server = useServer();
const log = useLog();

async function inboxes() {
  const workspace = await createTestWorkspace();
  await connectProvider(workspace.id, "cal_com");
  await connectProvider(workspace.id, "fathom");
  return workspace;
}

const deliver = (path: string, { body, headers }: ProviderRequest, more: Record<string, string> = {}) =>
  server.call(path, { raw: body, headers: { ...headers, ...more } });

/** Every row that a delivery could write. */
const traces = async (workspaceId: string) =>
  (
    await inspect<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM inbound_deliveries WHERE workspace_id = $1) AS deliveries,
         (SELECT count(*)::int FROM observations WHERE workspace_id = $1) AS observations,
         (SELECT count(*)::int FROM notes WHERE workspace_id = $1) AS notes,
         (SELECT count(*)::int FROM people WHERE workspace_id = $1) AS people`,
      [workspaceId],
    )
  )[0];
const NOTHING = { deliveries: 0, observations: 0, notes: 0, people: 0 };

const refusals = (workspaceId: string) =>
  inspect<{ provider: string; code: string; count: string }>(
    "SELECT provider, code, count::int FROM inbound_refusals WHERE workspace_id = $1 ORDER BY provider, code",
    [workspaceId],
  );

describe("the address of an inbox", () => {
  test("names the workspace in the path or in the query", async () => {
    const { id } = await inboxes();
    expect(await deliver(`/inbound/fathom/${id}`, recorded(minimalSample))).toMatchObject({
      status: 200,
      body: { ok: true, logged: 0 },
    });
    expect(await deliver(`/inbound/fathom?workspace_id=${id}`, recorded(minimalSample))).toMatchObject({ status: 200 });
    expect(await deliver(`/inbound/cal_com/${id.toUpperCase()}`, booked(pingSample))).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    expect((await deliver(`/inbound/cal_com?utm=x&workspace_id=${id}`, booked(pingSample))).status).toBe(200);
  });

  test.each([
    ["/inbound/zoom/WORKSPACE", 404, "unknown_provider"],
    ["/inbound/zoom", 404, "unknown_provider"],
    ["/inbound/constructor/WORKSPACE", 404, "unknown_provider"],
    ["/inbound/fathom", 400, "workspace_id_required"],
    ["/inbound/fathom?workspace_id=", 400, "workspace_id_required"],
    [`/inbound/fathom/${newId()}`, 404, "workspace_not_found"],
    ["/inbound/fathom/not-a-uuid", 404, "workspace_not_found"],
    ["/inbound/fathom?workspace_id=%00", 404, "workspace_not_found"],
    ["/inbound/fathom?workspace_id=%ff", 404, "workspace_not_found"],
    ["/inbound", 404, "not_found"],
    ["/inbound/fathom/WORKSPACE/x", 404, "not_found"],
  ])("%s is %i %s", async (path, status, error) => {
    const { id } = await inboxes();
    const answer = await deliver(path.replace("WORKSPACE", id), recorded(minimalSample));
    expect(answer).toMatchObject({
      status,
      body: { error, message: expect.any(String), request_id: expect.any(String) },
    });
    expect(await traces(id)).toEqual(NOTHING);
  });

  test("accepts only POST", async () => {
    const { id } = await inboxes();
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await server.call(`/inbound/fathom/${id}`, { method });
      expect(answer).toMatchObject({ status: 405, body: { error: "method_not_allowed" } });
      expect(answer.headers.get("allow")).toBe("POST");
    }
  });
});

const minutes = (count: number) => new Date(Date.now() + count * 60_000);
const without = ({ body, headers }: ProviderRequest, ...names: string[]): ProviderRequest => ({
  body,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))),
});

describe("an unverified delivery is refused, and leaves only a count", () => {
  const forged = `whsec_${Buffer.alloc(32, "forger").toString("base64")}`;
  const cases: [string, string, () => ProviderRequest, string][] = [
    [
      "fathom",
      "no signature headers",
      () => without(recorded(minimalSample), "webhook-signature"),
      "signature_missing",
    ],
    ["fathom", "no id", () => without(recorded(minimalSample), "webhook-id"), "signature_missing"],
    ["fathom", "no time", () => without(recorded(minimalSample), "webhook-timestamp"), "signature_missing"],
    ["fathom", "another secret", () => recorded(minimalSample, { secret: forged }), "invalid_signature"],
    ["fathom", "a time long past", () => recorded(minimalSample, { at: minutes(-6) }), "timestamp_out_of_tolerance"],
    ["fathom", "a time to come", () => recorded(minimalSample, { at: minutes(6) }), "timestamp_out_of_tolerance"],
    [
      "fathom",
      "a body written otherwise",
      () => ({ ...recorded(minimalSample), body: JSON.stringify(minimalSample, null, 2) }),
      "invalid_signature",
    ],
    ["fathom", "a truncated body", () => ({ ...recorded(minimalSample), body: '{"id":"rec' }), "invalid_signature"],
    ["fathom", "no body", () => ({ ...recorded(minimalSample), body: "" }), "invalid_signature"],
    [
      "fathom",
      "a compressed body",
      () => {
        const { headers, body } = recorded(minimalSample);
        return { body: gzipSync(body), headers: { ...headers, "content-encoding": "gzip" } };
      },
      "invalid_signature",
    ],
    ["cal_com", "no signature", () => without(booked(pingSample), "x-cal-signature-256"), "signature_missing"],
    [
      "cal_com",
      "the word for no secret",
      () => ({ ...booked(pingSample), headers: { "x-cal-signature-256": "no-secret-provided" } }),
      "invalid_signature",
    ],
    ["cal_com", "another secret", () => booked(pingSample, { secret: "x" }), "invalid_signature"],
    [
      "cal_com",
      "the recorder's signature",
      () => recorded(pingSample, { secret: RECORDER_SECRET }),
      "signature_missing",
    ],
  ];

  test.each(cases)("%s: %s", async (provider, _what, sent, error) => {
    const { id } = await inboxes();
    const answer = await deliver(`/inbound/${provider}/${id}`, sent());
    expect(answer).toMatchObject({ status: 401, body: { error } });
    expect(await traces(id)).toEqual(NOTHING);
    expect(await refusals(id)).toEqual([{ provider, code: error, count: 1 }]);
    expect(log.text()).not.toContain(RECORDER_SECRET);
  });

  test("without a signing secret, or with an empty one, nothing is accepted", async () => {
    const { id } = await createTestWorkspace();
    for (const [provider, sent] of [
      ["fathom", recorded(minimalSample)],
      ["cal_com", booked(pingSample)],
      ["cal_com", booked(pingSample, { secret: "" })],
    ] as const)
      expect(await deliver(`/inbound/${provider}/${id}`, sent)).toMatchObject({
        status: 401,
        body: { error: "signing_secret_not_configured" },
      });
    await connectProvider(id, "cal_com", { secret: "" });
    expect(await deliver(`/inbound/cal_com/${id}`, booked(pingSample, { secret: "" }))).toMatchObject({
      body: { error: "signing_secret_not_configured" },
    });
    expect(await traces(id)).toEqual(NOTHING);
  });

  test("the secret of the server's environment serves workspaces without their own, and only them", async () => {
    const ofServer = `whsec_${Buffer.alloc(32, "environment").toString("base64")}`;
    bootWith({ FATHOM_WEBHOOK_SECRET: ofServer });
    const [{ id: plain }, { id: own }] = [await createTestWorkspace(), await inboxes()];
    const sent = () => recorded(minimalSample, { secret: ofServer });
    expect((await deliver(`/inbound/fathom/${plain}`, sent())).status).toBe(200);
    expect((await deliver(`/inbound/fathom/${own}`, sent())).status).toBe(401);
    expect((await deliver(`/inbound/fathom/${own}`, recorded(minimalSample))).status).toBe(200);
    bootWith();
  });
});

describe("a verified delivery that cannot be read is refused", () => {
  const large = JSON.stringify({ id: "x", filler: "x".repeat(10 * 1024 * 1024) });
  const cases: [string, () => ProviderRequest, number, string][] = [
    ["10 MB", () => recorded(large), 413, "payload_too_large"],
    ["no JSON", () => recorded("id=1&title=x"), 400, "invalid_json"],
    ["an empty body", () => recorded(""), 400, "invalid_json"],
    ["JSON null", () => recorded("null"), 400, "invalid_json"],
    ["a JSON list", () => recorded("[]"), 400, "invalid_json"],
    ["a JSON string", () => booked('"PING"'), 400, "invalid_json"],
    ["half of it", () => booked('{"triggerEvent":"PI'), 400, "invalid_json"],
    [
      "another charset",
      () => withType(recorded(minimalSample), "application/json; charset=utf-16"),
      415,
      "unsupported_media_type",
    ],
    ["another type", () => withType(booked(pingSample), "text/plain"), 415, "unsupported_media_type"],
    [
      "a signed body that is not compressed as it says",
      () => {
        const sent = recorded(minimalSample);
        return { ...sent, headers: { ...sent.headers, "content-encoding": "gzip" } };
      },
      400,
      "invalid_encoding",
    ],
    [
      "an encoding that is not read",
      () => {
        const sent = recorded(minimalSample);
        return { ...sent, headers: { ...sent.headers, "content-encoding": "br" } };
      },
      415,
      "unsupported_media_type",
    ],
  ];
  const withType = ({ body, headers }: ProviderRequest, type: string): ProviderRequest => ({
    body,
    headers: { ...headers, "content-type": type },
  });

  test.each(cases)("%s", async (_what, sent, status, error) => {
    const { id } = await inboxes();
    const given = sent();
    const provider = "webhook-id" in given.headers ? "fathom" : "cal_com";
    expect(await deliver(`/inbound/${provider}/${id}`, given)).toMatchObject({ status, body: { error } });
    expect(await traces(id)).toEqual(NOTHING);
    expect(await refusals(id)).toEqual([{ provider, code: error, count: 1 }]);
  });
});

test("a signature is valid only for its provider and secret", async () => {
  const [{ id: first }, { id: second }] = [await inboxes(), await createTestWorkspace()];
  await connectProvider(second, "fathom", { secret: `whsec_${Buffer.alloc(32, "second").toString("base64")}` });
  const sent = recorded(minimalSample);
  expect((await deliver(`/inbound/fathom/${first}`, sent)).status).toBe(200);
  expect((await deliver(`/inbound/fathom/${second}`, sent)).status).toBe(401);
});
