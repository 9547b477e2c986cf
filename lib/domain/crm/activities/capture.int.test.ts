import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { DAY_MS } from "#lib/text/time.ts";

const { call, url } = useServer();

async function start() {
  const workspace = await createTestWorkspace({ listening: true });
  const key = await workspace.key(["write"]);
  const capture = (body: Record<string, unknown>) => call("/api/v1/capture", { key, body });
  const batch = (activities: unknown) => call("/api/v1/capture/batch", { key, body: activities });
  const outbox = async () =>
    (
      await inspect<{ type: string; data: unknown }>(
        "SELECT type, data FROM outbox WHERE workspace_id = $1 ORDER BY seq",
        [workspace.id],
      )
    ).map(({ type }) => type);
  return { ...workspace, workspace, key, capture, batch, outbox };
}

describe("one capture", () => {
  test("makes the contact, its company, the activity and the stage, and answers exactly", async () => {
    const { key, capture, outbox, caller } = await start();
    const answer = await capture({
      email: "Anna@Acme.com ",
      type: "email_received",
      source: "gmail",
      description: "Re: pilot",
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ok: true,
      activity_id: expect.any(String),
      contact_id: expect.any(String),
      stage_before: "identified",
      stage_after: "interested",
      deduplicated: false,
      created_contact: true,
    });
    const account = await call("/v2/accounts/anna@acme.com", { key });
    expect(account.body).toMatchObject({
      entity_id: answer.body.contact_id,
      pipeline_stage: "interested",
      claims: { source: { value: "gmail" }, pipeline_stage: { value: "interested", source: "gmail" } },
      relationships: { works_at: [{ domain: "acme.com" }] },
    });
    const { people } = (await call("/v2/people", { key })).body as { people: Record<string, unknown>[] };
    expect(people).toMatchObject([
      {
        email: "anna@acme.com",
        company: "acme.com",
        pipeline_stage: "interested",
        source: "gmail",
        last_activity_at: expect.any(String),
      },
    ]);
    expect(await outbox()).toEqual(["contact.created", "activity.email_received", "stage.advanced"]);
    expect((await rebuildWorkspace(caller)).differences).toEqual([]);
  });

  test("keeps the cause of a stage beside it", async () => {
    const { id, capture } = await start();
    const { body } = await capture({ email: "anna@acme.com", type: "meeting_held" });
    const rows = await inspect(
      "SELECT property, caused_by FROM observations WHERE workspace_id = $1 AND kind = 'state' AND entity_id = $2 ORDER BY seq",
      [id, body.contact_id],
    );
    expect(rows).toEqual(
      ["source", "works_at", "pipeline_stage"].map((property) => ({ property, caused_by: body.activity_id })),
    );
  });
});

describe("at once", () => {
  test("100 identical captures of a stranger are one activity of one contact, with identical answers", async () => {
    const { capture, id, outbox, caller } = await start();
    const body = { email: "anna@acme.com", type: "meeting_scheduled", source: "cal", external_id: "b-1" };
    const answers = await Promise.all(Array.from({ length: 100 }, () => capture(body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const first = answers.filter(({ body: { deduplicated } }) => !deduplicated);
    expect(first).toHaveLength(1);
    expect(new Set(answers.map((answer) => JSON.stringify({ ...answer.body, deduplicated: null }))).size).toBe(1);
    expect(first[0]?.body).toMatchObject({
      stage_before: "identified",
      stage_after: "evaluating",
      created_contact: true,
    });
    const [count] = await inspect<{ n: number }>(
      "SELECT count(*)::int AS n FROM observations WHERE workspace_id = $1 AND kind = 'event'",
      [id],
    );
    expect(count?.n).toBe(1);
    expect(await outbox()).toEqual(["contact.created", "activity.meeting_scheduled", "stage.advanced"]);
    expect((await rebuildWorkspace(caller)).differences).toEqual([]);
  });

  test("two different signals leave the higher stage, always", async () => {
    const { capture, key, caller } = await start();
    for (let round = 0; round < 20; round++) {
      const email = `p${round}@acme.com`;
      if (round % 2) await capture({ email, type: "note" });
      await Promise.all([
        capture({ email, type: "meeting_held" }),
        capture({ email, type: "website_visit" }),
        capture({ email, type: "email_received" }),
      ]);
      expect((await call(`/v2/accounts/${email}`, { key })).body.pipeline_stage).toBe("evaluating");
    }
    expect((await rebuildWorkspace(caller)).differences).toEqual([]);
  });
});

describe("answered together", () => {
  test("strangers, repeats and refusals that come at once each get their own answer, as one after the other", async () => {
    const { capture, caller, id } = await start();
    const known = { email: "p0@acme.com", type: "call", external_id: "x0" };
    const first = await capture(known);
    const answers = await Promise.all([
      capture(known),
      ...Array.from({ length: 40 }, (_, index) => capture({ email: `p${index}@acme.com`, type: "email_received" })),
      capture({ contact_id: newId(), type: "call" }),
      capture({ email: "p1@acme.com", type: "meeting_cancelled" }),
      capture({ contact_id: first.body.contact_id, email: "attached@acme.com", type: "note" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 41 }, () => 200), 404, 400, 200]);
    expect(answers[0]?.body).toEqual({ ...first.body, deduplicated: true });
    expect(new Set(answers.slice(0, 41).map(({ body }) => body.contact_id)).size).toBe(40);
    const [count] = await inspect<{ n: number }>(
      "SELECT count(*)::int AS n FROM observations WHERE workspace_id = $1 AND kind = 'event'",
      [id],
    );
    expect(count?.n).toBe(42);
    expect((await rebuildWorkspace(caller)).differences).toEqual([]);
  });

  test("each is recorded as its own caller's", async () => {
    const { workspace, id } = await start();
    const keys = await Promise.all([workspace.key(["write"]), workspace.key(["write"])]);
    const sent = keys.flatMap((key, index) =>
      Array.from({ length: 10 }, (_, place) =>
        call("/api/v1/capture", {
          key,
          body: { email: `p${place}@acme.com`, type: "call", external_id: `${index}-${place}` },
        }),
      ),
    );
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]));
    const rows = await inspect<{ actor: string; which: string; n: number }>(
      "SELECT actor, left(external_id, 1) AS which, count(*)::int AS n FROM observations WHERE workspace_id = $1 AND kind = 'event' GROUP BY 1, 2 ORDER BY 2",
      [id],
    );
    expect(rows).toMatchObject([
      { which: "0", n: 10 },
      { which: "1", n: 10 },
    ]);
    expect(rows[0]?.actor).not.toBe(rows[1]?.actor);
  });

  test("one that the database refuses fails alone", async () => {
    const { capture, caller, id } = await start();
    await inspect(
      `CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN IF NEW.external_id = 'poison' THEN RAISE EXCEPTION 'poison' USING ERRCODE = '23514'; END IF; RETURN NEW; END $$`,
    );
    await inspect(
      "CREATE TRIGGER refuse_poison BEFORE INSERT ON observations FOR EACH ROW EXECUTE FUNCTION refuse_poison()",
    );
    try {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          capture({ email: `p${index}@acme.com`, type: "call", external_id: index === 7 ? "poison" : `x${index}` }),
        ),
      );
      expect(answers.flatMap(({ status }, index) => (status === 200 ? [] : [[index, status]]))).toEqual([[7, 500]]);
    } finally {
      await inspect("DROP TRIGGER refuse_poison ON observations");
      await inspect("DROP FUNCTION refuse_poison()");
    }
    const rows = await inspect("SELECT 1 FROM observations WHERE workspace_id = $1 AND kind = 'event'", [id]);
    expect(rows).toHaveLength(19);
    expect((await rebuildWorkspace(caller)).differences).toEqual([]);
  });
});

test("a time long ago moves nothing", async () => {
  const { capture } = await start();
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
  const old = await capture({ email: "a@acme.com", type: "meeting_held", occurred_at: ago(90 * DAY_MS + 60_000) });
  expect(old.body).toMatchObject({ stage_after: "identified" });
  const young = await capture({ email: "a@acme.com", type: "meeting_held", occurred_at: ago(90 * DAY_MS - 60_000) });
  expect(young.body).toMatchObject({ stage_before: "identified", stage_after: "evaluating" });
});

describe("refusals", () => {
  test.each([
    [{}, 400, "contact_id_or_email_required"],
    [{ type: "nonsense" }, 400, "contact_id_or_email_required"],
    [{ email: "  ", type: "call" }, 400, "contact_id_or_email_required"],
    [{ email: "a@acme.com" }, 400, "type_required"],
    [{ email: "a@acme.com", type: "" }, 400, "type_required"],
    [{ email: "a@acme.com", type: "meeting_cancelled" }, 400, "invalid_type"],
    [{ email: "a@acme.com", type: 7 }, 400, "invalid_type"],
    [{ email: "nobody", type: "call" }, 400, "invalid_email"],
    [{ email: 7, type: "call" }, 400, "invalid_email"],
    [{ contact_id: "x", type: "call" }, 400, "invalid_contact_id"],
    [{ contact_id: newId(), type: "call" }, 404, "contact_not_found"],
    [{ email: "a@acme.com", type: "call", occurred_at: "someday" }, 400, "invalid_occurred_at"],
    [{ email: "a@acme.com", type: "call", metadata: [] }, 400, "invalid_metadata"],
    [{ email: "a@acme.com", type: "call", metadata: { x: "y".repeat(32 * 1024) } }, 400, "invalid_metadata"],
    [{ email: "a@acme.com", type: "call", source: "" }, 400, "invalid_parameter"],
    [{ email: "a@acme.com", type: "call", typo: 1 }, 400, "unknown_parameter"],
  ])("%j is %i %s, and nothing is written", async (body, status, error) => {
    const { capture, id } = await start();
    const answer = await capture(body);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    if (error === "invalid_type") expect(answer.body.allowed).toContain("meeting_held");
    expect(await inspect("SELECT 1 FROM observations WHERE workspace_id = $1", [id])).toEqual([]);
  });
});

describe("a batch", () => {
  test("answers each item by itself, in order, in any form", async () => {
    const { batch, key, caller, outbox } = await start();
    const item = { email: "a@acme.com", type: "email_received", external_id: "1" };
    const items = [
      item,
      { email: "b@acme.com", type: "nothing" },
      item,
      { email: "a@acme.com", type: "meeting_held" },
      { contact_id: newId(), type: "call" },
    ];
    const { status, body } = await batch(items);
    expect(status).toBe(200);
    const results = body.results as Record<string, unknown>[];
    expect(results).toMatchObject([
      {
        index: 0,
        ok: true,
        stage_before: "identified",
        stage_after: "interested",
        deduplicated: false,
        created_contact: true,
      },
      { index: 1, ok: false, error: "invalid_type" },
      { index: 2, ok: true, stage_after: "interested", deduplicated: true, created_contact: true },
      { index: 3, ok: true, stage_before: "interested", stage_after: "evaluating", created_contact: false },
      { index: 4, ok: false, error: "contact_not_found" },
    ]);
    expect(results[2]?.activity_id).toBe(results[0]?.activity_id);
    expect(body).toMatchObject({ ok: false, captured: 2, deduplicated: 1, failed: 2 });
    expect(await outbox()).toEqual([
      "contact.created",
      "activity.email_received",
      "stage.advanced",
      "activity.meeting_held",
      "stage.advanced",
    ]);
    const lines = async (body: string) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" };
      const answer = await fetch(`${url()}/api/v1/capture/batch`, { method: "POST", headers, body });
      return answer.json();
    };
    const two = `${JSON.stringify(item)}\n\n${JSON.stringify({ ...item, external_id: "2" })}\n`;
    expect(await lines(`${two}{"email":`)).toMatchObject({ error: "invalid_json", line: 4 });
    expect(await lines(two)).toMatchObject({ ok: true, captured: 1, deduplicated: 1 });
    expect((await batch({ activities: [item] })).body).toMatchObject({ ok: true, deduplicated: 1 });
    expect((await rebuildWorkspace(caller)).differences).toEqual([]);
  });

  test("of 1,000 people of 100 companies derives what a rebuild derives", async () => {
    const { batch, caller } = await start();
    const types = ["email_sent", "email_received", "website_visit", "meeting_held"];
    const items = Array.from({ length: 1000 }, (_, index) => ({
      email: `p${index % 700}@c${index % 100}.com`,
      type: types[index % 4],
      external_id: `x${index % 900}`,
    }));
    const { body } = await batch(items);
    expect(body).toMatchObject({ ok: true, failed: 0 });
    expect((await rebuildWorkspace(caller)).differences).toEqual([]);
  });
});
