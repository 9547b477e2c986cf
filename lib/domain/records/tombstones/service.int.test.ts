import { expect, test } from "vitest";
import { withWorkspace } from "#lib/db/transaction.ts";
import { captureSignals } from "#lib/domain/crm/activities/service.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { booked, connectProvider } from "#lib/testing/inbound.fixture.ts";
import sample from "#lib/testing/samples/cal/docs.booking_created.json" with { type: "json" };
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { findErased } from "./service.ts";

const { call } = useServer();

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  await connectProvider(workspace.id, "cal_com");
  let uid = 0;
  const book = (emails: readonly string[]) => {
    const attendees = emails.map((email) => ({ email, name: email.split("@")[0] }));
    const payload = { ...sample.payload, uid: `uid-${++uid}`, attendees };
    const { body, headers } = booked({ ...sample, payload });
    return call(`/inbound/cal_com/${workspace.id}`, { raw: body, headers });
  };
  const erase = (focus: string) => erasePerson.execute(workspace.caller, { focus });
  const add = (body: object) => call("/v2/people", { key, body });
  const people = async () =>
    (
      await inspect<{ email: string }>("SELECT email FROM people WHERE workspace_id = $1 ORDER BY email", [
        workspace.id,
      ])
    ).map(({ email }) => email);
  return { workspace, key, book, erase, add, people };
}

const anna = { kind: "email", value: "anna@acme.com" };

test("a booking with an erased person keeps the others' meeting and does not create the person", async () => {
  const { book, erase, people } = await setUp();
  await book(["anna@acme.com", "ben@acme.com"]);
  await erase("anna@acme.com");
  expect(await people()).toEqual(["ben@acme.com"]);
  expect((await book(["anna@acme.com", "ben@acme.com", "cleo@acme.com"])).body).toEqual({ ok: true, logged: 2 });
  expect((await book(["anna@acme.com"])).body).toEqual({ ok: true, logged: 0 });
  expect(await people()).toEqual(["ben@acme.com", "cleo@acme.com"]);
});

test("a job does not create them either, someone who asks for them does, and then webhooks add to them", async () => {
  const { workspace, book, erase, add, people, key } = await setUp();
  await add({ email: "anna@acme.com", linkedin_url: "linkedin.com/in/anna" });
  await erase("anna@acme.com");
  const caller = { ...workspace.caller, actor: { type: "job" as const, id: "1" } };
  const signal = { email: "Anna@Acme.com", type: "call" as const, source: "import", createContact: true };
  const captured = await withWorkspace(workspace.id, (db) => captureSignals({ ...caller, db }, [signal]));
  expect(captured).toEqual([null]);
  expect((await call("/api/v1/capture", { key, body: { email: "anna@acme.com", type: "call" } })).status).toBe(200);
  expect((await book(["anna@acme.com"])).body).toEqual({ ok: true, logged: 1 });
  expect(await people()).toEqual(["anna@acme.com"]);
  await erase("anna@acme.com");
  expect((await book(["anna@acme.com"])).body).toEqual({ ok: true, logged: 0 });
});

test.each([
  ["a capture", "/api/v1/capture", { email: "anna@acme.com", type: "call" }],
  ["captures", "/api/v1/capture/batch", { activities: [{ email: "anna@acme.com", type: "call" }] }],
  [
    "observations",
    "/v2/observations",
    { focus: "anna@acme.com", observations: [{ kind: "state", property: "job_title", value: "CFO" }] },
  ],
  ["a note", "/v2/notes", { focus: "anna@acme.com", content: "Met at the fair." }],
  ["people", "/v2/people/bulk", { people: [{ email: "anna@acme.com" }] }],
  ["another address of someone", "/v2/people", { email: "anna@acme.com", linkedin_url: "linkedin.com/in/anna" }],
])("who names them on purpose has them back: %s", async (_, path, body) => {
  const { workspace, erase, add, people } = await setUp();
  await add({ email: "anna@acme.com" });
  await erase("anna@acme.com");
  await add({ linkedin_url: "linkedin.com/in/anna" });
  expect((await call(path, { key: await workspace.key(["write"]), body })).status).toBeLessThan(300);
  expect(await people()).toContain("anna@acme.com");
});

test("a webhook and a job give no one an erased person's address, and record nothing that names it", async () => {
  const { workspace, book, erase, add, people } = await setUp();
  await add({ email: "anna@acme.com" });
  await erase("anna@acme.com");
  const { person } = (await add({ email: "ben@acme.com" })).body as { person: { id: string } };
  for (const type of ["webhook", "job"] as const) {
    const caller = { ...workspace.caller, actor: { type, id: "1" } };
    const signal = { type: "call" as const, source: "dialler", createContact: true };
    const outcomes = await withWorkspace(workspace.id, (db) =>
      captureSignals({ ...caller, db }, [
        { ...signal, contactId: person.id, email: "anna@acme.com" },
        { ...signal, email: "anna@acme.com" },
        { ...signal, email: "anna@acme.com", createContact: false },
        { ...signal, email: "ben@acme.com" },
      ]),
    );
    expect(outcomes).toMatchObject([null, null, null, { contactId: person.id }]);
  }
  await book(["anna@acme.com"]);
  expect(await people()).toEqual(["ben@acme.com"]);
  const calls = await inspect("SELECT 1 FROM observations WHERE workspace_id = $1 AND kind = 'event'", [workspace.id]);
  expect(calls).toHaveLength(2);
});

test("every identifier that they ever had counts, also of records merged into theirs, and only in their workspace", async () => {
  const { workspace, erase, add, key } = await setUp();
  const other = await createTestWorkspace();
  await add({ email: "anna@acme.com", linkedin_url: "linkedin.com/in/anna" });
  await add({ email: "anna2@gmail.com" });
  await call("/v2/accounts/merge", { key, body: { keep: "anna@acme.com", drop: "anna2@gmail.com" } });
  await erase("anna@acme.com");
  const all = [
    anna,
    { kind: "email", value: "anna2@gmail.com" },
    { kind: "linkedin_url", value: "https://www.linkedin.com/in/anna" },
  ];
  const asked = [...all, { kind: "email", value: "joanna@acme.com" }, { kind: "domain", value: "acme.com" }];
  const found = (id: typeof workspace.id) =>
    withWorkspace(id, (db) => findErased({ db, workspaceId: id }, asked), { readOnly: true });
  expect(await found(workspace.id)).toEqual(all);
  expect(await found(other.id)).toEqual([]);
  const kept = await inspect<{ text: string }>("SELECT t::text AS text FROM tombstones t WHERE workspace_id = $1", [
    workspace.id,
  ]);
  expect(kept).toHaveLength(3);
  expect(JSON.stringify(kept)).not.toMatch(/anna/);
});

test("an administrator allows them again, once", async () => {
  const { workspace, key, book, erase, add, people } = await setUp();
  await add({ email: "anna@acme.com" });
  await erase("anna@acme.com");
  const allow = (identifier: string, by = key) => call("/v2/accounts/allow", { key: by, body: { identifier } });
  expect((await allow("anna@acme.com", await workspace.key(["write"]))).status).toBe(403);
  expect(await allow("Anna")).toMatchObject({ status: 400, body: { error: "invalid_identifier" } });
  expect((await allow("joanna@acme.com")).body).toEqual({ allowed: false });
  expect((await allow(" ANNA@acme.com")).body).toEqual({ allowed: true });
  expect((await allow("anna@acme.com")).body).toEqual({ allowed: false });
  expect((await book(["anna@acme.com"])).body).toEqual({ ok: true, logged: 1 });
  expect(await people()).toEqual(["anna@acme.com"]);
  const audit = await inspect("SELECT subject, detail FROM audit_log WHERE workspace_id = $1 AND action = $2", [
    workspace.id,
    "person.allowed",
  ]);
  expect(audit).toEqual([{ subject: null, detail: {} }]);
});

test("the erasure of one attendee while the delivery waits keeps the others' meeting, whichever comes first", async () => {
  const { workspace, book, erase, add, people, key } = await setUp();
  const breakIt = (on: boolean) =>
    inspect(
      on
        ? `CREATE OR REPLACE FUNCTION break_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.property = 'interaction.meeting_scheduled' THEN RAISE EXCEPTION 'broken'; END IF; RETURN NEW; END $$;
           CREATE OR REPLACE TRIGGER break_it BEFORE INSERT ON observations FOR EACH ROW EXECUTE FUNCTION break_it()`
        : "DROP TRIGGER IF EXISTS break_it ON observations",
    );
  for (let round = 0; round < 4; round++) {
    const [gone, stays] = [`anna${round}@acme.com`, `ben${round}@acme.com`];
    await add({ email: gone, first_name: "Anna" });
    await breakIt(true);
    expect((await book([gone, stays])).body).toEqual({ ok: true, queued: true });
    const pending = await inspect<{ id: string }>(
      "SELECT id FROM inbound_deliveries WHERE workspace_id = $1 AND status = 'pending'",
      [workspace.id],
    );
    expect(pending).toHaveLength(1);
    const replay = () =>
      call(`/v2/workspace/inbound-deliveries/${pending[0]?.id}/replay`, { key, method: "POST", body: {} });
    await breakIt(false);
    if (round < 2) {
      await erase(gone);
      await replay();
    } else await Promise.all(round === 2 ? [erase(gone), replay()] : [replay(), erase(gone)]);
    await expect.poll(people).toContain(stays);
    expect(await people()).not.toContain(gone);
    const traces = await inspect("SELECT 1 FROM inbound_deliveries WHERE workspace_id = $1 AND payload LIKE $2", [
      workspace.id,
      `%${gone}%`,
    ]);
    expect(traces).toEqual([]);
  }
  const meetings = await inspect<{ count: number }>(
    "SELECT count(*)::int FROM observations WHERE workspace_id = $1 AND property = 'interaction.meeting_scheduled'",
    [workspace.id],
  );
  expect(meetings).toEqual([{ count: 4 }]);
  expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
});
