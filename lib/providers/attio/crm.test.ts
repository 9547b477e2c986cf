import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { AttioStandIn } from "#lib/testing/attio.fixture.ts";
import noteSample from "#lib/testing/samples/crm/attio.note_create.request.json" with { type: "json" };
import assertion from "#lib/testing/samples/crm/attio.person_assert.request.json" with { type: "json" };
import asserted from "#lib/testing/samples/crm/attio.person_assert.response.200.json" with { type: "json" };
import type { CrmEntry } from "../crm.ts";
import { attioCrm } from "./crm.ts";

const attio = new AttioStandIn();
beforeAll(() => attio.start());
afterAll(() => attio.stop());
afterEach(() => {
  attio.calm();
  attio.people.length = 0;
  attio.attributes.clear();
});

function open(token = "test") {
  attio.tokens.add("test");
  return attioCrm.open({ base: attio.url, configured: true, token, portal: "x", turn: async () => undefined });
}
const values = {
  email: "grace@prospect.example",
  first_name: "Grace",
  last_name: "Prospect",
  job_title: "VP Sales",
  company_domain: "prospect.example",
};

test("a new person is asserted in the documented form", async () => {
  attio.trouble({ method: "PUT", status: 200, body: asserted.body });
  const { written } = await open().writeContacts([{ key: "a", recordId: null, values }]);
  const { record_id } = asserted.body.data.id;
  expect(written.get("a")).toEqual({ recordId: record_id, url: asserted.body.data.web_url, created: true });
  const [sent] = attio.received;
  const wanted = new URL(assertion.url);
  expect([sent?.method, sent?.path, sent?.query]).toEqual([
    "PUT",
    wanted.pathname,
    Object.fromEntries(wanted.searchParams),
  ]);
  expect(sent?.body).toEqual(assertion.body);
});

test("a known person is changed by the id, and a deleted one is told", async () => {
  const { id } = attio.person("grace@prospect.example");
  const { written } = await open().writeContacts([
    { key: "a", recordId: id, values: { job_title: "CEO" } },
    { key: "b", recordId: "gone", values: { job_title: "CEO" } },
  ]);
  expect(written.get("a")).toMatchObject({ recordId: id, created: false });
  expect(written.get("b")).toMatchObject({ gone: true });
  expect(attio.of("grace@prospect.example")?.values.job_title).toBe("CEO");
});

test("what was written before a limit is given back", async () => {
  attio.trouble({ method: "PUT", status: 429, headers: { "retry-after": "2" }, after: 1 });
  const writes = ["a", "b"].map((key) => ({ key, recordId: null, values: { email: `${key}@x.example` } }));
  const { written, fault } = await open().writeContacts(writes);
  expect([...written.keys()]).toEqual(["a"]);
  expect(fault).toMatchObject({ trouble: "rate_limited", retryAfterMs: 2_000 });
});

test("people are listed by page, found by address, and a note is found again by its reference", async () => {
  for (let n = 0; n < 120; n++) attio.person(`p${n}@x.example`);
  const first = await open().listContacts("");
  const second = await open().listContacts(first.next ?? "");
  expect([first.contacts.length, second.contacts.length, second.next]).toEqual([100, 20, null]);
  const [person] = await open().findByEmail(["p7@x.example"]);
  expect(person?.emails).toEqual(["p7@x.example"]);
  const entry: CrmEntry = {
    id: "0190",
    kind: "note",
    title: "Discovery call",
    text: "## Summary",
    at: new Date(noteSample.body.data.created_at),
  };
  const id = await open().addEntry(person?.recordId ?? "", entry);
  const sent = attio.received.find(({ path, method }) => path === "/v2/notes" && method === "POST")
    ?.body as typeof noteSample.body;
  expect(Object.keys(sent.data).sort()).toEqual(Object.keys(noteSample.body.data).sort());
  expect(sent.data).toMatchObject({ parent_object: "people", format: "markdown", title: "Discovery call" });
  expect(await open().findEntry(person?.recordId ?? "", entry)).toBe(id);
  expect(await open().findEntry(person?.recordId ?? "", { ...entry, id: "0191" })).toBeNull();
});

test("a token that may not create the attribute is told which scopes it needs", async () => {
  attio.trouble({ method: "POST", path: "/v2/objects/people/attributes", status: 403 });
  await expect(open().prepare()).rejects.toMatchObject({
    trouble: "refused",
    message: expect.stringContaining("object configuration"),
  });
  await open().prepare();
  expect([...attio.attributes]).toEqual(["rapport_stage"]);
});
