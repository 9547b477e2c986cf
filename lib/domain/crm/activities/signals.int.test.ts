import { describe, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { captureSignals, type Signal, supersedeActivity } from "./service.ts";

const { call } = useServer();

async function start() {
  const { caller, key } = await createTestWorkspace();
  const run = <T>(work: (ctx: Ctx) => Promise<T>): Promise<T> =>
    withWorkspace(caller.workspaceId, (db) => work({ ...(caller as Caller), db }));
  return { caller, key: await key(), run };
}

const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);
const booking = (uid: string, occurredAt: Date): Signal => ({
  email: "anna@acme.com",
  name: "Anna van der Berg",
  type: "meeting_scheduled",
  source: "cal_com",
  description: "Booked: Intro",
  externalId: `cal_com_book_${uid}`,
  occurredAt,
  metadata: { uid },
  createContact: true,
});

test("a webhook's signal names the contact it creates, and one that may not create answers null and writes nothing", async () => {
  const { run, key, caller } = await start();
  expect(await run((ctx) => captureSignals(ctx, [{ ...booking("1", inDays(1)), createContact: false }]))).toEqual([
    null,
  ]);
  const [made, ...rest] = await run((ctx) =>
    captureSignals(ctx, [
      booking("1", inDays(1)),
      { ...booking("1", inDays(1)), email: "no address" },
      { ...booking("2", inDays(2)), email: "ANNA@acme.com", createContact: false },
    ]),
  );
  expect(made).toMatchObject({ stages: { before: "identified", after: "evaluating" }, createdContact: true });
  expect(rest).toMatchObject([
    null,
    { contactId: made?.contactId, stages: { before: "evaluating" }, createdContact: false },
  ]);
  const { people } = (await call("/v2/people", { key })).body as { people: Record<string, unknown>[] };
  expect(people).toMatchObject([{ first_name: "Anna", last_name: "van der Berg", source: "cal_com" }]);
  expect(Date.parse(String(people[0]?.last_activity_at))).toBeLessThanOrEqual(Date.now());
  expect((await rebuildWorkspace(caller)).differences).toEqual([]);
});

test("what a company's timeline holds under the same external id is no answer to a capture", async () => {
  const { key } = await start();
  const focus = "acme.com";
  const event = { kind: "event", property: "interaction.call", value: {}, source: "crm", external_id: "call-1" };
  const told = await call("/v2/observations", { key, body: { focus, observations: [event] } });
  expect(told.body).toMatchObject({ recorded: 1 });
  const capture = { contact_id: told.body.entity_id, type: "call", source: "crm", external_id: "call-1" };
  for (const headers of [{}, { "idempotency-key": "once" }] as Record<string, string>[])
    expect(await call("/api/v1/capture", { key, body: capture, headers })).toMatchObject({
      status: 404,
      body: { error: "contact_not_found" },
    });
  expect((await call("/api/v1/capture/batch", { key, body: [capture] })).body).toMatchObject({
    results: [{ ok: false, error: "contact_not_found" }],
  });
});

test("no signals are no work", async () => {
  const { run } = await start();
  expect(await run((ctx) => captureSignals(ctx, []))).toEqual([]);
});

describe("a booking that was moved", () => {
  type Event = { type: string; summary: string; value: { metadata: Record<string, unknown> } };
  const timeline = async (key: string) =>
    (await call("/v2/accounts/anna@acme.com/timeline", { key })).body.events as Event[];

  test.each(["before", "after"])("is not an upcoming meeting, replaced %s the old one is known", async (order) => {
    const { run, key, caller } = await start();
    const [old, moved] = [booking("old", inDays(2)), booking("new", inDays(4))];
    const supersede = () =>
      run((ctx) =>
        supersedeActivity(ctx, { source: "cal_com", externalId: "cal_com_book_old", byExternalId: "cal_com_book_new" }),
      );
    if (order === "after") await run((ctx) => captureSignals(ctx, [old]));
    await run((ctx) => captureSignals(ctx, [moved]));
    expect(await supersede()).toBe(1);
    if (order === "before") await run((ctx) => captureSignals(ctx, [old]));
    await supersede();

    expect(
      (await timeline(key)).map(({ type, summary, value }) => [type, summary, value.metadata.superseded_by]),
    ).toEqual([
      ["meeting_scheduled", "Booked: Intro", undefined],
      ["meeting_scheduled", "Rescheduled: Intro", "cal_com_book_new"],
    ]);
    const attention = (await call("/v2/attention", { key })).body.items as { kind: string; age_days: number }[];
    expect(attention).toMatchObject([{ kind: "upcoming_meeting", age_days: -4 }]);
    const context = (await call("/v2/context", { key, body: { focus: "anna@acme.com", intent: "meeting_prep" } })).body;
    expect(JSON.stringify(context.timeline)).toContain("Rescheduled: Intro");
    expect(context.summary).toContain(inDays(4).toISOString().slice(0, 10));
    const account = (await call("/v2/accounts/anna@acme.com", { key })).body;
    expect(Object.keys(account.claims as object).filter((name) => name.includes("superseded"))).toEqual([]);
    expect((await rebuildWorkspace(caller)).differences).toEqual([]);
  });
});
