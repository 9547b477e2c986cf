import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Scope } from "#lib/core/plans.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { booked, connected, connectionOf, people, recorded, useInbound } from "#lib/testing/inbound.fixture.ts";
import createdSample from "#lib/testing/samples/cal/docs.booking_created.json" with { type: "json" };
import pingSample from "#lib/testing/samples/cal/ping.json" with { type: "json" };
import minimalSample from "#lib/testing/samples/fathom/webhook.minimal.json" with { type: "json" };
import { answers, WebhookTarget } from "#lib/testing/webhook-target.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import {
  endRetention,
  getInboundDays,
  getInboundDelivery,
  replayInboundDelivery,
  sendTestDelivery,
} from "./service.ts";

const { contact, deliver, list, server } = useInbound();

/** Sets the age in days of the workspace's delivery at `offset`, oldest first. */
const age = ({ id }: TestWorkspace, offset: number, days: number, more = "") =>
  inspect(
    `UPDATE inbound_deliveries SET received_at = now() - make_interval(days => $3) ${more} WHERE id = (
       SELECT id FROM inbound_deliveries WHERE workspace_id = $1 ORDER BY id OFFSET $2 LIMIT 1)`,
    [id, offset, days],
  );

describe("the delivery log", () => {
  test("pages newest first, by provider and status, and tells one workspace's from another's", async () => {
    const workspace = await connected();
    const other = await connected();
    await deliver(other, booked(pingSample));
    for (let index = 0; index < 5; index++) await deliver(workspace, booked({ triggerEvent: "PING", index }));
    await deliver(workspace, recorded(minimalSample));
    await deliver(workspace, booked({ triggerEvent: "X" }));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(workspace, { limit: 2, ...(cursor ? { cursor } : {}) });
      seen.push(...page.deliveries.map(({ id }) => id));
      expect(page.deliveries.length).toBeLessThanOrEqual(2);
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(new Set(seen).size).toBe(7);
    expect((await list(workspace)).deliveries.map(({ id }) => id)).toEqual(seen);
    expect((await list(workspace, { provider: "fathom" })).deliveries).toHaveLength(1);
    expect((await list(workspace, { status: "skipped" })).deliveries).toMatchObject([{ event: "X" }]);
    expect((await list(workspace, { provider: "cal_com", status: "processed", limit: 3 })).has_more).toBe(true);
    const foreign = (await list(other)).deliveries[0]?.id;
    await expect(getInboundDelivery.execute(workspace.caller, { id: foreign })).rejects.toMatchObject({
      code: "delivery_not_found",
    });
  });

  test("shows the payload as it came, and the headers without the signature", async () => {
    const workspace = await connected();
    const body = `{ "triggerEvent" :"PING", "emoji":"🚀" }\n`;
    const { headers } = booked(body);
    await deliver(workspace, {
      body,
      headers: { ...headers, authorization: "Bearer x", cookie: "a=b", "user-agent": "Cal" },
    });
    const [{ id = "" } = {}] = (await list(workspace)).deliveries;
    const { delivery } = await getInboundDelivery.execute(workspace.caller, { id });
    expect(delivery).toMatchObject({
      payload: body,
      headers: { "content-type": "application/json", "user-agent": "Cal", "x-cal-webhook-version": "2021-10-20" },
      attempts: [{ by: "delivery", status: "processed", message: null, at: delivery.received_at }],
    });
    expect(Object.keys(delivery.headers)).toHaveLength(3);
  });

  test("counts what was turned away", async () => {
    const workspace = await connected();
    for (let count = 0; count < 3; count++) await deliver(workspace, booked(pingSample, { secret: "forged" }));
    await deliver(workspace, recorded(minimalSample, { at: new Date(0) }));
    await expect
      .poll(async () => (await list(workspace)).refusals.map(({ count }) => count).toSorted(), { timeout: 30_000 })
      .toEqual([1, 3]);
    const { refusals, deliveries } = await list(workspace);
    expect(deliveries).toEqual([]);
    expect(new Set(refusals)).toEqual(
      new Set([
        expect.objectContaining({ provider: "fathom", code: "timestamp_out_of_tolerance", count: 1, standing: 1 }),
        expect.objectContaining({ provider: "cal_com", code: "invalid_signature", count: 3, standing: 3 }),
      ]),
    );
  });

  test("says nothing about a person who was erased, and does not bring them back", async () => {
    const workspace = await connected();
    const key = await workspace.key();
    await deliver(workspace, booked(createdSample));
    const [, other] = [await contact(workspace, "jane@acme.example"), recorded(minimalSample)];
    await deliver(workspace, other);
    const erased = await server.call("/v2/accounts/erase", { key, body: { focus: "guest@example.com" } });
    expect(erased.status).toBe(200);
    const [kept, booking] = (await list(workspace)).deliveries;
    expect(kept).toMatchObject({ title: "Discovery call - Acme Corp", contacts: 1 });
    expect(booking).toMatchObject({ title: null, message: "It named a person who was erased.", answer: { logged: 2 } });
    expect(booking?.contacts).toBe(1);
    const { delivery } = await replayInboundDelivery.execute(workspace.caller, { id: booking?.id });
    const standing = { status: booking?.status, answer: booking?.answer, message: booking?.message };
    expect(delivery).toMatchObject({ payload: "{}", ...standing, attempts: [{}, { by: "replay" }] });
    expect((await deliver(workspace, booked(createdSample))).status).toBe(200);
    expect(await people(workspace)).toEqual(["additional-guest@example.com", "jane@acme.example"]);
  });

  test("goes with its workspace", async () => {
    const workspace = await connected();
    await deliver(workspace, booked(pingSample));
    await deliver(workspace, booked(pingSample, { secret: "forged" }));
    await inspect("DELETE FROM workspaces WHERE id = $1", [workspace.id]);
    expect(await inspect("SELECT 1 FROM inbound_deliveries WHERE workspace_id = $1", [workspace.id])).toEqual([]);
    expect(await inspect("SELECT 1 FROM inbound_refusals WHERE workspace_id = $1", [workspace.id])).toEqual([]);
  });

  test("keeps deliveries for the days of the setting, and longer what still waits", async () => {
    const workspace = await connected();
    for (const index of [1, 2, 3, 4]) await deliver(workspace, booked({ triggerEvent: "PING", index }));
    await deliver(workspace, booked(pingSample, { secret: "forged" }));
    await age(workspace, 0, 31);
    await age(workspace, 1, 29);
    await age(workspace, 2, 31, ", status = 'pending'");
    await inspect("UPDATE inbound_refusals SET last_at = now() - interval '31 days' WHERE workspace_id = $1", [
      workspace.id,
    ]);
    await endRetention(workspace.id);
    expect((await list(workspace)).deliveries).toHaveLength(3);
    expect((await list(workspace)).refusals).toEqual([]);
    bootWith({ INBOUND_RETENTION_DAYS: "7" });
    await endRetention(workspace.id);
    expect((await list(workspace)).deliveries.map(({ status }) => status)).toEqual(["processed", "pending"]);
    bootWith();
  });
});

describe("how long the log is kept", () => {
  const set = async (workspace: TestWorkspace, body: unknown, scopes: Scope[] = ["admin"]) =>
    server.call("/v2/workspace/inbound-retention", { key: await workspace.key(scopes), method: "PATCH", body });

  test("is each workspace's own setting, else the server's", async () => {
    const [short, long, standard] = [await connected(), await connected(), await connected()];
    const all = [short, long, standard];
    for (const workspace of all) {
      for (const index of [1, 2, 3, 4]) await deliver(workspace, booked({ triggerEvent: "PING", index }));
      await deliver(workspace, booked(pingSample, { secret: "forged" }));
      await age(workspace, 0, 100);
      await age(workspace, 1, 8);
      await age(workspace, 2, 400, ", status = 'pending'");
      await inspect("UPDATE inbound_refusals SET last_at = now() - interval '8 days' WHERE workspace_id = $1", [
        workspace.id,
      ]);
    }
    expect(await set(short, { days: 7 })).toMatchObject({
      status: 200,
      body: { retention: { days: 7, default_days: 30, is_default: false } },
    });
    await set(long, { days: 365 });
    for (const { id } of all) await endRetention(id);
    const left = await Promise.all(all.map((workspace) => list(workspace)));
    expect(left.map(({ deliveries }) => deliveries.length)).toEqual([2, 4, 3]);
    expect(left.map(({ refusals }) => refusals.length)).toEqual([0, 1, 1]);
    expect(left.map(({ retention }) => retention)).toEqual([
      { days: 7, default_days: 30, is_default: false },
      { days: 365, default_days: 30, is_default: false },
      { days: 30, default_days: 30, is_default: true },
    ]);
    expect((await set(long, { days: null })).body).toEqual({
      retention: { days: 30, default_days: 30, is_default: true },
    });
    await endRetention(long.id);
    expect((await list(long)).deliveries).toHaveLength(3);
  });

  test("is in the audit log when it changes", async () => {
    const workspace = await createTestWorkspace();
    for (const days of [7, 7, null]) await set(workspace, { days });
    const entries = await inspect("SELECT action, detail FROM audit_log WHERE workspace_id = $1 ORDER BY at, id", [
      workspace.id,
    ]);
    const changed = (from: number | null, to: number | null) => ({
      action: "inbound_retention.changed",
      detail: { from, to },
    });
    expect(entries).toEqual([changed(null, 7), changed(7, null)]);
  });

  test.each([{ days: 0 }, { days: 366 }, { days: 1.5 }, { days: "7" }, { days: -1 }, {}, { days: 7, more: 1 }])(
    "refuses %j and changes nothing",
    async (body) => {
      const workspace = await createTestWorkspace();
      expect((await set(workspace, body)).status).toBe(400);
      expect((await list(workspace)).retention.is_default).toBe(true);
    },
  );

  test("is an administrator's affair", async () => {
    const workspace = await createTestWorkspace();
    expect(await set(workspace, { days: 7 }, ["write"])).toMatchObject({
      status: 403,
      body: { error: "insufficient_scope" },
    });
  });
});

describe("a signed test", () => {
  test.each(["cal_com", "fathom"])("of %s is handled like any delivery and records nothing", async (provider) => {
    const workspace = await connected();
    const { ok, url, delivery } = await sendTestDelivery.execute(workspace.caller, { provider });
    expect(ok).toBe(true);
    expect(url).toBe(`${server.url().replace("127.0.0.1", "localhost")}/inbound/${provider}/${workspace.id}`);
    expect(delivery.headers).toMatchObject({ "user-agent": "Rapport signed test" });
    expect(delivery).toMatchObject({ provider, status: "processed", sample: true });
    expect((await sendTestDelivery.execute(workspace.caller, { provider })).delivery.id).not.toBe(delivery.id);
    expect((await list(workspace)).deliveries).toHaveLength(2);
    expect(await people(workspace)).toEqual([]);
    expect(await connectionOf(workspace, provider)).toMatchObject({ webhook_status: "pending", last_event_at: null });
  });

  describe("takes the way of APP_URL", () => {
    const target = new WebhookTarget();
    beforeAll(() => target.start());
    afterAll(() => target.stop());

    test.each<[string, () => string, string]>([
      ["where nothing listens", () => "http://127.0.0.1:1", "It refuses connections."],
      ["where something else accepts it", () => target.url(""), "Something else answers at this address."],
      ["where something else refuses it", () => target.url(""), "It answered 403."],
      ["that leads elsewhere", () => target.url(""), "It answered 301, a redirect, which is not followed."],
    ])("and says what is wrong with one %s", async (what, url, reason) => {
      const workspace = await connected();
      if (what.includes("refuses")) target.behave = answers(403, {}, "an internal page");
      if (what.includes("elsewhere")) target.behave = answers(301, { location: server.url() });
      bootWith({ WORKER: "separate", APP_URL: url() });
      const failure: unknown = await sendTestDelivery.execute(workspace.caller, { provider: "fathom" }).catch((e) => e);
      bootWith({ WORKER: "separate" });
      expect(failure).toMatchObject({ code: "test_not_received", extras: { reason } });
      expect((failure as Error).message).not.toContain("internal page");
      expect((await list(workspace)).deliveries).toEqual([]);
    });
  });

  test("is a test only with the secret: the name of its sender alone is turned away", async () => {
    const workspace = await connected();
    const { body, headers } = recorded(minimalSample, { secret: `whsec_${Buffer.alloc(32, 9).toString("base64")}` });
    const sent = await deliver(workspace, { body, headers: { ...headers, "user-agent": "Rapport signed test" } });
    expect(sent).toMatchObject({ status: 401, body: { error: "invalid_signature" } });
    expect((await list(workspace)).deliveries).toEqual([]);
  });

  test("needs a secret, and a provider that delivers", async () => {
    const workspace = await createTestWorkspace();
    const send = (provider: string) => sendTestDelivery.execute(workspace.caller, { provider });
    await expect(send("fathom")).rejects.toMatchObject({ code: "signing_secret_not_configured" });
    await expect(send("hubspot")).rejects.toMatchObject({ code: "unknown_provider" });
  });
});

test("deliveries are counted by day, with those that failed, of all providers or one", async () => {
  const workspace = await connected();
  const insert = (provider: string, status: string, days: number, count: number) =>
    inspect(
      `INSERT INTO inbound_deliveries (workspace_id, id, provider, key, status, answer, headers, payload, received_at)
       SELECT $1, gen_random_uuid(), $2, gen_random_uuid()::text, $3::inbound_status, '{}', '{}', '', now() - make_interval(days => $4)
       FROM generate_series(1, $5)`,
      [workspace.id, provider, status, days, count],
    );
  await insert("fathom", "processed", 0, 3);
  await insert("fathom", "failed", 0, 1);
  await insert("cal_com", "skipped", 5, 2);
  await insert("cal_com", "processed", 40, 9);
  const { days, since } = await getInboundDays.execute(workspace.caller, {});
  expect(days).toHaveLength(30);
  expect([days.at(-1), days.at(-6)]).toMatchObject([
    { delivered: 3, failed: 1 },
    { delivered: 2, failed: 0 },
  ]);
  expect(days.reduce((sum, { delivered, failed }) => sum + delivered + failed, 0)).toBe(6);
  expect(since).toBeNull();
  const fathom = await getInboundDays.execute(workspace.caller, { provider: "fathom" });
  expect(fathom.days.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(3);
  await insert("fathom", "processed", 2, 10_000);
  const many = await getInboundDays.execute(workspace.caller, {});
  expect(many.since).not.toBeNull();
  expect(many.days.reduce((sum, { delivered, failed }) => sum + delivered + failed, 0)).toBe(10_000);
});
