import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { DAY_MS } from "#lib/text/time.ts";

const { call } = useServer();

const ANNA = "anna@acme.com";

async function start() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const observe = async (focus: string, ...observations: unknown[]) =>
    call("/v2/observations", { key, body: { focus, observations } });
  const account = async (focus: string) => (await call(`/v2/accounts/${focus}`, { key })).body;
  const title = async () => ((await account(ANNA)).claims as Record<string, { value: unknown }>).job_title?.value;
  const person = (body: object) => call("/v2/people", { key, body: { email: ANNA, ...body } });
  const verify = (body: object, as = key) => call("/v2/verify", { key: as, body: { focus: ANNA, ...body } });
  const rebuilt = async () => (await rebuildWorkspace(workspace.caller)).differences;
  return { workspace, key, observe, account, title, person, verify, rebuilt };
}

const state = (property: string, value: unknown, more = {}) => ({ kind: "state", property, value, ...more });
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

describe("what a key writes", () => {
  test("is observed, so the newest word counts, wherever it was written", async () => {
    const { observe, person, title, rebuilt } = await start();
    await person({ job_title: "CTO" });
    expect(await title()).toBe("CTO");
    await observe(ANNA, state("job_title", "CEO"));
    expect(await title()).toBe("CEO");
    await observe(ANNA, state("job_title", null));
    expect(await title()).toBeUndefined();
    expect(await rebuilt()).toEqual([]);
  });

  test("does not displace what a person asserted last week, and is told so", async () => {
    const { observe, title, rebuilt } = await start();
    await observe(ANNA, state("job_title", "CTO", { method: "asserted", source: "manual", observed_at: ago(7) }));
    for (const value of ["CEO", null]) {
      const { body } = await observe(ANNA, state("job_title", value));
      expect(body).toMatchObject({
        claims_recomputed: ["job_title"],
        claims: [
          {
            property: "job_title",
            value: "CTO",
            changed: false,
            conflict: { value: "CTO", source: "manual", method: "asserted", confidence: expect.any(Number) },
          },
        ],
      });
    }
    expect(await title()).toBe("CTO");
    expect(await rebuilt()).toEqual([]);
  });

  test("displaces it 90 days after it was last confirmed", async () => {
    const { observe, title } = await start();
    await observe(ANNA, state("job_title", "CTO", { method: "asserted", observed_at: ago(200) }));
    await observe(ANNA, state("job_title", "CTO", { observed_at: ago(100) }));
    const early = await observe(ANNA, state("job_title", "CEO", { observed_at: ago(11) }));
    expect(early.body.claims).toMatchObject([{ value: "CTO", conflict: { method: "asserted" } }]);
    const late = await observe(ANNA, state("job_title", "CEO", { observed_at: ago(9) }));
    expect(late.body.claims).toEqual([{ property: "job_title", value: "CEO", changed: true }]);
    expect(await title()).toBe("CEO");
  });

  test("moves a stage either way, and locks nothing", async () => {
    const { key, observe, person, account } = await start();
    await call("/api/v1/capture", { key, body: { email: ANNA, type: "meeting_held" } });
    await person({ pipeline_stage: "aware" });
    expect((await account(ANNA)).pipeline_stage).toBe("aware");
    await observe(ANNA, state("stage", "client"));
    expect((await account(ANNA)).pipeline_stage).toBe("client");
  });
});

describe("the answer of a write", () => {
  test("says what is believed of every state, a repeated one too", async () => {
    const { observe } = await start();
    const first = [state("job_title", "CTO", { external_id: "1" }), state("region", "DACH")];
    expect((await observe(ANNA, ...first)).body).toMatchObject({
      recorded: 2,
      claims_recomputed: ["job_title", "region"],
      claims: [
        { property: "job_title", value: "CTO", changed: true },
        { property: "region", value: "DACH", changed: true },
      ],
    });
    const again = await observe(ANNA, state("job_title", "CTO", { external_id: "1" }), state("region", "DACH"));
    expect(again.body).toMatchObject({
      recorded: 1,
      duplicates: 1,
      claims_recomputed: ["region"],
      claims: [
        { property: "job_title", value: "CTO", changed: false },
        { property: "region", value: "DACH", changed: false },
      ],
    });
  });

  test("is the same for a property that is told twice around an activity", async () => {
    const { observe } = await start();
    const { body } = await observe(
      ANNA,
      state("region", "DACH"),
      { kind: "event", property: "call" },
      state("region", "EMEA"),
    );
    expect(body.claims).toEqual([{ property: "region", value: "EMEA", changed: true }]);
  });

  test("is there for people and companies, and for each row of many", async () => {
    const { key, person } = await start();
    expect((await person({ job_title: "CTO", region: "DACH" })).body).toMatchObject({
      claims_written: 2,
      claims_recomputed: ["job_title", "region"],
      claims: [
        { property: "job_title", value: "CTO", changed: true },
        { property: "region", value: "DACH", changed: true },
      ],
    });
    expect((await person({ job_title: "CTO" })).body).toMatchObject({
      claims_written: 0,
      claims_recomputed: [],
      claims: [{ property: "job_title", value: "CTO", changed: false }],
    });
    const people = [{ email: ANNA, job_title: "CEO" }, { first_name: "Without an address" }];
    expect((await call("/v2/people/bulk", { key, body: { people } })).body.results).toMatchObject([
      { status: "updated", claims: [{ property: "job_title", value: "CEO", changed: true }] },
      { status: "failed", error: "identifier_required" },
    ]);
  });
});

describe("an event", () => {
  test.each([
    ["email_received", "email_received"],
    ["email_reply", "email_received"],
    ["interaction.email_reply", "email_received"],
    ["call_held", "call"],
    ["interaction.linkedin_message_received", "linkedin_message"],
    ["meeting_booked", "meeting_scheduled"],
    ["page_view", "website_visit"],
  ])("called %s is the activity %s, without a value too", async (property, type) => {
    const { key, observe } = await start();
    const { status, body } = await observe(ANNA, { kind: "event", property });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty("warnings");
    const { body: timeline } = await call(`/v2/accounts/${ANNA}/timeline`, { key });
    expect(timeline.events).toMatchObject([{ type }]);
  });

  test("of an unknown name is kept as it is, with a warning that names what was probably meant", async () => {
    const { key, observe } = await start();
    const { body } = await observe(
      ANNA,
      { kind: "event", property: "email_recieved" },
      { kind: "event", property: "trial_started", value: { plan: "pro" } },
    );
    expect(body).toMatchObject({ recorded: 2, warnings: [{ index: 0 }, { index: 1 }] });
    const [first, second] = body.warnings as { message: string }[];
    expect(first?.message).toContain("Did you mean interaction.email_received?");
    expect(second?.message).not.toContain("Did you mean");
    const { body: timeline } = await call(`/v2/accounts/${ANNA}/timeline`, { key });
    expect((timeline.events as { type: string }[]).map(({ type }) => type).sort()).toEqual([
      "email_recieved",
      "trial_started",
    ]);
  });
});

describe("a state", () => {
  test("called stage is the pipeline stage, and a phone number is one", async () => {
    const { observe, account } = await start();
    const { body } = await observe(ANNA, state("stage", "evaluating"), state("phone", "+49 30 901820"));
    expect(body.claims).toMatchObject([
      { property: "pipeline_stage", value: "evaluating" },
      { property: "phone", value: "+4930901820" },
    ]);
    expect((await account(ANNA)).claims).not.toHaveProperty("stage");
  });

  test("called like a field in other letters is that field", async () => {
    const { observe, account } = await start();
    const { body } = await observe(
      ANNA,
      state("firstName", "Anna"),
      state("Job_Title", "CTO"),
      state("phoneNumber", null),
    );
    expect(body.claims).toMatchObject([{ property: "first_name" }, { property: "job_title" }, { property: "phone" }]);
    expect(Object.keys((await account(ANNA)).claims as object)).toEqual(
      expect.arrayContaining(["first_name", "job_title"]),
    );
  });

  test("works_at is a company of this workspace", async () => {
    const { key, observe } = await start();
    const { company } = (await call("/v2/companies", { key, body: { domain: "globex.com" } })).body as {
      company: { id: string };
    };
    const { body: person } = await call("/v2/people", { key, body: { email: "bo@hooli.com" } });
    const { id } = (person as { person: { id: string } }).person;
    for (const value of ["Globex", 5, newId(), id]) {
      const { status, body } = await observe(ANNA, state("works_at", value));
      expect([status, body.error, body.index]).toEqual([400, "invalid_observation", 0]);
    }
    for (const value of [company.id, null])
      expect((await observe(ANNA, state("works_at", value))).body.claims).toMatchObject([{ value }]);
  });

  test.each([
    [ANNA, state("email", "ada@acme.com"), "identifier"],
    [ANNA, state("linkedin_url", "linkedin.com/in/ada"), "identifier"],
    [ANNA, state("Email", "ada@acme.com"), "identifier"],
    [ANNA, state("linkedinUrl", "linkedin.com/in/ada"), "identifier"],
    [ANNA, state("linkedin", "linkedin.com/in/ada"), "linkedin_url"],
    [ANNA, state("entity_id", "x"), "does not change"],
    [ANNA, state("name", "Anna"), "first_name"],
    [ANNA, state("status", "archived"), "PATCH"],
    [ANNA, state("last_activity_at", "2026-01-01"), "event"],
    [ANNA, state("stage", "won"), "identified, aware, interested, evaluating, client"],
    [ANNA, state("phone", "call me"), "E.164"],
    [ANNA, { kind: "state", property: "region" }, "null ends it"],
    ["acme.com", state("domain", "acme.io"), "identifier"],
    ["acme.com", state("people_count", 3), "people"],
    ["workspace", state("note.pricing", "From 49 euros"), "uuid"],
  ])("about %s such as %o is refused and told what to do, before anything is written", async (focus, bad, hint) => {
    const { observe, account } = await start();
    const { status, body } = await observe(focus, state("region", "DACH"), bad);
    expect([status, body.error, body.index]).toEqual([400, "invalid_observation", 1]);
    expect(body.message).toContain(hint);
    if (focus !== "workspace") expect((await account(focus)).error).toBe("entity_not_found");
  });
});

test("the domain of a mailbox provider is no company anywhere", async () => {
  const { key, observe } = await start();
  const answers = [
    await observe("gmail.com", state("region", "DACH")),
    await call("/v2/accounts/gmail.com", { key }),
    await call("/v2/context", { key, body: { focus: "https://www.gmail.com/" } }),
    await call("/v2/notes", { key, body: { focus: "gmail.com", title: "A", content: "B" } }),
  ];
  for (const { status, body } of answers) expect([status, body.error]).toEqual([400, "invalid_focus"]);
  expect((await call("/v2/companies", { key, body: { domain: "gmail.com" } })).body.error).toBe("invalid_domain");
});

describe("a confirmation", () => {
  test("renews a claim and settles its conflicts, and only with the scope write", async () => {
    const { workspace, observe, verify, account, rebuilt } = await start();
    await observe(ANNA, state("job_title", "CTO", { method: "asserted", observed_at: ago(60) }));
    await observe(ANNA, state("job_title", "CEO", { source: "crm", observed_at: ago(30) }));
    const plain = await verify({ property: "job_title" });
    expect(plain.body).toMatchObject({ before: { freshness: "aging" }, after: { freshness: "aging" } });
    expect(plain.body.before).toEqual(plain.body.after);
    const reader = await workspace.key(["read"]);
    expect((await verify({ property: "job_title", confirm: true }, reader)).body).toMatchObject({
      error: "insufficient_scope",
      required_scope: "write",
    });
    const { body } = await verify({ property: "job_title", confirm: true });
    expect(body).toMatchObject({ before: { freshness: "aging" }, after: { value: "CTO", freshness: "fresh" } });
    expect((body.after as { confidence: number }).confidence).toBeGreaterThan(
      (body.before as { confidence: number }).confidence,
    );
    const { job_title } = (await account(ANNA)).claims as Record<string, object>;
    expect(job_title).toMatchObject({ value: "CTO", epistemic_class: "asserted" });
    expect(job_title).not.toHaveProperty("conflicts");
    expect(await rebuilt()).toEqual([]);
  });

  test("is possible for identifiers and the stage, and makes no claim of an identifier", async () => {
    const { key, person, verify, account, rebuilt } = await start();
    await person({ linkedin_url: "linkedin.com/in/anna" });
    for (const [property, value] of [
      ["email", ANNA],
      ["linkedin_url", "https://www.linkedin.com/in/anna"],
      ["pipeline_stage", "identified"],
    ]) {
      expect((await verify({ property })).body).toMatchObject({ before: { value }, after: { value } });
      const { status, body } = await verify({ property, confirm: true });
      expect(status, property).toBe(200);
      expect(body).toMatchObject({ after: { value, freshness: "fresh" }, evidence: [{ value, supports: true }] });
    }
    expect(Object.keys((await account(ANNA)).claims as object).sort()).toEqual([
      "pipeline_stage",
      "source",
      "works_at",
    ]);
    expect((await call(`/v2/people?email=${ANNA}`, { key })).body.people).toMatchObject([{ properties: {} }]);
    expect((await verify({ property: "domain" })).body.error).toBe("claim_not_found");
    expect(await rebuilt()).toEqual([]);
  });

  test("under way with a new value confirms the one that is believed then", async () => {
    const { observe, verify, title, rebuilt } = await start();
    await observe(ANNA, state("job_title", "CTO"));
    await Promise.all([
      ...Array.from({ length: 8 }, (_, index) => observe(ANNA, state("job_title", `CEO ${index}`))),
      ...Array.from({ length: 8 }, () => verify({ property: "job_title", confirm: true })),
    ]);
    expect(await title()).toMatch(/^C[TE]O/);
    expect(await rebuilt()).toEqual([]);
  });
});
