import { describe, expect, test } from "vitest";
import type { Statement } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { capture, captureSignals } from "#lib/domain/crm/activities/service.ts";
import { listPeople, upsertPerson } from "#lib/domain/crm/people/service.ts";
import { mergeAccounts, unmergeAccounts } from "#lib/domain/knowledge/merges/service.ts";
import { recordObservations } from "#lib/domain/knowledge/observations/service.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import type { ActivityType } from "#lib/domain/records/evidence/contract.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { setPlan } from "#lib/domain/workspace/workspaces/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { DAY_MS } from "#lib/text/time.ts";
import type * as contract from "./contract.ts";
import * as leads from "./service.ts";

type Lead = contract.Lead;

/** A workspace with a list. */
async function withList(more: { source?: string; columns?: string[] } = {}) {
  const workspace = await createTestWorkspace({ listening: true });
  const { lead_list } = await leads.createLeadList.execute(workspace.caller, { name: "CFOs", ...more });
  return { ...workspace, list: lead_list.id };
}

/** The handle, with the name of each statement noted. */
const noting = (db: Db, names: string[]): Db =>
  new Proxy(db, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => {
        if (key === "query" || key === "defer") names.push((given[0] as Statement).name);
        return Reflect.apply(member, target, given) as unknown;
      };
    },
  });

type Stage = Pick<TestWorkspace, "caller" | "id"> & { list: string };
const add = async ({ caller, list }: Stage, input: Record<string, unknown>): Promise<Lead> =>
  (await leads.createLead.execute(caller, { list_id: list, ...input })).lead;
const get = async ({ caller }: Stage, id: string): Promise<Lead> => (await leads.getLead.execute(caller, { id })).lead;
const listed = async ({ caller }: Stage, input: Record<string, unknown> = {}): Promise<Lead[]> =>
  (await leads.listLeads.execute(caller, input)).leads;
const names = (found: readonly Lead[]) => found.map(({ name }) => name);
const at = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const replied = ({ id }: Stage) =>
  inspect<{ data: Record<string, unknown>; observation_id: string | null }>(
    "SELECT data, observation_id FROM outbox WHERE workspace_id = $1 AND type = 'lead.replied' ORDER BY seq",
    [id],
  );

describe("adding", () => {
  test("makes a new person known with the list's source, and takes what it lacks from one who is known", async () => {
    const stage = await withList({ source: "apollo" });
    const lead = await add(stage, {
      email: "Anna@Acme.com",
      name: "Anna Smith",
      fields: { title: "CFO", tags: ["a", "b"], gone: null },
    });
    expect(lead).toMatchObject({
      lead_list_id: stage.list,
      email: "anna@acme.com",
      name: "Anna Smith",
      company: "acme.com",
      status: "pending",
      sent_at: null,
      replied_at: null,
      reply_outcome: null,
      scorecard_score: null,
      fields: { title: "CFO", tags: ["a", "b"] },
    });
    const { people } = await listPeople.execute(stage.caller, { list_id: stage.list });
    expect(people).toMatchObject([{ id: lead.entity_id, first_name: "Anna", last_name: "Smith", source: "apollo" }]);
    const { person } = await upsertPerson.execute(stage.caller, {
      email: "ben@other.com",
      linkedin_url: "https://www.linkedin.com/in/ben",
      first_name: "Ben",
      company: "Other Inc",
    });
    expect(await add(stage, { entity_id: person.id, name: "" })).toMatchObject({
      entity_id: person.id,
      email: "ben@other.com",
      linkedin_url: "https://www.linkedin.com/in/ben",
      name: "Ben",
      company: "Other Inc",
    });
    const { lead_list } = await leads.getLeadList.execute(stage.caller, { id: stage.list });
    expect(lead_list).toMatchObject({ columns: ["title", "tags"], lead_count: 2, source: "apollo" });
  });

  test("changes nothing of a person who is known", async () => {
    const stage = await withList();
    await upsertPerson.execute(stage.caller, { email: "anna@acme.com", first_name: "Anna", company: "Acme" });
    await add(stage, { email: "anna@acme.com", name: "A. Smith", company: "ACME GmbH" });
    const { people } = await listPeople.execute(stage.caller, {});
    expect(people).toMatchObject([{ first_name: "Anna", last_name: null, company: "Acme", source: "api" }]);
  });

  test("a person is in a list once, whatever they are called", async () => {
    const stage = await withList();
    const lead = await add(stage, { email: "anna@acme.com", linkedin_url: "linkedin.com/in/anna" });
    for (const input of [
      { email: "ANNA@acme.com" },
      { linkedin_url: "https://de.linkedin.com/in/anna/" },
      { entity_id: lead.entity_id },
    ])
      await expect(add(stage, input)).rejects.toMatchObject({ code: "lead_exists", extras: { lead_id: lead.id } });
  });

  test("many rows are answered one by one", async () => {
    const stage = await withList();
    const there = await add(stage, { email: "there@acme.com" });
    const { results, ...counts } = await leads.createLeads.execute(stage.caller, {
      list_id: stage.list,
      leads: [
        { email: "a@acme.com", fields: { Title: "CEO" } },
        { email: "A@acme.com" },
        { email: "there@acme.com" },
        { name: "Nobody" },
        { email: "no address" },
        { entity_id: newId() },
        { entity_id: there.entity_id, email: "x@acme.com" },
        { email: "b@acme.com", scorecard_score: 2 },
        { email: "c@acme.com", nonsense: 1 },
        { linkedin_url: "https://www.linkedin.com/in/dora", scorecard_score: 0.5 },
      ],
    });
    expect(counts).toEqual({ inserted: 2, skipped: 6, duplicate_skipped: 2 });
    expect(results.map(({ status, error }) => error ?? status)).toEqual([
      "inserted",
      "duplicate_skipped",
      "duplicate_skipped",
      "identifier_required",
      "invalid_email",
      "entity_not_found",
      "invalid_parameter",
      "invalid_parameter",
      "invalid_parameter",
      "inserted",
    ]);
    expect(results[1]?.lead_id).toBe(results[0]?.lead_id);
    expect(results[2]?.lead_id).toBe(there.id);
    expect(await listed(stage)).toHaveLength(3);
    const { people } = await listPeople.execute(stage.caller, {});
    expect(people).toHaveLength(3);
  });

  test("the same people at once are in the list once", async () => {
    const stage = await withList();
    const rows = Array.from({ length: 30 }, (_, n) => ({ email: `p${n}@acme.com` }));
    const answers = await Promise.all(
      [rows, rows.toReversed(), rows].map((given) =>
        leads.createLeads.execute(stage.caller, { list_id: stage.list, leads: given }),
      ),
    );
    expect(answers.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(30);
    expect(answers.reduce((sum, { duplicate_skipped }) => sum + duplicate_skipped, 0)).toBe(60);
  });

  test("a list of another workspace is not there", async () => {
    const [mine, theirs] = [await withList(), await withList()];
    await expect(add({ ...mine, list: theirs.list }, { email: "a@acme.com" })).rejects.toMatchObject({
      code: "lead_list_not_found",
    });
    const lead = await add(theirs, { email: "a@acme.com" });
    await expect(get(mine, lead.id)).rejects.toMatchObject({ code: "lead_not_found" });
    const changed = await leads.changeLeads.execute(mine.caller, { lead_ids: [lead.id], status: "sent" });
    expect(changed).toEqual({ changed: 0, not_found: [lead.id] });
    expect(await leads.deleteLeads.execute(mine.caller, { lead_ids: [lead.id] })).toEqual({
      removed: 0,
      not_found: [lead.id],
    });
    for (const list_id of [theirs.list, newId()])
      for (const operation of [leads.listLeads, listPeople])
        await expect(operation.execute(mine.caller, { list_id })).rejects.toMatchObject({
          code: "lead_list_not_found",
        });
    expect(await listed(mine, { list_id: mine.list })).toEqual([]);
    expect((await listPeople.execute(mine.caller, { list_id: mine.list })).people).toEqual([]);
    expect((await get(theirs, lead.id)).status).toBe("pending");
  });
});

describe("the list", () => {
  async function filled() {
    const stage = await withList();
    const of = async (name: string, more: Record<string, unknown> = {}) =>
      (await add(stage, { linkedin_url: `https://www.linkedin.com/in/${name}`, name, ...more })).id;
    const ids = {
      ann: await of("ann", { email: "ann@acme.com", scorecard_score: 0.9 }),
      bob: await of("bob", { scorecard_score: 0.2 }),
      cy: await of("cy", { email: "cy@acme.com" }),
      dee: await of("dee", { email: "dee@acme.com", scorecard_score: 0.5 }),
    };
    const change = (id: string, input: object) => leads.changeLead.execute(stage.caller, { id, ...input });
    await change(ids.ann, { sent_at: at(10), replied_at: at(1), reply_outcome: "interested" });
    await change(ids.bob, { sent_at: at(3) });
    await change(ids.cy, { status: "bounced", sent_at: at(40) });
    return { ...stage, ids };
  }

  test.each<[Record<string, unknown>, string[]]>([
    [{}, ["dee", "cy", "bob", "ann"]],
    [{ sort: "created_asc" }, ["ann", "bob", "cy", "dee"]],
    [{ sort: "score_desc" }, ["ann", "dee", "bob", "cy"]],
    [{ status: "pending" }, ["dee"]],
    [{ status: "sent" }, ["bob"]],
    [{ status: "replied" }, ["ann"]],
    [{ status: "bounced" }, ["cy"]],
    [{ reply_outcome: "interested" }, ["ann"]],
    [{ reply_outcome: "objection" }, []],
    [{ has_replied: true }, ["ann"]],
    [{ has_replied: false }, ["dee", "cy", "bob"]],
    [{ has_email: true }, ["dee", "cy", "ann"]],
    [{ has_email: false }, ["bob"]],
    [{ sent_within: "7d" }, ["bob"]],
    [{ sent_within: "11d" }, ["bob", "ann"]],
    [{ sent_before: "7d" }, ["dee", "cy", "ann"]],
    [{ sent_before: "30d", has_email: true, sort: "created_asc" }, ["cy", "dee"]],
    [{ score_gte: 0.5 }, ["dee", "ann"]],
    [{ score_gte: 0, sort: "score_desc" }, ["ann", "dee", "bob"]],
    [{ score_gte: 0.5, status: "replied", has_replied: true, sent_within: "30d" }, ["ann"]],
    [{ status: "replied", has_replied: false }, []],
    [{ score_lte: 0.5, sort: "score_desc" }, ["dee", "bob"]],
    [{ score_gte: 0.5, score_lte: 0.6 }, ["dee"]],
    [{ status: "not:replied" }, ["dee", "cy", "bob"]],
    [{ status: "sent,bounced" }, ["cy", "bob"]],
    [{ status: "sent,bounced", sort: "created_asc" }, ["bob", "cy"]],
    [{ status: "sent,replied", sort: "score_desc" }, ["ann", "bob"]],
    [{ status: "pending,sent", has_replied: false }, ["dee", "bob"]],
    [{ status: "not:pending,sent,replied,bounced" }, []],
    [{ reply_outcome: "interested,objection" }, ["ann"]],
    [{ reply_outcome: "not:interested" }, ["dee", "cy", "bob"]],
    [{ reply_outcome: "exists:false" }, ["dee", "cy", "bob"]],
    [{ reply_outcome: "exists:true", sort: "score_desc" }, ["ann"]],
  ])("%j", async (input, expected) => {
    const stage = await filled();
    expect(names(await listed(stage, input))).toEqual(expected);
    expect(names(await listed(stage, { ...input, list_id: stage.list }))).toEqual(expected);
    await expect(listed(stage, { ...input, list_id: newId() })).rejects.toMatchObject({ code: "lead_list_not_found" });
    const walked: Lead[] = [];
    for (let cursor: string | undefined; walked.length < 10; ) {
      const page = await leads.listLeads.execute(stage.caller, { ...input, limit: 1, ...(cursor ? { cursor } : {}) });
      walked.push(...page.leads);
      expect(page.has_more).toBe(page.next_cursor !== null);
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(names(walked)).toEqual(expected);
    const { total } = await leads.listLeads.execute(stage.caller, { ...input, limit: 1, include: "count" });
    expect(total).toEqual({ count: expected.length, capped: false });
    const [, ...rest] = expected;
    expect(names(await listed(stage, { ...input, offset: 1 }))).toEqual(rest);
  });

  test.each([
    ["list_id", "x"],
    ["status", "done"],
    ["status", "sent,"],
    ["status", "exists:false"],
    ["reply_outcome", "yes"],
    ["reply_outcome", "exists:no"],
    ["score_lte", 2],
    ["include", "total"],
    ["has_replied", "maybe"],
    ["sent_within", "7"],
    ["sent_within", "0d"],
    ["sent_before", "1w"],
    ["score_gte", 1.1],
    ["score_gte", -0.1],
    ["sort", "name"],
    ["limit", 0],
    ["offset", -1],
    ["cursor", "x"],
  ])("a bad %s is 400 and named (%j)", async (parameter, value) => {
    const { caller } = await createTestWorkspace();
    await expect(leads.listLeads.execute(caller, { [parameter]: value })).rejects.toMatchObject({
      code: "invalid_parameter",
      extras: { parameter },
    });
  });

  test("a limit above the cap is lowered, and a cursor belongs to its sort", async () => {
    const stage = await filled();
    expect((await leads.listLeads.execute(stage.caller, { limit: 5000 })).limit).toBe(1000);
    const { next_cursor: cursor } = await leads.listLeads.execute(stage.caller, { limit: 1 });
    await expect(leads.listLeads.execute(stage.caller, { cursor, sort: "score_desc" })).rejects.toMatchObject({
      code: "invalid_parameter",
      extras: { parameter: "cursor" },
    });
  });
});

describe("lists", () => {
  test("say how many of their leads have which status, and go with their leads", async () => {
    const stage = await withList({ columns: ["title"] });
    const [a] = [await add(stage, { email: "a@acme.com" }), await add(stage, { email: "b@acme.com" })];
    await leads.changeLead.execute(stage.caller, { id: a.id, status: "replied" });
    const other = (await leads.createLeadList.execute(stage.caller, { name: "Other" })).lead_list;
    const page = await leads.listLeadLists.execute(stage.caller, { limit: 1 });
    expect(page).toMatchObject({ lead_lists: [{ id: other.id, lead_count: 0 }], has_more: true });
    const next = await leads.listLeadLists.execute(stage.caller, { cursor: page.next_cursor });
    expect(next).toMatchObject({
      lead_lists: [{ id: stage.list, lead_count: 2, by_status: { pending: 1, sent: 0, replied: 1, bounced: 0 } }],
      has_more: false,
    });
    const renamed = await leads.changeLeadList.execute(stage.caller, { id: stage.list, name: " VPs ", columns: [] });
    expect(renamed.lead_list).toMatchObject({ name: "VPs", columns: [], source: "api" });
    await leads.deleteLeadList.execute(stage.caller, { id: stage.list });
    await expect(get(stage, a.id)).rejects.toMatchObject({ code: "lead_not_found" });
    const { people } = await listPeople.execute(stage.caller, {});
    expect(people).toHaveLength(2);
  });

  test.each([
    [{}, "name_required"],
    [{ name: "  " }, "name_required"],
    [{ name: "x", columns: ["a", "a"] }, "invalid_parameter"],
    [{ name: "x", columns: [""] }, "invalid_parameter"],
  ])("%j is refused", async (input, code) => {
    const { caller } = await createTestWorkspace();
    await expect(leads.createLeadList.execute(caller, input)).rejects.toMatchObject({ code });
  });
});

describe("changing", () => {
  test("sets what is given and leaves the rest", async () => {
    const stage = await withList();
    const { id } = await add(stage, { email: "a@acme.com", scorecard_score: 0.4, fields: { title: "CFO", size: 10 } });
    const change = async (input: object) => (await leads.changeLead.execute(stage.caller, { id, ...input })).lead;
    expect(await change({ fields: { size: null, city: "Berlin" } })).toMatchObject({
      fields: { title: "CFO", city: "Berlin" },
      scorecard_score: 0.4,
    });
    expect(await change({ scorecard_score: null })).toMatchObject({ scorecard_score: null });
    expect(await change({ status: "replied", reply_outcome: "objection" })).toMatchObject({
      status: "replied",
      reply_outcome: "objection",
      replied_at: expect.any(String),
    });
    expect(await change({ status: "sent", reply_outcome: null })).toMatchObject({ status: "sent", replied_at: null });
    await expect(change({ status: "sent", replied_at: at(1) })).rejects.toMatchObject({
      code: "invalid_parameter",
      extras: { parameter: "replied_at" },
    });
    expect(await replied(stage)).toMatchObject([
      {
        observation_id: null,
        data: { lead_id: id, list_id: stage.list, previous: "pending", value: "replied", caused_by: null },
      },
    ]);
  });

  test("a score follows the person's ICP score until one is given", async () => {
    const stage = await withList();
    const [own, given] = [
      await add(stage, { email: "a@acme.com" }),
      await add(stage, { email: "b@acme.com", scorecard_score: 0.3 }),
    ];
    const ids = [own.entity_id, given.entity_id];
    const score = async (value: number | null) => {
      await inspect("UPDATE people SET icp_score = $2 WHERE workspace_id = $1", [stage.id, value]);
      await withWorkspace(stage.id, (db) => leads.followIcpScores(db, ids));
    };
    const scores = async () =>
      [await get(stage, own.id), await get(stage, given.id)].map((lead) => lead.scorecard_score);
    await score(82);
    expect(await scores()).toEqual([0.82, 0.3]);
    expect(names(await listed(stage, { score_gte: 0.82 }))).toHaveLength(1);
    await leads.changeLead.execute(stage.caller, { id: given.id, scorecard_score: null });
    expect(await scores()).toEqual([0.82, 0.82]);
    expect((await add(stage, { email: "c@acme.com" })).scorecard_score).toBeNull();
    await score(null);
    expect(await scores()).toEqual([null, null]);
  });
});

describe("signals", () => {
  const tell = ({ caller }: Stage, type: string, more: object = {}) =>
    capture.execute(caller, { email: "anna@acme.com", type, ...more });

  test("move every lead of the person, and a reply is told once", async () => {
    const stage = await withList();
    const second = (await leads.createLeadList.execute(stage.caller, { name: "Second" })).lead_list.id;
    const a = await add(stage, { email: "anna@acme.com" });
    const b = await add({ ...stage, list: second }, { email: "anna@acme.com" });
    const other = await add(stage, { email: "ben@acme.com" });
    const states = async () => [(await get(stage, a.id)).status, (await get(stage, b.id)).status];
    await tell(stage, "call");
    expect(await states()).toEqual(["pending", "pending"]);
    await tell(stage, "email_sent", { occurred_at: "2026-06-03T09:00:00Z" });
    await tell(stage, "linkedin_message", { occurred_at: "2026-06-01T09:00:00Z" });
    expect(await get(stage, a.id)).toMatchObject({ status: "sent", sent_at: "2026-06-03T09:00:00.000Z" });
    await tell(stage, "email_bounced", { occurred_at: "2026-06-03T09:01:00Z" });
    expect(await states()).toEqual(["bounced", "bounced"]);
    const { activity_id } = await tell(stage, "email_received", {
      external_id: "m1",
      occurred_at: "2026-06-05T09:00:00Z",
    });
    await tell(stage, "email_received", { external_id: "m1", occurred_at: "2026-06-05T09:00:00Z" });
    await tell(stage, "email_received", { occurred_at: "2026-06-06T09:00:00Z" });
    await tell(stage, "email_bounced");
    expect(await states()).toEqual(["replied", "replied"]);
    expect(await get(stage, a.id)).toMatchObject({ replied_at: "2026-06-05T09:00:00.000Z" });
    const told = await replied(stage);
    expect(told.map(({ data }) => data)).toEqual(
      [a, b].map(({ id, lead_list_id: list_id }) => ({
        lead_id: id,
        list_id,
        previous: "bounced",
        value: "replied",
        caused_by: activity_id,
      })),
    );
    expect(told.map(({ observation_id }) => observation_id)).toEqual([activity_id, activity_id]);
    expect((await get(stage, other.id)).status).toBe("pending");
    expect((await rebuildWorkspace(stage.caller)).differences).toEqual([]);
  });

  test("come from observations too, and may come in one call", async () => {
    const stage = await withList();
    const { id } = await add(stage, { email: "anna@acme.com" });
    const event = (property: string) => ({ kind: "event", property });
    await recordObservations.execute(stage.caller, {
      focus: "anna@acme.com",
      observations: [event("email_reply"), event("interaction.email_sent")],
    });
    expect(await get(stage, id)).toMatchObject({ status: "replied", sent_at: expect.any(String) });
  });

  test("about anyone else, or that say nothing about leads, send no statement more", async () => {
    const stage = await withList();
    const lead = await add(stage, { email: "anna@acme.com" });
    const { person } = await upsertPerson.execute(stage.caller, { email: "ben@acme.com" });
    const sent = async (contactId: string, type: ActivityType): Promise<string[]> => {
      const names: string[] = [];
      await withWorkspace(stage.id, (db) =>
        captureSignals({ ...stage.caller, db: noting(db, names) }, [
          { contactId, type, source: "api", createContact: false },
        ]),
      );
      return names.filter((name) => name.includes("lead"));
    };
    expect(await sent(person.id, "email_sent")).toEqual([]);
    expect(await sent(lead.entity_id, "call")).toEqual([]);
    expect(await sent(lead.entity_id, "email_sent")).toEqual(["leads_of_entities_locked_one", "leads_update_one"]);
  });

  test("before the person was in the list move nothing", async () => {
    const stage = await withList();
    await tell(stage, "email_received");
    expect((await add(stage, { email: "anna@acme.com" })).status).toBe("pending");
    expect(await replied(stage)).toEqual([]);
  });

  test("that come at once, in any order, lead to one state and one event", async () => {
    const stage = await withList();
    const { id } = await add(stage, { email: "anna@acme.com" });
    const types = ["email_received", "email_sent", "email_bounced", "email_received", "linkedin_message"];
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        tell(stage, types[n % types.length] as string, {
          external_id: `x${n % 10}`,
          occurred_at: new Date(Date.UTC(2026, 5, 1 + (n % 10))).toISOString(),
        }),
      ),
    );
    expect(await get(stage, id)).toMatchObject({
      status: "replied",
      replied_at: "2026-06-01T00:00:00.000Z",
      sent_at: "2026-06-10T00:00:00.000Z",
    });
    expect(await replied(stage)).toHaveLength(1);
  });

  test("while the lead is added and changed: nothing is lost, and no one waits for ever", async () => {
    const stage = await withList();
    const { id } = await add(stage, { email: "anna@acme.com" });
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => [
        tell(stage, "email_received", { external_id: `r${n}` }),
        leads.changeLead.execute(stage.caller, { id, reply_outcome: "interested", fields: { [`f${n}`]: n } }),
        leads.createLeads.execute(stage.caller, {
          list_id: stage.list,
          leads: [{ email: `p${n}@acme.com` }, { email: "anna@acme.com" }],
        }),
      ]).flat(),
    );
    const lead = await get(stage, id);
    expect(lead).toMatchObject({ status: "replied", reply_outcome: "interested" });
    expect(Object.keys(lead.fields)).toHaveLength(10);
    expect(await listed(stage)).toHaveLength(11);
  });
});

describe("people who are merged", () => {
  test("have one lead in a list, the furthest, and get theirs back when it is undone", async () => {
    const stage = await withList();
    const second = (await leads.createLeadList.execute(stage.caller, { name: "Second" })).lead_list.id;
    const a = await add(stage, { email: "anna@acme.com" });
    const b = await add(stage, { email: "anna@home.com", fields: { city: "Berlin" } });
    const c = await add({ ...stage, list: second }, { email: "anna@home.com" });
    await leads.changeLead.execute(stage.caller, { id: b.id, status: "sent" });
    const merged = await mergeAccounts.execute(stage.caller, { keep: a.entity_id, drop: b.entity_id });
    const found = await listed(stage, { sort: "created_asc" });
    expect(found.map(({ id, entity_id }) => [id, entity_id])).toEqual([
      [b.id, a.entity_id],
      [c.id, a.entity_id],
    ]);
    expect((await leads.getLeadList.execute(stage.caller, { id: stage.list })).lead_list.lead_count).toBe(1);
    await expect(add(stage, { email: "anna@acme.com" })).rejects.toMatchObject({ code: "lead_exists" });
    await capture.execute(stage.caller, { email: "anna@home.com", type: "email_received" });
    expect((await listed(stage)).map(({ status }) => status)).toEqual(["replied", "replied"]);
    expect(await replied(stage)).toHaveLength(2);
    await unmergeAccounts.execute(stage.caller, { merge_id: merged.merge_id });
    const after = await listed(stage, { sort: "created_asc" });
    expect(after.map(({ id, entity_id }) => [id, entity_id])).toEqual([
      [a.id, a.entity_id],
      [b.id, b.entity_id],
      [c.id, b.entity_id],
    ]);
    await capture.execute(stage.caller, { contact_id: b.entity_id, type: "email_received" });
    expect((await rebuildWorkspace(stage.caller)).differences).toEqual([]);
  });

  test("the person who keeps a lead's record is followed, also when they were no lead before", async () => {
    const stage = await withList();
    const { person } = await upsertPerson.execute(stage.caller, { email: "anna@acme.com" });
    const lead = await add(stage, { email: "anna@home.com" });
    await mergeAccounts.execute(stage.caller, { keep: person.id, drop: lead.entity_id });
    await capture.execute(stage.caller, { email: "anna@acme.com", type: "email_received" });
    expect((await get(stage, lead.id)).status).toBe("replied");
    await leads.deleteLead.execute(stage.caller, { id: lead.id });
    expect(await inspect("SELECT 1 FROM leads WHERE workspace_id = $1", [stage.id])).toEqual([]);
  });
});

test("erasing a person takes their leads along", async () => {
  const stage = await withList();
  await add(stage, { email: "anna@acme.com", fields: { note: "Anna likes cake" } });
  await add(stage, { email: "ben@acme.com" });
  await erasePerson.execute(stage.caller, { focus: "anna@acme.com" });
  expect((await listed(stage)).map(({ email }) => email)).toEqual(["ben@acme.com"]);
});

test("a lower plan hides lists and leads, and deletes nothing", async () => {
  const stage = await withList();
  const lead = await add(stage, { email: "anna@acme.com", scorecard_score: 0.7, fields: { title: "CFO" } });
  await setPlan(stage.caller, "growth");
  const lower = { ...stage, caller: { ...stage.caller, plan: "growth" as const } };
  const refused = {
    code: "feature_not_in_plan",
    extras: { feature: "lead_lists", required_plan: "scale", current_plan: "growth" },
  };
  await expect(get(lower, lead.id)).rejects.toMatchObject(refused);
  await expect(listed(lower, { nonsense: 1 })).rejects.toMatchObject(refused);
  for (const more of [{}, { limit: 0 }, { nonsense: 1 }, { list_id: "x" }])
    await expect(listPeople.execute(lower.caller, { list_id: stage.list, ...more })).rejects.toMatchObject(refused);
  await expect(listPeople.execute(lower.caller, { limit: 0 })).rejects.toMatchObject({ code: "invalid_parameter" });
  await capture.execute(lower.caller, { email: "anna@acme.com", type: "email_received" });
  await setPlan(stage.caller, "scale");
  expect(await get(stage, lead.id)).toMatchObject({
    scorecard_score: 0.7,
    fields: { title: "CFO" },
    status: "replied",
  });
});
