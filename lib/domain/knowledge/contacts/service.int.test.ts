import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const { call } = useServer();

type Claim = {
  value: unknown;
  confidence: number;
  freshness: string;
  observation_count: number;
  conflicts?: unknown[];
};
type Body = Record<string, unknown> & {
  entity_id: string;
  claims: Record<string, Claim>;
  candidates: { entity_id: string; name: string; detail: string }[];
  events: { id: string; type: string; summary: string; entity_id: string; entity_name: string; observed_at: string }[];
  values: { value: unknown; standing: string; source: string }[];
};

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const observe = async (focus: string, ...observations: object[]) =>
    (await call("/v2/observations", { key, body: { focus, observations } })).body.entity_id as string;
  const state = (property: string, value: unknown, more: object = {}) => ({ kind: "state", property, value, ...more });
  const event = (type: string, description: string, observed_at: string) => ({
    kind: "event",
    property: `interaction.${type}`,
    value: { description },
    observed_at,
  });
  const get = async (path: string) => {
    const answer = await call(path, { key });
    return { ...answer, body: answer.body as Body };
  };
  const account = (focus: string, query = "") => get(`/v2/accounts/${encodeURIComponent(focus)}${query}`);
  const verify = (body: object) => call("/v2/verify", { key, body });
  const person = (email: string, first: string, last: string, ...more: object[]) =>
    observe(email, state("first_name", first), state("last_name", last), ...more);
  return { workspace, key, observe, state, event, get, account, verify, person };
}

describe("the account", () => {
  test("answers identity, claims, evidence and the employer", async () => {
    const { person, state, event, account } = await setUp();
    const id = await person(
      "anna@acme.com",
      "Anna",
      "Smith",
      state("job_title", "VP Sales", { source: "crm" }),
      state("icp_score", 82),
      event("call", "Called", "2026-11-01T10:00:00Z"),
    );
    const { status, body } = await account("anna@acme.com");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      entity_id: id,
      type: "person",
      status: "active",
      name: "Anna Smith",
      identifiers: [{ kind: "email", value: "anna@acme.com" }],
      pipeline_stage: "identified",
      icp: { score: 82, tier: "tier_2", fit: true },
      relationships: { works_at: [{ name: "acme.com", domain: "acme.com" }], people: [], people_count: 0 },
    });
    expect(body.claims.job_title).toMatchObject({
      value: "VP Sales",
      confidence: 0.8,
      freshness: "fresh",
      epistemic_class: "observed",
      source: "crm",
      observation_count: 1,
    });
    expect(body.claims.job_title?.conflicts).toBeUndefined();
    expect(body.recent_observations).toHaveLength(7);
    expect(await account(id)).toMatchObject({ body: { entity_id: id } });
  });

  test("shows a company's people with their number and is found by domain or name", async () => {
    const { person, observe, state, account } = await setUp();
    const anna = await person("anna@acme.com", "Anna", "Smith", state("job_title", "VP Sales"));
    await person("bo@acme.com", "Bo", "Lind");
    const acme = await observe("acme.com", state("name", "Acme Corporation"));
    const { body } = await account("Acme Corporation");
    expect(body).toMatchObject({ entity_id: acme, type: "company", name: "Acme Corporation" });
    expect(body.relationships).toMatchObject({ people_count: 2, works_at: [] });
    expect((body.relationships as { people: unknown[] }).people).toContainEqual({
      entity_id: anna,
      name: "Anna Smith",
      job_title: "VP Sales",
    });
    expect(body.pipeline_stage).toBeUndefined();
    expect((await account("www.acme.com")).body.entity_id).toBe(acme);
  });

  test("lists the documents of the moment", async () => {
    const { key, person, account } = await setUp();
    const id = await person("anna@acme.com", "Anna", "Smith");
    const note = { focus: id, type: "meeting_notes", title: "Pilot", content: "They want SSO.", date: "2026-06-03" };
    await call("/v2/notes", { key, body: note });
    const shown = { type: "meeting_notes", title: "Pilot", date: "2026-06-03", snippet: "They want SSO." };
    expect((await account(id)).body.documents).toMatchObject([shown]);
    expect((await account(id, "?as_of=2026-06-03")).body.documents).toMatchObject([shown]);
    expect((await account(id, "?as_of=2026-06-02")).body.documents).toEqual([]);
    expect((await account(id, "?known_at=2026-06-04")).body.documents).toEqual([]);
  });

  test("marks evidence that disagrees as a conflict", async () => {
    const { person, state, account } = await setUp();
    await person(
      "anna@acme.com",
      "Anna",
      "Smith",
      state("job_title", "CFO", { method: "asserted", source: "crm" }),
      state("job_title", "CEO", { source: "linkedin" }),
    );
    const { body } = await account("anna@acme.com");
    expect(body.claims.job_title).toMatchObject({ value: "CFO", conflicts: [{ value: "CEO", source: "linkedin" }] });
  });

  test("as_of gives what was true, known_at what was known", async () => {
    const { person, state, account } = await setUp();
    await person(
      "anna@acme.com",
      "Anna",
      "Smith",
      state("job_title", "Manager", { observed_at: "2026-01-10" }),
      state("job_title", "Director", { observed_at: "2026-06-10" }),
    );
    expect((await account("anna@acme.com")).body.claims.job_title?.value).toBe("Director");
    const spring = (await account("anna@acme.com", "?as_of=2026-03-01")).body;
    expect(spring.claims.job_title).toMatchObject({ value: "Manager", freshness: "aging" });
    expect(spring.claims.first_name).toBeUndefined();
    expect(spring.name).toBe("anna@acme.com");
    expect((await account("anna@acme.com", "?known_at=2026-03-01")).body.claims).toEqual({});
    expect(await account("anna@acme.com", "?as_of=someday")).toMatchObject({
      status: 400,
      body: { error: "invalid_parameter", parameter: "as_of" },
    });
  });

  test("derives for this moment what is kept as the claims of today", async () => {
    const { person, state, account } = await setUp();
    const title = (value: unknown, month: number, more: object = {}) =>
      state("job_title", value, { observed_at: `2026-0${month}-01`, ...more });
    const id = await person(
      "anna@acme.com",
      "Anna",
      "Smith",
      title("Manager", 1),
      title(null, 3),
      title("CFO", 4, { method: "asserted", source: "crm" }),
      title("CFO", 5, { source: "mail" }),
      title("CEO", 6, { source: "linkedin" }),
      state("phone", "+4930123456"),
      state("phone", null),
    );
    const kept = (await account(id)).body;
    const derived = (await account(id, `?known_at=${new Date(Date.now() + 1000).toISOString()}`)).body;
    expect(derived.claims).toEqual(kept.claims);
    expect(Object.keys(kept.claims)).not.toContain("phone");
  });

  test("answers for the workspace itself", async () => {
    const { workspace, account } = await setUp();
    expect((await account("workspace")).body).toMatchObject({
      entity_id: workspace.id,
      type: "workspace",
      name: "Test",
    });
  });
});

describe("names", () => {
  test("case and accents aside, one bearer is the account", async () => {
    const { person, account } = await setUp();
    const zoe = await person("z@acme.com", "Zoë", "Müller");
    expect((await account("zoe muller")).body.entity_id).toBe(zoe);
    expect((await account("ZOË")).body.entity_id).toBe(zoe);
    expect((await account("üller")).body.entity_id).toBe(zoe);
  });

  test("several people with the name are candidates, with details to tell them apart", async () => {
    const { person, state, account, verify, get } = await setUp();
    const one = await person("anna@acme.com", "Anna", "Smith", state("job_title", "CFO"));
    const two = await person("anna@globex.com", "Anna", "Smith");
    const { status, body } = await account("Anna Smith");
    expect(status).toBe(200);
    expect(body.status).toBe("ambiguous");
    expect(body.candidates).toHaveLength(2);
    expect(body.candidates).toContainEqual({
      entity_id: one,
      name: "Anna Smith",
      detail: "CFO at acme.com · anna@acme.com",
    });
    expect(body.candidates.map(({ entity_id }) => entity_id)).toContain(two);
    expect((await verify({ focus: "anna smith", property: "job_title" })).body.status).toBe("ambiguous");
    expect((await get("/v2/accounts/anna%20smith/timeline")).body.status).toBe("ambiguous");
    expect((await get("/v2/accounts/anna%20smith/history?property=job_title")).body.status).toBe("ambiguous");
  });

  test("several companies with the name are candidates, told apart by their domains", async () => {
    const { observe, state, account } = await setUp();
    for (const domain of ["acme.com", "acme.io"]) await observe(domain, state("name", "Acme"));
    const { candidates } = (await account("acme")).body;
    expect(candidates.map(({ name, detail }) => `${name}: ${detail}`).sort()).toEqual([
      "Acme: acme.com",
      "Acme: acme.io",
    ]);
  });

  test("no more than ten candidates are given", async () => {
    const { person, account } = await setUp();
    for (let index = 0; index < 11; index++) await person(`anna${index}@acme.com`, "Anna", "Smith");
    expect((await account("Anna Smith")).body.candidates).toHaveLength(10);
  });

  test("the domain of a mailbox provider is refused as no one's name", async () => {
    const { person, account } = await setUp();
    await person("anna@gmail.com", "Anna", "Smith");
    for (const focus of ["gmail.com", "https://www.gmail.com/"])
      expect(await account(focus)).toMatchObject({
        status: 400,
        body: {
          error: "invalid_focus",
          parameter: "focus",
          message: expect.stringContaining("gmail.com is a mailbox"),
        },
      });
  });

  test("a whole name is preferred to a part, and the beginning of a word to its middle", async () => {
    const { person, account } = await setUp();
    const ann = await person("a@acme.com", "Ann", "Lee");
    const joanne = await person("j@acme.com", "Joanne", "Fox");
    const annLeeson = await person("l@acme.com", "Ann", "Leeson");
    expect((await account("Ann Lee")).body.entity_id).toBe(ann);
    expect((await account("oanne")).body.entity_id).toBe(joanne);
    expect((await account("ann")).body.candidates.map(({ entity_id }) => entity_id).sort()).toEqual(
      [ann, annLeeson].sort(),
    );
  });

  test("an address or employer that contains the text does not count as the name", async () => {
    const { person, account } = await setUp();
    await person("smithers@acme.com", "Bo", "Lind");
    expect(await account("smithers")).toMatchObject({
      status: 404,
      body: {
        error: "entity_not_found",
        message: "No person or company in this workspace has that name or domain.",
      },
    });
  });

  test("a company whose name looks like a domain is found", async () => {
    const { observe, state, account } = await setUp();
    const id = await observe("booking-holdings.com", state("name", "Booking.com"));
    expect((await account("booking.com")).body.entity_id).toBe(id);
  });

  test("a wildcard in a name is a character", async () => {
    const { person, account } = await setUp();
    await person("a@acme.com", "Ann", "Lee");
    expect((await account("%%%")).status).toBe(404);
    expect((await account("___ ___")).status).toBe(404);
    expect((await account("\\")).status).toBe(404);
  });

  test("an archived bearer is found only when no active one has the name", async () => {
    const { workspace, person, account } = await setUp();
    const old = await person("a@acme.com", "Ann", "Lee");
    const { withWorkspace } = await import("#lib/db/transaction.ts");
    await withWorkspace(workspace.id, (db) =>
      db.prisma.person.update({
        where: { workspaceId_id: { workspaceId: workspace.id, id: old } },
        data: { status: "archived" },
      }),
    );
    expect((await account("Ann Lee")).body.entity_id).toBe(old);
    const fresh = await person("b@acme.com", "Ann", "Lee");
    expect((await account("Ann Lee")).body.entity_id).toBe(fresh);
  });
});

describe("the timeline", () => {
  test("is walked whole by cursor while events are recorded", async () => {
    const { person, observe, event, get } = await setUp();
    const events = Array.from({ length: 25 }, (_, index) =>
      event("call", `call ${index}`, new Date(Date.UTC(2026, 5, 1 + (index % 9))).toISOString()),
    );
    const id = await person("anna@acme.com", "Anna", "Smith", ...events);
    const seen: string[] = [];
    let cursor = "";
    for (;;) {
      const { body } = await get(`/v2/accounts/${id}/timeline?limit=4${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.events.map((item) => item.id));
      if (!body.has_more) break;
      cursor = body.next_cursor as string;
      await observe(id, event("call", "newer", "2026-07-01T00:00:00Z"));
    }
    expect(new Set(seen).size).toBe(25);
  });

  test("filters by type and answers labels", async () => {
    const { person, event, get } = await setUp();
    const id = await person(
      "anna@acme.com",
      "Anna",
      "Smith",
      event("call", "Intro call", "2026-06-01T00:00:00Z"),
      event("meeting_held", "Pilot review", "2026-06-02T00:00:00Z"),
      { kind: "event", property: "trial.started", value: "Trial" },
    );
    const held = (await get(`/v2/accounts/${id}/timeline?type=meeting_held`)).body.events;
    expect(held).toMatchObject([{ type: "meeting_held", summary: "Pilot review", entity_name: "Anna Smith" }]);
    const own = (await get(`/v2/accounts/${id}/timeline?type=trial.started`)).body.events;
    expect(own).toMatchObject([{ type: "trial.started", summary: "Trial" }]);
  });

  test("says which stage an event moved its person to, after merging too", async () => {
    const { key, get, workspace } = await setUp();
    const capture = async (type: string) =>
      (await call("/api/v1/capture", { key, body: { email: "anna@acme.com", type } })).body as Record<string, string>;
    const replied = await capture("email_received");
    const opened = await capture("email_opened");
    const held = await capture("meeting_held");
    const other = await createTestWorkspace();
    await call("/api/v1/capture", { key: await other.key(), body: { email: "anna@acme.com", type: "meeting_held" } });
    const moves = await inspect<{ id: string; caused_by: string }>(
      "SELECT id, caused_by FROM observations WHERE workspace_id = $1 AND property = 'pipeline_stage' ORDER BY seq",
      [workspace.id],
    );
    const idOf = (activity: string | undefined) => moves.find(({ caused_by }) => caused_by === activity)?.id;
    const changes = async (path: string, field: "events" | "activities") =>
      Object.fromEntries(
        ((await get(path)).body[field] as { id: string; stage_change?: unknown }[]).map((event) => [
          event.id,
          event.stage_change,
        ]),
      );
    const expected = {
      [replied.activity_id as string]: {
        id: idOf(replied.activity_id),
        from: replied.stage_before,
        to: replied.stage_after,
        caused_by: replied.activity_id,
      },
      [opened.activity_id as string]: undefined,
      [held.activity_id as string]: {
        id: idOf(held.activity_id),
        from: held.stage_before,
        to: held.stage_after,
        caused_by: held.activity_id,
      },
    };
    expect(moves).toHaveLength(2);
    expect([replied.stage_after, held.stage_after]).toEqual(["interested", "evaluating"]);
    for (const [path, field] of [
      ["/v2/accounts/anna@acme.com/timeline", "events"],
      ["/v2/accounts/acme.com/timeline", "events"],
      ["/v2/activities", "activities"],
    ] as const)
      expect(await changes(path, field)).toEqual(expected);
    // What was merged keeps what it moved.
    const keep = (await call("/v2/people", { key, body: { email: "anna@other.com" } })).body.person as { id: string };
    await call("/v2/accounts/merge", { key, body: { keep: keep.id, drop: replied.contact_id } });
    expect(await changes(`/v2/accounts/${keep.id}/timeline`, "events")).toEqual(expected);
    // A stage that someone set has no cause among the events.
    await call("/v2/people", { key, body: { email: "anna@other.com", pipeline_stage: "client" } });
    expect(await changes(`/v2/accounts/${keep.id}/timeline`, "events")).toEqual(expected);
  });

  test("of a company mixes its people's events in and says whose they are", async () => {
    const { person, observe, event, get } = await setUp();
    const anna = await person("anna@acme.com", "Anna", "Smith", event("call", "a", "2026-06-01T00:00:00Z"));
    await person("bo@acme.com", "Bo", "Lind", event("call", "b", "2026-06-03T00:00:00Z"));
    const acme = await observe("acme.com", event("website_visit", "c", "2026-06-02T00:00:00Z"));
    await person("eve@globex.com", "Eve", "Else", event("call", "d", "2026-06-04T00:00:00Z"));
    const first = (await get("/v2/accounts/acme.com/timeline?limit=2")).body;
    expect(first.events.map(({ summary, entity_name }) => [summary, entity_name])).toEqual([
      ["b", "Bo Lind"],
      ["c", "acme.com"],
    ]);
    const second = (await get(`/v2/accounts/acme.com/timeline?limit=2&cursor=${first.next_cursor}`)).body;
    expect(second).toMatchObject({ has_more: false, next_cursor: null, events: [{ summary: "a", entity_id: anna }] });
    expect(first.entity_id).toBe(acme);
  });
});

describe("history", () => {
  test("shows every value with source, both times and what it is worth", async () => {
    const { person, state, get } = await setUp();
    const id = await person(
      "anna@acme.com",
      "Anna",
      "Smith",
      state("job_title", "Manager", { observed_at: "2026-01-10", source: "csv" }),
      state("job_title", "CFO", { observed_at: "2026-05-10", source: "crm", method: "asserted" }),
      state("job_title", "CEO", { observed_at: "2026-06-10", source: "linkedin" }),
    );
    const { body } = await get(`/v2/accounts/${id}/history?property=job_title`);
    expect(body.values.map(({ value, source, standing }) => [value, source, standing])).toEqual([
      ["CEO", "linkedin", "conflicting"],
      ["CFO", "crm", "current"],
      ["Manager", "csv", "past"],
    ]);
    const page = (await get(`/v2/accounts/${id}/history?property=job_title&limit=1`)).body;
    const rest = (await get(`/v2/accounts/${id}/history?property=job_title&cursor=${page.next_cursor}`)).body;
    expect([...page.values, ...rest.values]).toEqual(body.values);
    expect(await get(`/v2/accounts/${id}/history?property=shoe_size`)).toMatchObject({
      status: 404,
      body: { error: "claim_not_found" },
    });
    expect(await get(`/v2/accounts/${id}/history`)).toMatchObject({ status: 400, body: { parameter: "property" } });
    expect(await get(`/v2/accounts/${id}/history?property=job_title&cursor=x`)).toMatchObject({
      status: 400,
      body: { parameter: "cursor" },
    });
  });
});

describe("verify", () => {
  test("compares the kept claim with the evidence", async () => {
    const { person, state, verify } = await setUp();
    await person(
      "anna@acme.com",
      "Anna",
      "Smith",
      state("job_title", "CFO", { source: "crm" }),
      state("job_title", "CFO", { source: "linkedin" }),
    );
    const { status, body } = await verify({ focus: "anna@acme.com", property: "job_title" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      property: "job_title",
      before: { value: "CFO", confidence: 0.88, freshness: "fresh" },
      after: { value: "CFO", confidence: 0.88, freshness: "fresh" },
      evidence: [{ supports: true }, { supports: true }],
    });
    expect(body.note).toContain("2 pieces of evidence from 2 sources support it");
  });

  test("a fact that ended is worth nothing", async () => {
    const { person, state, verify } = await setUp();
    await person("anna@acme.com", "Anna", "Smith", state("job_title", "CFO"), state("job_title", null));
    expect((await verify({ focus: "anna@acme.com", property: "job_title" })).body).toMatchObject({
      after: { value: null, confidence: 0 },
      evidence: [
        { value: null, supports: true },
        { value: "CFO", supports: false },
      ],
    });
  });

  test("refuses what it cannot answer", async () => {
    const { person, verify } = await setUp();
    await person("anna@acme.com", "Anna", "Smith");
    expect(await verify({ focus: "anna@acme.com", property: "shoe_size" })).toMatchObject({
      status: 404,
      body: { error: "claim_not_found" },
    });
    expect(await verify({ focus: "anna@acme.com" })).toMatchObject({ status: 400, body: { parameter: "property" } });
    expect(await verify({ property: "job_title" })).toMatchObject({ status: 400, body: { parameter: "focus" } });
  });
});

describe("isolation", () => {
  test("what another workspace has, by id, identifier or name, is not found", async () => {
    const mine = await setUp();
    const theirs = await setUp();
    const id = await theirs.person("anna@acme.com", "Anna", "Smith", theirs.state("job_title", "CFO"));
    for (const focus of [id, newId(), "anna@acme.com", "Anna Smith", "acme.com", "https://www.linkedin.com/in/anna"]) {
      for (const tail of ["", "/timeline", "/history?property=job_title"]) {
        expect(await mine.get(`/v2/accounts/${encodeURIComponent(focus)}${tail}`)).toMatchObject({
          status: 404,
          body: { error: "entity_not_found" },
        });
      }
      expect(await mine.verify({ focus, property: "job_title" })).toMatchObject({
        status: 404,
        body: { error: "entity_not_found" },
      });
    }
  });
});
