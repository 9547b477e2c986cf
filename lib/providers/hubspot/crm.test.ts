import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { HubSpotStandIn } from "#lib/testing/hubspot.fixture.ts";
import whole from "#lib/testing/samples/crm/hubspot.contacts_batch_upsert.response.200.json" with { type: "json" };
import partly from "#lib/testing/samples/crm/hubspot.contacts_batch_upsert.response.207.json" with { type: "json" };
import custom from "#lib/testing/samples/crm/hubspot.contacts_batch_upsert_custom_id.request.json" with {
  type: "json",
};
import found from "#lib/testing/samples/crm/hubspot.contacts_search.response.200.json" with { type: "json" };
import conflict from "#lib/testing/samples/crm/hubspot.error.409.json" with { type: "json" };
import limited from "#lib/testing/samples/crm/hubspot.error.429.json" with { type: "json" };
import meeting from "#lib/testing/samples/crm/hubspot.meeting_create.request.json" with { type: "json" };
import note from "#lib/testing/samples/crm/hubspot.note_create.request.json" with { type: "json" };
import noted from "#lib/testing/samples/crm/hubspot.note_create.response.201.json" with { type: "json" };
import type { CrmEntry, CrmTurn } from "../crm.ts";
import { hubspotCrm } from "./crm.ts";

const hubspot = new HubSpotStandIn();
beforeAll(() => hubspot.start());
afterAll(() => hubspot.stop());
afterEach(() => {
  hubspot.calm();
  hubspot.contacts.length = 0;
  hubspot.properties.clear();
});

const turns: CrmTurn[] = [];
function open(token = "pat-test") {
  hubspot.tokens.add("pat-test");
  turns.length = 0;
  const turn = async (kind: CrmTurn) => void turns.push(kind);
  return hubspotCrm.open({ base: hubspot.url, configured: true, token, portal: "146425426", turn });
}
const bodies = (path: RegExp) => hubspot.received.filter((one) => path.test(one.path)).map(({ body }) => body);
const write = (key: string, email: string, recordId: string | null = null) => ({ key, recordId, values: { email } });
const url = "https://app.hubspot.com/contacts/146425426/record/0-1";

test("our properties are created once", async () => {
  await open().prepare();
  await open().prepare();
  expect([...hubspot.properties]).toEqual(["rapport_id", "rapport_stage"]);
  expect(bodies(/properties\/2026-09\/contacts$/)).toMatchObject([
    { name: "rapport_id", groupName: "contactinformation", type: "string", fieldType: "text", hasUniqueValue: true },
    { name: "rapport_stage", hasUniqueValue: false },
  ]);
});

test("a token that may not create them is told which scopes it needs", async () => {
  hubspot.trouble({ method: "POST", path: "/crm/properties", status: 403 });
  await expect(open().prepare()).rejects.toMatchObject({
    trouble: "refused",
    message: expect.stringContaining("crm.schemas.contacts"),
  });
});

describe("writing contacts", () => {
  const writes = [write("row-1", "grace@prospect.example"), write("row-2", "john@client.example")];

  test("sends new ones by our unique id, and reads the result of each", async () => {
    hubspot.trouble({ path: "/crm/objects", status: 200, body: whole.body });
    const { written, fault } = await open().writeContacts(writes);
    expect(fault).toBeNull();
    expect(Object.fromEntries(written)).toEqual({
      "row-1": { recordId: "512", url: `${url}/512`, created: true },
      "row-2": { recordId: "513", url: `${url}/513`, created: false },
    });
    const [body] = bodies(/batch\/upsert$/) as { inputs: object[] }[];
    const [wanted] = custom.body.inputs;
    expect(Object.keys(body?.inputs[0] ?? {}).sort()).toEqual(Object.keys(wanted ?? {}).sort());
    expect(body?.inputs[0]).toMatchObject({
      id: "row-1",
      idProperty: "rapport_id",
      properties: { rapport_id: "row-1" },
    });
  });

  test("keeps the error of a row with its row", async () => {
    hubspot.trouble({ path: "/crm/objects", status: 207, body: partly.body });
    const { written } = await open().writeContacts(writes);
    expect(Object.fromEntries(written)).toEqual({
      "row-1": { recordId: "512", url: `${url}/512`, created: false },
      "row-2": { problem: "Property values were not valid", gone: false },
    });
  });

  test("names the record that has the address already", async () => {
    hubspot.trouble({ path: "/crm/objects", status: 409, body: conflict.body });
    const { written } = await open().writeContacts([write("row-1", "grace@prospect.example")]);
    expect(written.get("row-1")).toEqual({ existing: "512" });
  });

  test("says of a known record that it is gone", async () => {
    hubspot.properties.add("rapport_id");
    const { written } = await open().writeContacts([write("row-1", "grace@prospect.example", "999")]);
    expect(written.get("row-1")).toMatchObject({ gone: true });
  });

  test("gives back what was written before the CRM failed", async () => {
    hubspot.properties.add("rapport_id");
    const known = hubspot.contact({ email: "grace@prospect.example" });
    hubspot.trouble({ path: "/crm/objects/2026-09/contacts/batch/upsert", status: 503 });
    const { written, fault } = await open().writeContacts([
      write("a", "g@x.example", known.id),
      write("b", "b@x.example"),
    ]);
    expect([...written.keys()]).toEqual(["a"]);
    expect(fault).toMatchObject({ trouble: "broken" });
  });
});

test.each([
  [limited.status, limited.body, {}, 10_000],
  [429, { ...limited.body, message: "You have reached your daily limit.", policyName: "DAILY" }, {}, 3_600_000],
  [429, limited.body, { "retry-after": "7" }, 7_000],
  [423, { status: "error", message: "locked" }, {}, 2_000],
  [477, { status: "error", message: "migration" }, { "retry-after": "60" }, null],
])("%i with %j is waited for", async (status, body, headers, ms) => {
  hubspot.trouble({ path: "/crm", status, body, headers });
  const fault = await open()
    .findByEmail(["a@x.example"])
    .catch((error: unknown) => error);
  expect(fault).toMatchObject({ trouble: "rate_limited", retryAfterMs: ms ?? 60_000 });
});

test("contacts are found by address, listed by page and read by id, each call in its turn", async () => {
  hubspot.trouble({ path: "/crm/objects/2026-09/contacts/search", status: 200, body: found.body });
  expect(await open().findByEmail(["grace@prospect.example"])).toEqual([
    {
      recordId: "512",
      url: `${url}/512`,
      emails: ["grace@prospect.example"],
      values: { email: "grace@prospect.example", first_name: "Grace", last_name: "Prospect" },
    },
  ]);
  expect(turns).toEqual(["search"]);
  for (let n = 0; n < 130; n++) hubspot.contact({ email: `p${n}@x.example` });
  const first = await open().listContacts("");
  const second = await open().listContacts(first.next ?? "");
  expect([first.contacts.length, second.contacts.length, second.next]).toEqual([100, 30, null]);
  const ids = [first.contacts[0]?.recordId ?? "", "404"];
  expect([...(await open().readContacts(ids)).keys()]).toEqual([ids[0]]);
});

test("a note and a meeting are added in the documented form, and found again", async () => {
  const contact = hubspot.contact({ email: "grace@prospect.example" });
  const at = new Date("2026-11-20T15:00:00.000Z");
  const entry: CrmEntry = { id: "0190", kind: "note", title: "Call", text: "Meeting <summary>", at };
  hubspot.trouble({ path: "/crm/objects/2026-09/notes", status: 201, body: noted.body });
  expect(await open().addEntry(contact.id, entry)).toBe("9001");
  const [sent] = bodies(/notes$/) as (typeof note.body)[];
  expect(sent?.associations).toEqual([{ ...note.body.associations[0], to: { id: contact.id } }]);
  expect(sent?.properties.hs_note_body).toBe(
    "<p><strong>Call</strong></p><p>Meeting &lt;summary&gt;</p><p>Rapport reference: 0190</p>",
  );
  const met: CrmEntry = { ...entry, kind: "meeting", title: "Discovery call", status: "scheduled", end: null };
  const id = await open().addEntry(contact.id, met);
  const [planned] = bodies(/meetings$/) as (typeof meeting.body)[];
  expect(Object.keys(planned?.properties ?? {}).sort()).toEqual(Object.keys(meeting.body.properties).sort());
  expect(planned?.associations[0]?.types).toEqual(meeting.body.associations[0]?.types);
  expect(await open().findEntry(contact.id, met)).toBe(id);
  expect(await open().findEntry(contact.id, { ...met, id: "0191" })).toBeNull();
});
