import { afterAll, beforeAll, expect, test } from "vitest";
import { upsertPerson } from "#lib/domain/crm/people/service.ts";
import { listBackfillContacts } from "#lib/domain/integrations/bookings/service.ts";
import { connectIntegration } from "#lib/domain/integrations/connections/service.ts";
import { bookingOf, CalComStandIn, ORGANIZER } from "#lib/testing/cal-com.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { imported } from "#lib/testing/imports.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";

const standIn = new CalComStandIn();
beforeAll(async () => {
  await standIn.start();
  bootWith({ CAL_COM_API_URL: standIn.url });
  await startWorker();
});
afterAll(async () => {
  await stopWorker();
  await standIn.stop();
});

const past = "2026-10-20T10:00:00.000Z";
const book = (uid: string, email: string) =>
  standIn.bookings.push(bookingOf(uid, email, { createdAt: past, updatedAt: past }));

async function importedWith(content: string, connect: boolean) {
  const { id, caller } = await createTestWorkspace();
  if (connect) {
    const api_key = standIn.account(undefined, { email: ORGANIZER });
    await connectIntegration.execute(caller, { provider: "cal_com", credentials: { api_key } });
  }
  await upsertPerson.execute(caller, { email: "known@acme.example" });
  const record = await imported(caller, content);
  const meetings = () =>
    inspect<{ external_id: string }>(
      `SELECT external_id FROM observations WHERE workspace_id = $1 AND source = 'cal_com' AND property LIKE 'interaction.%'`,
      [id],
    );
  return { caller, record, meetings };
}

test("past bookings of the people in a file are looked up after its import, and those of no one else", async () => {
  book("of-anna", "anna@acme.example");
  book("of-known", "known@acme.example");
  const { caller, record, meetings } = await importedWith("Email\nanna@acme.example\nben@acme.example\n", true);
  await expect.poll(meetings).toHaveLength(1);
  const contacts = () => listBackfillContacts.execute(caller, { id: record.backfill_id });
  await expect.poll(contacts).toMatchObject({
    contacts: expect.arrayContaining([
      expect.objectContaining({ email: "anna@acme.example", logged: 1 }),
      expect.objectContaining({ email: "ben@acme.example", logged: 0 }),
    ]),
  });
  expect((await contacts()) as object).toMatchObject({ contacts: { length: 2 } });
  expect((await meetings())[0]?.external_id).toContain("of-anna");
});

test("nothing is looked up without a booking provider", async () => {
  const { record, meetings } = await importedWith("Email\nanna@acme.example\n", false);
  expect(record.backfill_id).toBeNull();
  expect(await meetings()).toEqual([]);
});
