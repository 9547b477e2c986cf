/** Erasing a person while what happened with them is being told to triggers. */
import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { upsertPerson } from "#lib/domain/crm/people/service.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { deadlocks, waiting } from "#lib/testing/waits.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { insertDeliveries, takeEvents } from "./queries/events.ts";
import { createTrigger, listTriggers } from "./service.ts";

describe("events of a person who is erased", () => {
  async function setUp() {
    const { id, caller } = await createTestWorkspace({ listening: true });
    const { person } = await upsertPerson.execute(caller, { email: "anna@acme.com" });
    const anna = person.id;
    const [trigger] = await inspect<{ id: string }>("SELECT id FROM triggers WHERE workspace_id = $1", [id]);
    const delivery = { triggerId: trigger?.id as string, type: "contact.created", entityId: anna, body: "{}" };
    const deliver = (db: Db) => insertDeliveries(db, [{ id: newId(), ...delivery }]);
    const erase = () => erasePerson.execute(caller, { focus: anna });
    const remaining = () => inspect("SELECT FROM trigger_deliveries WHERE workspace_id = $1", [id]);
    return { id, anna, deliver, erase, remaining };
  }

  test("are turned into deliveries before that", async () => {
    const { id, anna, deliver, erase, remaining } = await setUp();
    const before = await deadlocks();
    let erasing: Promise<unknown> = Promise.resolve();
    await withWorkspace(id, async (db) => {
      expect((await takeEvents(db, 10)).map(({ entityId }) => entityId)).toContain(anna);
      erasing = erase();
      await waiting();
      await deliver(db);
    });
    await erasing;
    expect(await remaining()).toEqual([]);
    expect(await deadlocks()).toBe(before);
  });

  test("are left alone by who writes how a delivery about them ended", async () => {
    const { id, anna, deliver, erase, remaining } = await setUp();
    const before = await deadlocks();
    await withWorkspace(id, deliver);
    let erasing: Promise<unknown> = Promise.resolve();
    await withWorkspace(id, async (db) => {
      await db.query(sql("", "UPDATE trigger_deliveries SET tries = 1 WHERE workspace_id = $workspace"));
      erasing = erase();
      await waiting();
      expect((await takeEvents(db, 10)).map(({ entityId }) => entityId)).not.toContain(anna);
    });
    await erasing;
    expect(await remaining()).toEqual([]);
    expect(await deadlocks()).toBe(before);
  });
});

test("a trigger whose filters name who is erased is stopped, and names them no more", async () => {
  const { caller } = await createTestWorkspace();
  const { person } = await upsertPerson.execute(caller, { email: "anna@acme.com" });
  const url = "https://hooks.example.com";
  const make = (email: string) =>
    createTrigger.execute(caller, { url, events: ["activity.call"], filters: { people: { email } } });
  await make("anna@acme.com");
  await make("bob@acme.com");
  await erasePerson.execute(caller, { focus: person.id });
  expect((await listTriggers.execute(caller, {})).triggers).toMatchObject([
    { filters: {}, status: "disabled", message: expect.stringContaining("erased") },
    { filters: { people: { email: "bob@acme.com" } }, status: "active", message: null },
  ]);
});
