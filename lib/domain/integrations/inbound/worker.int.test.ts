import { expect, test } from "vitest";
import { inspect } from "#lib/testing/database.ts";
import { booked, connectProvider } from "#lib/testing/inbound.fixture.ts";
import createdSample from "#lib/testing/samples/cal/docs.booking_created.json" with { type: "json" };
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { listInboundDeliveries } from "./service.ts";

const server = useServer();

const guests = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `guest${index}@many.example` }));

async function deliverTo(workspaceId: string, attendees: object[]) {
  const { body, headers } = booked({ ...createdSample, payload: { ...createdSample.payload, attendees } });
  return server.call(`/inbound/cal_com/${workspaceId}`, { raw: body, headers });
}

test("the worker records what was too much to wait for", async () => {
  const workspace = await createTestWorkspace();
  await connectProvider(workspace.id, "cal_com");
  expect((await deliverTo(workspace.id, guests(60))).body).toEqual({ ok: true, queued: true });
  const log = async () => (await listInboundDeliveries.execute(workspace.caller, {})).deliveries;
  await expect
    .poll(log, { timeout: 30_000 })
    .toMatchObject([{ status: "processed", answer: { ok: true, logged: 60 } }]);
  expect((await deliverTo(workspace.id, guests(60))).body).toEqual({ ok: true, logged: 60 });
});

test("the worker records many people a portion a transaction, so that the locks suffice for everyone", async () => {
  const workspace = await createTestWorkspace();
  await connectProvider(workspace.id, "cal_com");
  expect((await deliverTo(workspace.id, guests(1_200))).body).toEqual({ ok: true, queued: true });
  const log = async () => (await listInboundDeliveries.execute(workspace.caller, {})).deliveries;
  await expect
    .poll(log, { timeout: 30_000 })
    .toMatchObject([{ status: "processed", answer: { ok: true, logged: 1_200 }, attempts: 1 }]);
  const portions = await inspect(
    `SELECT count(*)::int AS people FROM observations WHERE workspace_id = $1 AND property = 'interaction.meeting_scheduled'
     GROUP BY xmin ORDER BY 1`,
    [workspace.id],
  );
  expect(portions).toEqual([{ people: 200 }, { people: 500 }, { people: 500 }]);
});

test("the worker tries again what failed, after a pause", async () => {
  const workspace = await createTestWorkspace();
  await connectProvider(workspace.id, "cal_com");
  await inspect(`CREATE FUNCTION break_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
    CREATE TRIGGER break_it BEFORE INSERT ON observations FOR EACH ROW EXECUTE FUNCTION break_it()`);
  expect((await deliverTo(workspace.id, guests(2))).body).toEqual({ ok: true, queued: true });
  const log = async () => (await listInboundDeliveries.execute(workspace.caller, {})).deliveries;
  await expect.poll(log, { timeout: 30_000 }).toMatchObject([{ status: "pending", attempts: 2 }]);
  await inspect("DROP TRIGGER break_it ON observations");
  await expect.poll(log, { timeout: 30_000 }).toMatchObject([{ status: "processed", answer: { ok: true, logged: 2 } }]);
});
