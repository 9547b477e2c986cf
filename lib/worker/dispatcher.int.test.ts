import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { together } from "#lib/core/together.ts";
import { capture } from "#lib/domain/crm/activities/service.ts";
import { createLead, createLeadList } from "#lib/domain/crm/leads/service.ts";
import { upsertPerson } from "#lib/domain/crm/people/service.ts";
import type { Trigger } from "#lib/domain/integrations/triggers/contract.ts";
import { bodySchema } from "#lib/domain/integrations/triggers/events.ts";
import {
  changeTrigger,
  createTrigger,
  deleteTrigger,
  getTrigger,
  getTriggerDelivery,
  listTriggerDeliveries,
  listTriggers,
  replayTriggerDeliveries,
  replayTriggerDelivery,
  resumeTrigger,
  skipTriggerDelivery,
  testTrigger,
} from "#lib/domain/integrations/triggers/service.ts";
import { saveNote } from "#lib/domain/knowledge/notes/service.ts";
import { saveFact } from "#lib/domain/records/facts/service.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { loadSampleData } from "#lib/domain/workspace/sample-data/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { answers, hangs, type ReceivedWebhook, WebhookTarget } from "#lib/testing/webhook-target.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startDispatcher, stopDispatcher } from "./dispatcher.ts";

const targets: WebhookTarget[] = [];
beforeAll(async () => {
  bootWith({ ALLOW_PRIVATE_WEBHOOK_TARGETS: "true" });
  await startDispatcher();
});
afterEach(async () => {
  for (const target of targets.splice(0)) await target.stop();
});
afterAll(() => stopDispatcher());

async function open(): Promise<WebhookTarget> {
  const target = await new WebhookTarget().start();
  targets.push(target);
  return target;
}

type TriggerSetup = { mine: TestWorkspace; target: WebhookTarget; trigger: Trigger; secret: string };

async function withTrigger(
  events: string[],
  more: Record<string, unknown> = {},
  mine?: TestWorkspace,
): Promise<TriggerSetup> {
  const workspace = mine ?? (await createTestWorkspace());
  const target = await open();
  const { trigger, secret } = await createTrigger.execute(workspace.caller, { url: target.url(), events, ...more });
  return { mine: workspace, target, trigger, secret: secret as string };
}

const call = ({ caller }: TestWorkspace, n: number, email = "anna@acme.com") =>
  capture.execute(caller, { email, type: "call", external_id: `call-${n}`, metadata: { n } });

const numbers = (target: WebhookTarget): number[] => target.received.map(numberOf);
const numberOf = ({ body }: ReceivedWebhook) => (body.data.value as { metadata: { n: number } }).metadata.n;
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

const deliveries = async ({ mine, trigger }: TriggerSetup, status?: string) =>
  (await listTriggerDeliveries.execute(mine.caller, { id: trigger.id, ...(status ? { status } : {}) })).deliveries;
const read = async ({ mine, trigger }: TriggerSetup) =>
  (await getTrigger.execute(mine.caller, { id: trigger.id })).trigger;

describe("events", () => {
  test("reach the target at once, signed, as their schemas say", async () => {
    const made = await withTrigger([
      "contact.created",
      "activity.email_received",
      "stage.advanced",
      "note.saved",
      "fact.recorded",
    ]);
    const { mine, target, secret } = made;
    const begun = Date.now();
    const { activity_id } = await capture.execute(mine.caller, {
      email: "anna@acme.com",
      type: "email_received",
      description: "Re: Security",
      metadata: { thread: 7 },
    });
    await expect.poll(() => target.types, { interval: 5 }).toHaveLength(3);
    expect(Date.now() - begun).toBeLessThan(10_000); // they were told, not found by the look every 15 s
    await saveNote.execute(mine.caller, { focus: "anna@acme.com", content: "Wants SSO.", title: "Call" });
    const first = await saveFact.execute(mine.caller, { section: "ICP", content: "Seed", mode: "replace" });
    await saveFact.execute(mine.caller, { section: "ICP", content: "Series A", mode: "replace" });
    await expect.poll(() => target.types).toHaveLength(6);
    for (const { raw, headers, body } of target.received) {
      new Webhook(secret).verify(raw, headers as Record<string, string>);
      expect(bodySchema(body.type).parse(body)).toEqual(body);
    }
    const told = Object.fromEntries(target.received.map(({ body }) => [body.type, body.data]));
    expect(told["contact.created"]).toMatchObject({
      entity_name: "anna@acme.com",
      email: "anna@acme.com",
      domain: "acme.com",
      source: "api",
    });
    expect(told["activity.email_received"]).toMatchObject({
      activity_id,
      value: { description: "Re: Security", metadata: { thread: 7 } },
    });
    expect(told["stage.advanced"]).toMatchObject({
      previous: "identified",
      value: "interested",
      caused_by: activity_id,
    });
    expect(told["note.saved"]).toMatchObject({ value: { title: "Call", type: "note" } });
    expect(told["fact.recorded"]).toMatchObject({
      entity_type: "workspace",
      previous: { id: first.fact.id, category: "ICP", content: "Seed" },
      value: { category: "ICP", content: "Series A" },
    });
    expect(await inspect("SELECT 1 FROM outbox WHERE workspace_id = $1", [mine.id])).toEqual([]);
  });

  test("of other slices are passed on with what they say", async () => {
    const { mine, target } = await withTrigger(["lead.replied", "icp.changed"]);
    const { contact_id } = await call(mine, 1);
    const lead = { lead_id: contact_id, list_id: contact_id, previous: "sent", value: "replied", caused_by: null };
    const score = {
      previous: { score: 40, tier: "not_icp" },
      value: { score: 80, tier: "tier_2", reason: "VP" },
      caused_by: null,
    };
    await inspect(
      `INSERT INTO outbox (workspace_id, type, entity_id, data, at) VALUES ($1, 'lead.replied', $2, $3, now()), ($1, 'icp.changed', $2, $4, now())`,
      [mine.id, contact_id, lead, score],
    );
    await call(mine, 2);
    await expect.poll(() => target.types).toEqual(["lead.replied", "icp.changed"]);
    for (const { body } of target.received) expect(bodySchema(body.type).parse(body)).toEqual(body);
  });

  test("come under the name that they were asked for, and only those that pass the filters", async () => {
    const mine = await createTestWorkspace();
    const alias = await withTrigger(["interaction.linkedin_message_received"], {}, mine);
    const staged = await withTrigger(["activity.linkedin_message"], { filters: { stage: ["interested"] } }, mine);
    const narrow = await withTrigger(
      ["activity.linkedin_message"],
      { filters: { property: { seniority: ["vp"] }, source: ["gmail"], plan: ["growth"] } },
      mine,
    );
    await upsertPerson.execute(mine.caller, { email: "vp@acme.com", seniority: "VP", plan: "growth" });
    const say = (email: string, source: string) =>
      capture.execute(mine.caller, { email, type: "linkedin_message", source });
    await say("vp@acme.com", "gmail");
    await say("vp@acme.com", "other");
    await say("other@acme.com", "gmail");
    await expect.poll(() => staged.target.received.length).toBe(3);
    await expect.poll(() => alias.target.types).toEqual(Array(3).fill("interaction.linkedin_message_received"));
    expect(narrow.target.received.map(({ body }) => body.data.email)).toEqual(["vp@acme.com"]);
  });

  test("can be narrowed to the people of a lead list", async () => {
    const mine = await createTestWorkspace();
    const { lead_list: list } = await createLeadList.execute(mine.caller, { name: "Spring fair" });
    const listed = await withTrigger(["activity.call"], { filters: { list: [list.id] } }, mine);
    await createLead.execute(mine.caller, { list_id: list.id, email: "in@acme.com" });
    for (const email of ["out@acme.com", "in@acme.com"]) await capture.execute(mine.caller, { email, type: "call" });
    await expect.poll(() => listed.target.received.map(({ body }) => body.data.email)).toEqual(["in@acme.com"]);
    await expect.poll(() => inspect("SELECT 1 FROM outbox WHERE workspace_id = $1", [mine.id])).toEqual([]);
    expect(listed.target.received).toHaveLength(1);
  });

  test("from before the trigger, and of sample data, are not sent", async () => {
    const mine = await createTestWorkspace();
    await call(mine, 0);
    const made = await withTrigger(["activity.call", "contact.created", "stage.advanced"], {}, mine);
    await loadSampleData.execute(mine.caller, {});
    await call(mine, 1, "bob@acme.com");
    await expect.poll(() => made.target.types).toEqual(["contact.created", "activity.call"]);
    await expect.poll(() => inspect("SELECT 1 FROM outbox WHERE workspace_id = $1", [mine.id])).toEqual([]);
    expect(await deliveries(made)).toHaveLength(2);
  });

  test("of a transaction that commits late are not missed", async () => {
    const made = await withTrigger(["activity.call"]);
    const { contact_id } = await call(made.mine, 0);
    await expect.poll(() => made.target.received).toHaveLength(1);
    const { administer } = await import("#lib/testing/postgres.ts");
    const { database } = await import("#lib/testing/database.ts");
    await administer(database.adminUrl, async (client) => {
      await client.query("BEGIN");
      await client.query(
        "INSERT INTO outbox (workspace_id, type, entity_id, data, at) VALUES ($1, 'activity.call', $2, '{}', now())",
        [made.mine.id, contact_id],
      );
      await call(made.mine, 1);
      await expect.poll(() => made.target.received).toHaveLength(2);
      await client.query("COMMIT");
    });
    await call(made.mine, 2);
    await expect.poll(() => made.target.received).toHaveLength(4);
  });
});

describe("order", () => {
  test("a failing head is tried again before what is behind it, and blocks no other trigger", async () => {
    const mine = await createTestWorkspace();
    const made = await withTrigger(["activity.call"], {}, mine);
    const other = await withTrigger(["activity.call"], {}, mine);
    made.target.behave = answers(500);
    for (const n of upTo(4)) await call(mine, n);
    await expect.poll(() => numbers(other.target)).toEqual([0, 1, 2, 3]);
    await expect.poll(() => numbers(made.target)).toEqual([0]);
    const state = await read(made);
    expect(state).toMatchObject({ waiting: 4, status: "active", message: "The last attempt failed: It answered 500." });
    const wait = Date.parse(state.next_attempt_at ?? "") - (made.target.received[0]?.at ?? 0);
    expect(wait).toBeGreaterThan(3_000);
    made.target.accept();
    await expect.poll(() => numbers(made.target)).toEqual([0, 0, 1, 2, 3]);
    await expect.poll(async () => (await read(made)).message).toBeNull();
    const [first] = (await deliveries(made)).toReversed();
    expect(new Set(made.target.received.slice(0, 2).map(({ id }) => id))).toEqual(new Set([first?.id]));
    expect(made.target.received[0]?.raw).toBe(made.target.received[1]?.raw);
    expect(first).toMatchObject({ attempts: 2, status: "delivered" });
  });

  test("holds whatever the target answers", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), async (plan) => {
        const made = await withTrigger(["activity.call"]);
        const outcomes = [...plan];
        made.target.behave = (_received, response) =>
          void response.writeHead(outcomes.shift() === false ? 503 : 200).end();
        await together(upTo(6).map((n) => call(made.mine, n)));
        const settled = async () => (await deliveries(made, "delivered")).length;
        for (const end = Date.now() + 60_000; (await settled()) < 6 && Date.now() < end; ) {
          // Time passes: what waits is due.
          await testTime(made);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        const seen = made.target.received.map(({ id }) => id);
        const firsts = [...new Set(seen)];
        const log = (await deliveries(made)).toReversed().map(({ id }) => id);
        expect(firsts).toEqual(log);
        // Each one's attempts are together: nothing was sent between a failure and its retry.
        expect(seen.filter((id, place) => seen.indexOf(id) === place || seen[place - 1] === id)).toEqual(seen);
      }),
      { numRuns: 8 },
    );
  });

  /** As if the pause before the next attempt were over. */
  async function testTime({ mine, trigger }: TriggerSetup): Promise<void> {
    await resumeTrigger.execute(mine.caller, { id: trigger.id });
  }

  test("one that is never accepted can be skipped", async () => {
    const made = await withTrigger(["activity.call"]);
    made.target.behave = (received, response) => void response.writeHead(numberOf(received) === 0 ? 422 : 200).end();
    for (const n of upTo(3)) await call(made.mine, n);
    await expect.poll(() => numbers(made.target)).toEqual([0]);
    await expect.poll(async () => (await deliveries(made)).at(-1)?.attempts).toBe(1);
    const head = (await deliveries(made)).at(-1);
    const { delivery } = await skipTriggerDelivery.execute(made.mine.caller, { id: head?.id });
    expect(delivery.status).toBe("skipped");
    await expect.poll(() => numbers(made.target)).toEqual([0, 1, 2]);
  });
});

describe("a target", () => {
  test("that asks for a time gets it", async () => {
    const made = await withTrigger(["activity.call"]);
    const at = new Date(Date.now() + 1_800_000);
    made.target.behave = answers(429, { "retry-after": at.toUTCString() });
    await call(made.mine, 0);
    await expect.poll(async () => (await deliveries(made))[0]?.attempts).toBe(1);
    const wait = Date.parse((await read(made)).next_attempt_at ?? "") - at.getTime();
    expect(Math.abs(wait)).toBeLessThan(60_000);
  });

  test("that is gone (410) stops the trigger with a notice; resumed, everything that waited comes in order", async () => {
    const made = await withTrigger(["activity.call"]);
    made.target.behave = answers(410);
    for (const n of upTo(3)) await call(made.mine, n);
    await expect.poll(async () => (await read(made)).status).toBe("disabled");
    expect((await read(made)).message).toContain("410");
    await call(made.mine, 3);
    await expect.poll(async () => (await read(made)).waiting).toBe(4);
    expect(made.target.received).toHaveLength(1);
    const told = await inspect("SELECT detail FROM audit_log WHERE workspace_id = $1 AND action = 'trigger.disabled'", [
      made.mine.id,
    ]);
    expect(told).toHaveLength(1);
    made.target.accept();
    expect((await resumeTrigger.execute(made.mine.caller, { id: made.trigger.id })).trigger.status).toBe("active");
    await expect.poll(() => numbers(made.target)).toEqual([0, 0, 1, 2, 3]);
  });

  test("that fails to the end of the schedule has its delivery given up, then the trigger stops, and a replay brings it", async () => {
    const made = await withTrigger(["activity.call"]);
    made.target.behave = answers(500);
    await call(made.mine, 0);
    await expect.poll(async () => (await deliveries(made))[0]?.attempts).toBe(1);
    // Nine pauses later, which would take three days.
    await inspect("UPDATE trigger_deliveries SET tries = 9, next_at = now() WHERE workspace_id = $1", [made.mine.id]);
    await changeTrigger.execute(made.mine.caller, { id: made.trigger.id, name: "again" });
    await expect.poll(async () => (await deliveries(made))[0]?.status).toBe("failed");
    expect((await read(made)).status).toBe("active");
    await call(made.mine, 1);
    await expect.poll(async () => (await read(made)).status).toBe("disabled");
    expect((await read(made)).message).toContain("three days");
    made.target.accept();
    await resumeTrigger.execute(made.mine.caller, { id: made.trigger.id });
    await expect.poll(() => numbers(made.target)).toEqual([0, 0, 1, 1]);
    const again = await replayTriggerDeliveries.execute(made.mine.caller, { id: made.trigger.id });
    expect(again).toMatchObject({ replayed: 1, next_since: null });
    await expect.poll(() => numbers(made.target)).toEqual([0, 0, 1, 1, 0]);
    await expect.poll(async () => (await deliveries(made, "delivered")).length).toBe(2);
  });

  test("that accepts a test gets what waits at once", async () => {
    const made = await withTrigger(["activity.call"]);
    made.target.behave = answers(503);
    await call(made.mine, 0);
    await expect.poll(async () => (await deliveries(made))[0]?.attempts).toBe(1);
    made.target.accept();
    expect((await testTrigger.execute(made.mine.caller, { id: made.trigger.id })).ok).toBe(true);
    await expect.poll(async () => (await deliveries(made, "pending")).length).toBe(0);
  });

  test("of another tenant that hangs slows no one down", async () => {
    const [slow, quick] = [await withTrigger(["activity.call"]), await withTrigger(["activity.call"])];
    slow.target.behave = hangs;
    await together(upTo(20).map((n) => call(slow.mine, n)));
    await expect.poll(() => slow.target.received.length).toBe(1);
    await together(upTo(20).map((n) => call(quick.mine, n)));
    await expect.poll(() => quick.target.received.length).toBe(20);
    expect(slow.target.received).toHaveLength(1);
    expect(new Set(quick.target.received.map(({ body }) => body.data.workspace_id))).toEqual(new Set([quick.mine.id]));
    slow.target.accept();
  });
});

describe("people", () => {
  test("replay one, and all since a time, in order", async () => {
    const made = await withTrigger(["activity.call"]);
    for (const n of upTo(3)) await call(made.mine, n);
    await expect.poll(async () => (await deliveries(made, "delivered")).length).toBe(3);
    const [, second, first] = await deliveries(made);
    await replayTriggerDelivery.execute(made.mine.caller, { id: second?.id });
    await expect.poll(() => numbers(made.target)).toEqual([0, 1, 2, 1]);
    expect(made.target.received[3]?.id).toBe(second?.id);
    await expect.poll(async () => (await deliveries(made, "delivered")).length).toBe(3);
    const { caller } = made.mine;
    const read = await getTriggerDelivery.execute(caller, { id: second?.id });
    expect(read.delivery.attempts.map(({ by }) => by)).toEqual(["delivery", "replay"]);
    await expect(replayTriggerDeliveries.execute(caller, { id: made.trigger.id, which: "all" })).rejects.toMatchObject({
      code: "since_required",
    });
    const all = { id: made.trigger.id, which: "all", since: first?.created_at };
    expect(await replayTriggerDeliveries.execute(caller, all)).toMatchObject({ replayed: 3 });
    await expect.poll(() => numbers(made.target)).toEqual([0, 1, 2, 1, 0, 1, 2]);
  });

  test("pause a trigger: events wait, or are skipped on resume; a deleted one sends nothing", async () => {
    const made = await withTrigger(["activity.call"]);
    const { caller } = made.mine;
    const { id } = made.trigger;
    await changeTrigger.execute(caller, { id, status: "paused" });
    for (const n of upTo(2)) await call(made.mine, n);
    await expect.poll(async () => (await read(made)).waiting).toBe(2);
    expect(made.target.received).toEqual([]);
    expect((await resumeTrigger.execute(caller, { id, skip_waiting: true })).skipped).toBe(2);
    await call(made.mine, 2);
    await expect.poll(() => numbers(made.target)).toEqual([2]);
    await deleteTrigger.execute(caller, { id });
    await call(made.mine, 3);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(numbers(made.target)).toEqual([2]);
  });

  test("see how it went by the hour", async () => {
    const made = await withTrigger(["activity.call"]);
    for (const n of upTo(2)) await call(made.mine, n);
    await expect.poll(async () => (await deliveries(made, "delivered")).length).toBe(2);
    const { triggers } = await listTriggers.execute(made.mine.caller, {});
    expect(triggers[0]?.health).toMatchObject([{ delivered: 2, failed: 0 }]);
  });

  test("who are erased leave the log and the queue", async () => {
    const made = await withTrigger(["activity.call"]);
    await call(made.mine, 0);
    await call(made.mine, 1, "bob@acme.com");
    await expect.poll(async () => (await deliveries(made, "delivered")).length).toBe(2);
    await erasePerson.execute(made.mine.caller, { focus: "anna@acme.com" });
    const left = await inspect<{ body: string }>("SELECT body FROM trigger_deliveries WHERE workspace_id = $1", [
      made.mine.id,
    ]);
    expect(left).toHaveLength(1);
    expect(JSON.stringify(left)).not.toContain("anna");
  });
});
