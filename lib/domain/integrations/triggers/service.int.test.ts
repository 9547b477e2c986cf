import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { capture } from "#lib/domain/crm/activities/service.ts";
import { patchPerson, upsertCompany, upsertPeople } from "#lib/domain/crm/people/service.ts";
import { recordObservations } from "#lib/domain/knowledge/observations/service.ts";
import { saveFact } from "#lib/domain/records/facts/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { answers, WebhookTarget } from "#lib/testing/webhook-target.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { DAY_MS } from "#lib/text/time.ts";
import type { Trigger } from "./contract.ts";
import { sweepDeliveries } from "./jobs.ts";
import { insertTrigger, markWorkspace } from "./queries.ts";
import {
  changeTrigger,
  createTrigger,
  deleteTrigger,
  getTrigger,
  getTriggerDays,
  getTriggerDelivery,
  listTriggerDeliveries,
  listTriggerEvents,
  listTriggers,
  resumeTrigger,
  rotateTriggerSecret,
  runRound,
  sweepUnwanted,
  testTrigger,
} from "./service.ts";

let target: WebhookTarget;
let mine: TestWorkspace;
beforeAll(async () => {
  bootWith({ ALLOW_PRIVATE_WEBHOOK_TARGETS: "true" });
  target = await new WebhookTarget().start();
});
afterAll(() => target.stop());
beforeEach(async () => {
  target.accept();
  target.received.length = 0;
  mine = await createTestWorkspace();
});

const make = async (
  more: Record<string, unknown> = {},
): Promise<{ created: boolean; trigger: Trigger; secret: string }> => {
  const made = await createTrigger.execute(mine.caller, { url: target.url(), events: ["stage.advanced"], ...more });
  return { ...made, secret: made.secret as string };
};

describe("a trigger", () => {
  test("is made with a secret that is shown once and stored encrypted", async () => {
    const { trigger, secret } = await make({ name: "Slack", filters: { stage: ["client"] } });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(trigger).toMatchObject({ name: "Slack", status: "active", filters: { stage: ["client"] }, waiting: 0 });
    const listed = await listTriggers.execute(mine.caller, {});
    expect(listed.triggers).toMatchObject([{ id: trigger.id, health: [] }]);
    expect(JSON.stringify(listed)).not.toContain(secret);
    const [stored] = await inspect<{ secret: string }>("SELECT secret FROM triggers WHERE id = $1", [trigger.id]);
    expect(stored?.secret).toMatch(/^v1\./);
    const [workspace] = await inspect("SELECT has_triggers FROM workspaces WHERE id = $1", [mine.id]);
    expect(workspace).toEqual({ has_triggers: true });
  });

  test.each([
    [{}, "url_and_events_required"],
    [{ url: "" }, "url_and_events_required"],
    [{ url: "https://hooks.example.com", events: [] }, "url_and_events_required"],
    [{ url: "not a url", events: ["note.saved"] }, "invalid_url"],
    [{ url: "https://hooks.example.com", events: ["note.gone"] }, "unknown_event"],
    [{ url: "https://hooks.example.com", events: ["note.saved"], filters: { colour: 1 } }, "invalid_parameter"],
    [{ url: "https://a.example", events: ["note.saved"], filters: { people: { colour: 1 } } }, "invalid_parameter"],
    [{ url: "https://a.example", events: ["note.saved"], filters: { people: { limit: 5 } } }, "invalid_parameter"],
    [{ url: "https://a.example", events: ["note.saved"], filters: { companies: { title: "x" } } }, "invalid_parameter"],
    [
      { url: "https://a.example", events: ["note.saved"], filters: { people: { "company.industry": "gte:5" } } },
      "invalid_parameter",
    ],
  ])("%j is refused: %s", async (input, code) => {
    await expect(createTrigger.execute(mine.caller, input)).rejects.toMatchObject({ code });
    expect((await listTriggers.execute(mine.caller, {})).triggers).toEqual([]);
  });

  test("an unknown event names those there are", async () => {
    const given = { url: target.url(), events: ["stage.gone"] };
    await expect(createTrigger.execute(mine.caller, given)).rejects.toMatchObject({
      extras: { available_events: expect.arrayContaining(["stage.advanced", "interaction.meeting_held"]) },
    });
  });

  test("a private address is refused unless the operator allows it", async () => {
    bootWith();
    await expect(make()).rejects.toMatchObject({ code: "invalid_url" });
    bootWith({ ALLOW_PRIVATE_WEBHOOK_TARGETS: "true" });
    await make();
  });

  test("a host that the operator does not list is refused, and is sent nothing when it was saved before", async () => {
    const { trigger } = await make();
    bootWith({ ALLOW_PRIVATE_WEBHOOK_TARGETS: "true", TARGET_HOSTS: "hooks.example.com,*.n8n.cloud" });
    await expect(make({ events: ["note.saved"] })).rejects.toMatchObject({ code: "invalid_url" });
    expect(await testTrigger.execute(mine.caller, { id: trigger.id })).toMatchObject({
      ok: false,
      delivery: { attempts: [{ problem: "Its host is not one that this server may reach." }] },
    });
    expect(await make({ url: "https://acme.n8n.cloud/x" })).toMatchObject({ created: true });
    bootWith({ ALLOW_PRIVATE_WEBHOOK_TARGETS: "true" });
  });

  test("an address without TLS is refused where REQUIRE_TLS is true, and is sent nothing when it was saved before", async () => {
    const { trigger } = await make();
    expect(trigger.url).toMatch(/^http:/);
    bootWith({ ALLOW_PRIVATE_WEBHOOK_TARGETS: "true", REQUIRE_TLS: "true" });
    const before = target.received.length;
    await expect(make({ events: ["note.saved"] })).rejects.toMatchObject({ code: "invalid_url" });
    expect(await testTrigger.execute(mine.caller, { id: trigger.id })).toMatchObject({
      ok: false,
      delivery: { attempts: [{ problem: "This server sends to https:// addresses only." }] },
    });
    expect(target.received).toHaveLength(before);
    expect(await make({ url: "https://acme.n8n.cloud/x" })).toMatchObject({ created: true });
    bootWith({ ALLOW_PRIVATE_WEBHOOK_TARGETS: "true" });
  });

  test("a workspace keeps at most 100", async () => {
    await make();
    await inspect(
      `INSERT INTO triggers (workspace_id, id, url, events, secret, created_by)
       SELECT $1, gen_random_uuid(), 'https://hooks.example.com', '{note.saved}', 'v1.test.a.b', 'test' FROM generate_series(1, 99)`,
      [mine.id],
    );
    await expect(make({ events: ["note.saved"] })).rejects.toMatchObject({ code: "too_many_triggers" });
  });

  test("that sends the same events to the same URL is answered, also of two made at once", async () => {
    const events = ["stage.advanced", "note.saved"];
    const [first, second] = await Promise.all([make({ events }), make({ events: events.toReversed(), name: "Again" })]);
    expect(first.trigger.id).toBe(second.trigger.id);
    expect([first, second].map(({ created }) => created).sort()).toEqual([false, true]);
    expect([first, second].filter(({ secret }) => secret === null)).toHaveLength(1);
    const others = [
      { events: ["note.saved"] },
      { events, filters: { stage: ["client"] } },
      { url: target.url("/x"), events },
    ];
    for (const other of others) expect(await make(other)).toMatchObject({ created: true });
    expect((await listTriggers.execute(mine.caller, {})).triggers).toHaveLength(4);
  });

  test("is changed, paused, resumed and deleted, each in the audit log", async () => {
    const { trigger } = await make();
    const { id } = trigger;
    const changed = await changeTrigger.execute(mine.caller, { id, events: ["note.saved"], name: null });
    expect(changed.trigger).toMatchObject({ events: ["note.saved"], url: target.url() });
    expect((await changeTrigger.execute(mine.caller, { id, status: "paused" })).trigger.status).toBe("paused");
    expect((await resumeTrigger.execute(mine.caller, { id })).trigger.status).toBe("active");
    await deleteTrigger.execute(mine.caller, { id });
    await expect(getTrigger.execute(mine.caller, { id })).rejects.toMatchObject({ code: "trigger_not_found" });
    const told = await inspect<{ action: string }>(
      "SELECT action FROM audit_log WHERE workspace_id = $1 ORDER BY at, id",
      [mine.id],
    );
    expect(told.map(({ action }) => action)).toEqual([
      "trigger.created",
      "trigger.changed",
      "trigger.changed",
      "trigger.resumed",
      "trigger.deleted",
    ]);
    expect(await inspect("SELECT has_triggers FROM workspaces WHERE id = $1", [mine.id])).toEqual([
      { has_triggers: false },
    ]);
  });

  test("that is made while the last one is deleted is noted on the workspace", async () => {
    const { trigger } = await make();
    const [made, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const making = withWorkspace(mine.id, async (db) => {
      const row = {
        id: newId(),
        name: null,
        url: target.url(),
        events: ["note.saved"],
        filters: {},
        secret: "v1.a.b.c",
      };
      await insertTrigger(db, { ...row, createdBy: "test" });
      await markWorkspace(db);
      made.resolve();
      await over.promise;
    });
    await made.promise;
    const deleting = deleteTrigger.execute(mine.caller, { id: trigger.id });
    await Promise.race([deleting, sleep(300)]); // it ends now, or waits for the other
    over.resolve();
    await Promise.all([making, deleting]);
    expect(await inspect("SELECT has_triggers FROM workspaces WHERE id = $1", [mine.id])).toEqual([
      { has_triggers: true },
    ]);
  });

  test("of another workspace is not there", async () => {
    const { trigger } = await make();
    const theirs = await createTestWorkspace();
    for (const operation of [getTrigger, testTrigger, rotateTriggerSecret, resumeTrigger, listTriggerDeliveries])
      await expect(operation.execute(theirs.caller, { id: trigger.id })).rejects.toMatchObject({
        code: "trigger_not_found",
      });
    expect(target.received).toEqual([]);
  });

  test("lists every event with a sample and its schema", async () => {
    const { events } = await listTriggerEvents.execute(mine.caller, {});
    expect(events.find(({ type }) => type === "interaction.meeting_held")).toMatchObject({
      alias_of: "activity.meeting_held",
      sample: { type: "interaction.meeting_held", data: { activity_type: "meeting_held" } },
      schema: { type: "object" },
    });
  });
});

describe("a test", () => {
  test("is signed so that both libraries accept it, and is in the log", async () => {
    const { trigger, secret } = await make({ events: ["interaction.email_received"] });
    const { ok, delivery } = await testTrigger.execute(mine.caller, { id: trigger.id });
    expect(ok).toBe(true);
    const [received] = target.received;
    if (!received) throw new Error("nothing came");
    const headers = received.headers as Record<string, string>;
    expect(new Webhook(secret).verify(received.raw, headers)).toMatchObject({ type: "interaction.email_received" });
    const svix = Object.fromEntries(
      ["id", "timestamp", "signature"].map((part) => [`svix-${part}`, headers[`webhook-${part}`] as string]),
    );
    new SvixWebhook(secret).verify(received.raw, svix);
    expect(() => new SvixWebhook(secret).verify(`${received.raw} `, svix)).toThrow();
    expect(() => new Webhook(secret).verify(`${received.raw} `, headers)).toThrow();
    expect(headers["webhook-test"]).toBe("true");
    expect(delivery).toMatchObject({ test: true, status: "delivered", id: received.id });
    const log = await listTriggerDeliveries.execute(mine.caller, { id: trigger.id });
    expect(log.deliveries).toMatchObject([{ id: delivery.id, attempts: 1, last_status: 200 }]);
  });

  test("that fails says why", async () => {
    const { trigger } = await make();
    target.behave = answers(500, {}, "broken\0 pipe");
    const { ok, delivery } = await testTrigger.execute(mine.caller, { id: trigger.id, event: "note.saved" });
    expect(ok).toBe(false);
    const read = await getTriggerDelivery.execute(mine.caller, { id: delivery.id });
    expect(read.delivery).toMatchObject({
      type: "note.saved",
      status: "failed",
      attempts: [{ by: "test", ok: false, status: 500, problem: "It answered 500.", response: "broken\uFFFD pipe" }],
    });
  });

  test("after a rotation carries both signatures until the overlap ends", async () => {
    const { trigger, secret: before } = await make();
    const { id } = trigger;
    const rotated = await rotateTriggerSecret.execute(mine.caller, { id });
    expect(rotated.trigger.secret_overlap_until).not.toBeNull();
    await testTrigger.execute(mine.caller, { id });
    const both = target.received[0];
    if (!both) throw new Error("nothing came");
    for (const secret of [before, rotated.secret])
      new Webhook(secret).verify(both.raw, both.headers as Record<string, string>);
    await inspect("UPDATE triggers SET old_secret_until = now() - interval '1 s' WHERE id = $1", [id]);
    await testTrigger.execute(mine.caller, { id });
    const one = target.received[1];
    if (!one) throw new Error("nothing came");
    new Webhook(rotated.secret).verify(one.raw, one.headers as Record<string, string>);
    expect(() => new Webhook(before).verify(one.raw, one.headers as Record<string, string>)).toThrow();
    const last = await rotateTriggerSecret.execute(mine.caller, { id, overlap_hours: 0 });
    expect(last.trigger.secret_overlap_until).toBeNull();
  });
});

test("events are kept only where a trigger asks for some, also one that is paused", async () => {
  const kept = async () =>
    (await inspect<{ type: string }>("SELECT type FROM outbox WHERE workspace_id = $1 ORDER BY seq", [mine.id])).map(
      ({ type }) => type,
    );
  const call = () => capture.execute(mine.caller, { email: "anna@acme.com", type: "call" });
  await call();
  expect(await kept()).toEqual([]);
  const { trigger } = await make({ events: ["activity.call"] });
  await call();
  expect(await kept()).toEqual(["activity.call"]);
  await changeTrigger.execute(mine.caller, { id: trigger.id, status: "paused" });
  await call();
  expect(await kept()).toEqual(["activity.call", "activity.call"]);
});

test("filters of lists let events about those records through, and about no others", async () => {
  const { caller, id } = mine;
  await upsertCompany.execute(caller, { domain: "acme.com", industry: "Fintech", employee_count: 120 });
  const people = [
    { email: "anna@acme.com", job_title: "Chief Financial Officer", seniority: "C" },
    { email: "bob@acme.com", job_title: "CTO", seniority: "C" },
    { email: "carla@umbra.io", job_title: "CFO" },
  ];
  await upsertPeople.execute(caller, { people });
  const events = ["activity.call", "fact.recorded"];
  const made = async (filters: object) => (await make({ events, filters })).trigger.id;
  const expected: Record<string, string[]> = {
    [await made({})]: ["acme.com", "anna", "bob", "carla", "workspace"],
    [await made({ people: { "company.industry": "fintech" } })]: ["anna", "bob"],
    [await made({ people: { company: { size: "gte:50" }, title: "CFO" } })]: ["anna"],
    [await made({ people: { property: { seniority: "not:c" }, pipeline_stage: "not:client" } })]: ["carla"],
    [await made({ people: { not_contacted_for: "30d", property: { seniority: "exists:true" } } })]: [],
    [await made({ companies: { property: { industry: "in:fintech,retail" } } })]: ["acme.com"],
    [await made({ people: { title: "CTO" }, companies: {} })]: ["acme.com", "bob"],
  };
  for (const { email } of people) await capture.execute(caller, { email, type: "call" });
  await recordObservations.execute(caller, {
    focus: "acme.com",
    observations: [{ kind: "event", property: "interaction.call", value: {} }],
  });
  await saveFact.execute(caller, { section: "ICP", content: "Fintechs" });
  await runRound(id, [], () => false);
  const about = await inspect<{ trigger: string; who: string }>(
    `SELECT d.trigger_id AS trigger, coalesce(split_part(p.email, '@', 1), c.domain, 'workspace') AS who FROM trigger_deliveries d
     LEFT JOIN people p ON p.id = d.entity_id LEFT JOIN companies c ON c.id = d.entity_id WHERE d.workspace_id = $1`,
    [id],
  );
  const whoFor = (trigger: string) => about.flatMap((each) => (each.trigger === trigger ? [each.who] : [])).sort();
  expect(Object.fromEntries(Object.keys(expected).map((trigger) => [trigger, whoFor(trigger)]))).toEqual(expected);
});

test("what came with sample data is not delivered, and what is done with it is", async () => {
  const { caller, id } = mine;
  await make({ events: ["contact.created", "activity.call", "stage.advanced"] });
  const call = { email: "anna@acme.com", type: "call" };
  await capture.execute(caller, { ...call, source: "sample", external_id: "1" });
  await capture.execute(caller, { ...call, external_id: "2" });
  await patchPerson.execute(caller, { focus: "anna@acme.com", pipeline_stage: "client" });
  await runRound(id, [], () => false);
  const sent = await inspect<{ type: string; source: string }>(
    "SELECT type, body::json #>> '{data,source}' AS source FROM trigger_deliveries WHERE workspace_id = $1 ORDER BY id",
    [id],
  );
  expect(sent.map(({ type }) => type)).toEqual(["activity.call", "stage.advanced"]);
  expect(sent.map(({ source }) => source)).not.toContain("sample");
});

describe("the sweep", () => {
  test("removes events of workspaces without triggers, and no others", async () => {
    const theirs = await createTestWorkspace({ listening: true });
    await make();
    for (const { caller } of [mine, theirs]) await capture.execute(caller, { email: "anna@acme.com", type: "call" });
    await inspect("DELETE FROM triggers WHERE workspace_id = $1", [theirs.id]);
    expect([await sweepUnwanted(mine.id), await sweepUnwanted(theirs.id)]).toEqual([false, false]);
    const left = (id: string) => inspect("SELECT 1 FROM outbox WHERE workspace_id = $1", [id]);
    expect([(await left(mine.id)).length, (await left(theirs.id)).length]).toEqual([2, 0]);
  });

  test("removes deliveries and counts after 30 days", async () => {
    const { trigger } = await make();
    const old = await testTrigger.execute(mine.caller, { id: trigger.id });
    await testTrigger.execute(mine.caller, { id: trigger.id });
    await inspect("UPDATE trigger_deliveries SET created_at = now() - interval '31 days' WHERE id = $1", [
      old.delivery.id,
    ]);
    expect(await sweepDeliveries(mine.id)).toBe(false);
    expect((await listTriggerDeliveries.execute(mine.caller, { id: trigger.id })).deliveries).toHaveLength(1);
    await sweepDeliveries(mine.id, new Date(Date.now() + 31 * DAY_MS));
    expect((await listTriggerDeliveries.execute(mine.caller, { id: trigger.id })).deliveries).toEqual([]);
  });
});

test("the log pages by cursor, and by status", async () => {
  const { trigger } = await make();
  const { id } = trigger;
  for (let n = 0; n < 3; n++) await testTrigger.execute(mine.caller, { id });
  target.behave = answers(500);
  await testTrigger.execute(mine.caller, { id });
  const first = await listTriggerDeliveries.execute(mine.caller, { id, limit: 3 });
  expect([first.deliveries.length, first.has_more]).toEqual([3, true]);
  const rest = await listTriggerDeliveries.execute(mine.caller, { id, limit: 3, cursor: first.next_cursor ?? "" });
  expect([rest.deliveries.length, rest.has_more, rest.next_cursor]).toEqual([1, false, null]);
  expect((await listTriggerDeliveries.execute(mine.caller, { id, status: "failed" })).deliveries).toHaveLength(1);
  await expect(getTriggerDelivery.execute(mine.caller, { id: newId() })).rejects.toMatchObject({
    code: "delivery_not_found",
  });
});

test("the deliveries of a trigger are counted by day in UTC, the last 30 days, also those without any", async () => {
  const { trigger } = await make({ events: ["note.saved"] });
  const other = await make();
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const rows = [
    [trigger.id, today, 3, 1],
    [trigger.id, today - DAY_MS, 2, 0],
    [trigger.id, today - DAY_MS + 23 * 3_600_000, 1, 4],
    [trigger.id, today - 29 * DAY_MS, 5, 0],
    [trigger.id, today - 30 * DAY_MS, 7, 0],
    [other.trigger.id, today, 9, 9],
  ] as const;
  for (const [id, hour, delivered, failed] of rows)
    await inspect(
      "INSERT INTO trigger_hours (workspace_id, trigger_id, hour, delivered, failed) VALUES ($1, $2, $3, $4, $5)",
      [mine.id, id, new Date(hour), delivered, failed],
    );
  const { days } = await getTriggerDays.execute(mine.caller, { id: trigger.id });
  expect(days).toHaveLength(30);
  expect(days.filter(({ delivered, failed }) => delivered + failed > 0).map(({ day: _, ...counts }) => counts)).toEqual(
    [
      { delivered: 5, failed: 0 },
      { delivered: 3, failed: 4 },
      { delivered: 3, failed: 1 },
    ],
  );
  expect(days.at(-1)?.day).toBe(new Date(today).toISOString().slice(0, 10));
  const foreign = (await createTestWorkspace()).caller;
  await expect(getTriggerDays.execute(foreign, { id: trigger.id })).rejects.toMatchObject({
    code: "trigger_not_found",
  });
});
