import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { endWaits } from "#lib/live/news.ts";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { settled } from "#lib/testing/changes.fixture.ts";
import { bootWith, database, inspect } from "#lib/testing/database.ts";
import { eventsOf, type StreamEvent } from "#lib/testing/events.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import type { Change, ChangesPage } from "./contract.ts";
import { sweepReaders } from "./jobs.ts";
import { EXAMINED } from "./queries.ts";

const { call, url } = useServer();

async function setUp(workspace?: TestWorkspace) {
  const own = workspace ?? (await createTestWorkspace());
  const key = await own.key();
  const get = async (query: Record<string, string | number> = {}, headers: Record<string, string> = {}) =>
    call(`/v2/changes?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`, {
      key,
      headers,
    });
  const page = async (query: Record<string, string | number> = {}, headers?: Record<string, string>) => {
    await settled(own.id);
    const answer = await get(query, headers);
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    return answer.body as unknown as ChangesPage;
  };
  /** Everything behind a cursor, page by page. */
  const all = async (query: Record<string, string | number> = {}) => {
    const found: Change[] = [];
    let last = await page(query);
    for (;;) {
      found.push(...last.changes);
      if (!last.has_more) return found;
      last = await page({ ...query, cursor: last.next_cursor });
    }
  };
  const post = async (path: string, body: object) => (await call(path, { key, body })).body;
  const observe = (focus: string, ...observations: object[]) => post("/v2/observations", { focus, observations });
  const state = (property: string, value: unknown) => ({ kind: "state", property, value });
  const capture = (email: string, type: string) => post("/api/v1/capture", { email, type });
  return { workspace: own, key, get, page, all, post, observe, state, capture };
}

const brief = ({ type, entity_name, property, value, previous }: Change) => ({
  type,
  entity_name,
  ...(property === undefined ? {} : { property }),
  ...(value === undefined ? {} : { value }),
  ...(previous === undefined ? {} : { previous }),
});

describe("the feed", () => {
  test("says what was created, observed, noted and moved, in the order it came about", async () => {
    const { all, capture, observe, state, post } = await setUp();
    await capture("anna@acme.com", "email_received");
    await observe("anna@acme.com", state("first_name", "Anna"), state("job_title", "CTO"));
    await observe("anna@acme.com", state("job_title", "CEO"));
    await capture("anna@acme.com", "meeting_scheduled");
    await post("/v2/notes", { focus: "anna@acme.com", content: "Wants SSO.", title: "Call" });
    await post("/v2/workspace/facts", { section: "ICP", content: "Series A fintechs" });
    const changes = await all();
    const shown = changes.map(brief);
    expect(shown.slice(0, 2)).toEqual([
      { type: "company.created", entity_name: "acme.com" },
      { type: "person.created", entity_name: "Anna" },
    ]);
    for (const expected of [
      { type: "activity", entity_name: "Anna", property: "interaction.email_received" },
      { type: "state", entity_name: "Anna", property: "job_title", value: "CTO" },
      { type: "state", entity_name: "Anna", property: "job_title", value: "CEO", previous: "CTO" },
      { type: "stage", property: "pipeline_stage", value: "evaluating", previous: "interested" },
      { type: "note", property: "note.saved", value: { title: "Call" } },
      { type: "fact", value: { category: "ICP", content: "Series A fintechs" } },
    ])
      expect(shown).toContainEqual(
        expect.objectContaining({
          ...expected,
          ...(expected.value && typeof expected.value === "object"
            ? { value: expect.objectContaining(expected.value) }
            : {}),
        }),
      );
    expect(shown.filter(({ type }) => type === "state" || type === "stage").map(({ property }) => property)).toEqual(
      expect.arrayContaining(["source", "works_at", "pipeline_stage"]),
    );
    // A stage names the activity that moved it, which is in the feed too.
    const moved = changes.filter(({ type }) => type === "stage");
    for (const { caused_by } of moved) expect(changes.map(({ id }) => id)).toContain(caused_by);
    for (const change of changes) expect(change).toMatchObject({ source: expect.any(String), actor: /^api_key:/ });
  });

  test("is the same in pages of any size, and from every cursor on", async () => {
    const { all, page, capture } = await setUp();
    for (const name of ["anna", "bo", "cy"]) await capture(`${name}@acme.com`, "email_received");
    const whole = await all({ limit: 1000 });
    expect(whole.length).toBeGreaterThan(12);
    for (const limit of [1, 2, 7]) expect(await all({ limit })).toEqual(whole);
    for (const [index, { cursor }] of whole.entries()) {
      const rest = await page({ cursor });
      expect(rest.changes).toEqual(whole.slice(index + 1));
      expect(rest.has_more).toBe(false);
    }
    const end = await page({ cursor: whole.at(-1)?.cursor as string });
    expect(end).toEqual({ changes: [], next_cursor: whole.at(-1)?.cursor, has_more: false });
    expect((await page({ limit: 5000 })).changes).toEqual(whole);
  });

  test("begins at the end with now, and tells nothing twice from there", async () => {
    const { page, capture } = await setUp();
    await capture("anna@acme.com", "email_received");
    const start = await page({ cursor: "now" });
    expect(start).toMatchObject({ changes: [], has_more: false });
    await capture("anna@acme.com", "call");
    const { changes } = await page({ cursor: start.next_cursor });
    expect(changes.map(({ property }) => property)).toEqual(["interaction.call"]);
  });

  test("finds what comes after its end, however often it was asked there before, and whatever it is asked about", async () => {
    const { workspace, get, page, observe, state, post } = await setUp();
    await observe("anna@acme.com", state("job_title", "CTO"));
    await observe("bob@acme.com", state("job_title", "CFO"));
    const { next_cursor: end } = await page();
    const { next_cursor: ofStates } = await page({ types: "state" });
    const { next_cursor: ofAnna } = await page({ focus: "anna@acme.com" });
    const nothing = async (query: Record<string, string>) => {
      for (const _ of [1, 2])
        expect(await page(query)).toEqual({ changes: [], next_cursor: query.cursor, has_more: false });
    };
    await nothing({ cursor: end });
    await nothing({ cursor: ofStates, types: "state" });
    await nothing({ cursor: end, types: "note" });
    await nothing({ cursor: end, focus: "anna@acme.com" });
    expect(await get({ cursor: end, focus: "cleo@acme.com" })).toMatchObject({ status: 404 });
    const foreign = await setUp();
    await foreign.observe("anna@acme.com", state("job_title", "CEO"));
    await nothing({ cursor: end });
    expect((await foreign.page()).changes).not.toEqual([]);

    await observe("bob@acme.com", state("job_title", "CEO"));
    await settled(workspace.id);
    const [told] = (await page({ cursor: end })).changes;
    expect(told).toMatchObject({ type: "state", value: "CEO", previous: "CFO" });
    expect((await page({ cursor: end })).changes).toEqual([told]);
    expect((await page({ cursor: ofStates, types: "state" })).changes).toEqual([told]);
    await nothing({ cursor: ofAnna, focus: "anna@acme.com" });
    expect((await page({ cursor: end, focus: "bob@acme.com" })).changes).toEqual([told]);
    // Rows that are no observations are behind a place as well.
    const { next_cursor: later } = await page({ cursor: end });
    await nothing({ cursor: later });
    await post("/v2/people", { email: "dora@gmail.com" });
    expect((await page({ cursor: later })).changes.map(({ type }) => type)).toContain("person.created");
  });

  test("hands out a row only when no older one can still appear", async () => {
    const { workspace, get, page, all, capture, observe, state } = await setUp();
    await capture("anna@acme.com", "email_received");
    const before = await all();
    const [{ entity_id } = { entity_id: "" }] = before;
    const place = before.at(-1)?.cursor as string;
    const slow = new pg.Client({ connectionString: database.adminUrl });
    await slow.connect();
    try {
      await slow.query("BEGIN");
      // It has its number now, and commits after the next one.
      await slow.query(
        `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, actor)
         VALUES ($1, $2, $3, 'state', 'late', '"x"', 'test', 'observed', now(), 'test:test')`,
        [workspace.id, newId(), entity_id],
      );
      await observe("anna@acme.com", state("early", 1));
      expect((await get({ cursor: place })).body.changes).toEqual([]);
      await slow.query("COMMIT");
    } finally {
      await slow.end();
    }
    const { changes } = await page({ cursor: place });
    expect(changes.map(({ property }) => property)).toEqual(["late", "early"]);
  });

  test("follows merges, and says when they are undone", async () => {
    const { all, observe, state, post } = await setUp();
    const keep = (await observe("anna@acme.com", state("first_name", "Anna"))).entity_id as string;
    const drop = (await observe("anna@gmail.com", state("job_title", "CTO"))).entity_id as string;
    const { merge_id } = await post("/v2/accounts/merge", { keep, drop });
    const merged = await all();
    expect(merged.filter(({ property }) => property === "job_title").map(({ entity_id }) => entity_id)).toEqual([keep]);
    expect(merged.at(-1)).toMatchObject({ type: "merge", entity_id: keep, value: { merge_id, other_id: drop } });
    expect(merged.filter(({ type }) => type === "person.created").map(({ entity_id }) => entity_id)).toEqual([
      keep,
      drop,
    ]);
    // What was said of the dropped record before counts as said before.
    await observe(keep, state("job_title", "CEO"));
    expect((await all()).at(-1)).toMatchObject({ value: "CEO", previous: "CTO" });
    await post("/v2/accounts/unmerge", { merge_id });
    const after = await all();
    expect(after.at(-1)).toMatchObject({ type: "unmerge", entity_id: keep, value: { merge_id, other_id: drop } });
    expect(after.find(({ value }) => value === "CTO")?.entity_id).toBe(drop);
    // A dry run changes nothing.
    await post("/v2/accounts/merge", { keep, drop, dry_run: true });
    expect(await all()).toHaveLength(after.length);
  });

  test("loses what was erased, and keeps only that it was", async () => {
    const { workspace, key, all, capture, observe, state, post } = await setUp();
    const keep = (await observe("anna@acme.com", state("first_name", "Anna"))).entity_id as string;
    const drop = (await observe("anna@gmail.com", state("job_title", "CTO"))).entity_id as string;
    await post("/v2/accounts/merge", { keep, drop });
    await post("/v2/notes", { focus: keep, content: "Wants SSO.", title: "Secret" });
    await capture("bo@acme.com", "call");
    const [place] = await all();
    const erased = await call("/v2/accounts/erase", { key, body: { focus: keep } });
    expect(erased.status).toBe(200);
    const left = await all();
    expect(left.at(-1)?.type).toBe("erased");
    expect(
      left
        .filter(({ type }) => type === "erased")
        .map(({ entity_id }) => entity_id)
        .sort(),
    ).toEqual([keep, drop].sort());
    for (const change of left.filter(({ entity_id }) => entity_id === keep || entity_id === drop))
      expect(Object.keys(change).sort()).toEqual([
        "actor",
        "at",
        "cursor",
        "entity_id",
        "entity_name",
        "source",
        "type",
      ]);
    expect(JSON.stringify(left)).not.toMatch(/Anna|gmail|Secret|CTO/);
    // A cursor of a row that went is still a place.
    expect((await all({ cursor: place?.cursor as string })).length).toBeGreaterThan(0);
    expect(
      await inspect("SELECT 1 FROM changes WHERE workspace_id = $1 AND entity_id = $2 AND type <> 'erased'", [
        workspace.id,
        keep,
      ]),
    ).toEqual([]);
  });

  test("is of one workspace: another sees nothing of it, and its cursors mean nothing there", async () => {
    const [mine, theirs] = [await setUp(), await setUp()];
    await mine.capture("anna@acme.com", "email_received");
    await theirs.capture("bo@other.com", "call");
    expect(JSON.stringify(await theirs.all())).not.toContain("acme");
    expect(JSON.stringify(await mine.all())).not.toContain("other.com");
    const { next_cursor } = await mine.page();
    expect(await theirs.get({ cursor: next_cursor })).toMatchObject({
      status: 400,
      body: { error: "invalid_parameter", parameter: "cursor" },
    });
    const person = (await mine.all({ types: "person.created" }))[0]?.entity_id as string;
    expect(await theirs.get({ focus: person })).toMatchObject({ status: 404, body: { error: "entity_not_found" } });
    // Cursors say nothing of how much others record.
    expect(next_cursor).toMatch(/^[A-Za-z0-9_-]{38}$/);
  });
});

describe("filters", () => {
  test("give a part of the whole, in the same order", async () => {
    const { all, capture, observe, state } = await setUp();
    for (const name of ["anna", "bo"]) {
      await capture(`${name}@acme.com`, "email_received");
      await observe(`${name}@acme.com`, state("job_title", name));
      await capture(`${name}@acme.com`, "meeting_held");
    }
    const whole = await all();
    for (const types of ["stage", "activity,state", "person.created,company.created", "erased"])
      for (const limit of [1, 3, 100])
        expect(await all({ types, limit })).toEqual(whole.filter(({ type }) => types.split(",").includes(type)));
    const bo = whole.find(({ entity_name, type }) => type === "person.created" && entity_name === "bo@acme.com");
    for (const limit of [1, 2, 100])
      expect(await all({ focus: "bo@acme.com", limit })).toEqual(
        whole.filter(({ entity_id }) => entity_id === bo?.entity_id),
      );
    expect(await all({ focus: "bo@acme.com", types: "state,merge" })).toEqual(
      whole.filter(({ entity_id, type }) => entity_id === bo?.entity_id && type === "state"),
    );
    // A cursor of the whole goes on in a part.
    const middle = whole[5] as Change;
    expect(await all({ types: "state", cursor: middle.cursor })).toEqual(
      whole.slice(6).filter(({ type }) => type === "state"),
    );
  });

  test("find what is rare behind more rows than one page looks at, and miss nothing on the way", async () => {
    const { workspace, all, page, capture, observe, state } = await setUp();
    const { entity_id } = await observe("anna@acme.com", state("first_name", "Anna"));
    await inspect(
      `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, actor)
       SELECT $1, uuidv7(), $2, 'event', 'page.visited', '{}', 'test', 'observed', now(), 'test:test' FROM generate_series(1, $3)`,
      [workspace.id, entity_id, EXAMINED + 10],
    );
    await capture("anna@acme.com", "meeting_held");
    const first = await page({ types: "stage" });
    expect(first).toMatchObject({ changes: [], has_more: true });
    const second = await page({ types: "stage", cursor: first.next_cursor });
    expect(second.changes.map(({ value }) => value)).toEqual(["evaluating"]);
    expect(second.has_more).toBe(false);
    expect(await all({ types: "stage" })).toEqual(second.changes);
    // With `wait` it is looked for at once.
    expect((await page({ types: "stage", wait: 20 })).changes).toEqual(second.changes);
  });
});

describe("waiting", () => {
  test("answers as soon as something is recorded, by whatever way", async () => {
    const { page, capture, observe, state, post } = await setUp();
    await observe("anna@acme.com", state("first_name", "Anna"));
    await observe("bo@acme.com", state("first_name", "Bo"));
    const writes = [
      () => capture("anna@acme.com", "call"),
      () => observe("anna@acme.com", state("job_title", "CTO")),
      () => post("/v2/workspace/facts", { section: "ICP", content: "Fintechs" }),
      () => post("/v2/notes", { focus: "anna@acme.com", content: "Hello." }),
      () => post("/v2/accounts/merge", { keep: "anna@acme.com", drop: "bo@acme.com" }),
    ];
    let { next_cursor } = await page({ cursor: "now" });
    for (const write of writes) {
      const began = performance.now();
      const waiting = page({ cursor: next_cursor, wait: 30 });
      await new Promise((resolve) => setTimeout(resolve, 100));
      await write();
      const { changes, next_cursor: next } = await waiting;
      expect(changes.length).toBeGreaterThan(0);
      expect(performance.now() - began).toBeLessThan(25_000);
      next_cursor = next;
      next_cursor = (await page({ cursor: next_cursor })).next_cursor;
    }
  });

  test("ends with nothing when nothing came, and does not wait for what is there", async () => {
    const { page, capture } = await setUp();
    await capture("anna@acme.com", "call");
    const began = performance.now();
    const there = await page({ wait: 30 });
    expect(performance.now() - began).toBeLessThan(25_000);
    const none = await page({ cursor: there.next_cursor, wait: 1 });
    expect(none).toEqual({ changes: [], next_cursor: there.next_cursor, has_more: false });
    expect(performance.now() - began).toBeGreaterThan(900);
  });

  test("ends when the process is about to stop", async () => {
    const { page } = await setUp();
    const { next_cursor } = await page({ cursor: "now" });
    const began = performance.now();
    const waiting = page({ cursor: next_cursor, wait: 30 });
    const ending = setInterval(endWaits, 50); // until it waits
    onTestFinished(() => clearInterval(ending));
    expect(await waiting).toEqual({ changes: [], next_cursor, has_more: false });
    expect(performance.now() - began).toBeLessThan(25_000);
  });

  test("is not woken by what the filter leaves out", async () => {
    const { page, capture } = await setUp();
    await capture("anna@acme.com", "email_received");
    const { next_cursor } = await page({ cursor: "now" });
    const waiting = page({ cursor: next_cursor, types: "stage", wait: 30 });
    await capture("anna@acme.com", "call");
    await capture("anna@acme.com", "meeting_held");
    expect((await waiting).changes.map(({ type, value }) => [type, value])).toEqual([["stage", "evaluating"]]);
  });
});

describe("since_last", () => {
  test("gives each key and client what is new to it, and the last answer again after a crash", async () => {
    const { workspace, page, capture } = await setUp();
    await capture("anna@acme.com", "email_received");
    const client = (name: string) => ({ "x-service-client": name });
    const first = await page({ since_last: "true" }, client("a"));
    expect(first.changes.length).toBeGreaterThan(0);
    // It died before it read the answer.
    expect(await page({ since_last: "true", cursor: "again" }, client("a"))).toEqual(first);
    expect(await page({ since_last: "true" }, client("a"))).toMatchObject({ changes: [], has_more: false });
    expect(await page({ since_last: "true" }, client("b"))).toEqual(first);
    await capture("anna@acme.com", "call");
    const other = await setUp(workspace);
    expect((await other.page({ since_last: "true" }, client("a"))).changes).toHaveLength(first.changes.length + 1);
    expect((await page({ since_last: "true" }, client("a"))).changes.map(({ property }) => property)).toEqual([
      "interaction.call",
    ]);
    // A cursor says how far the reader really is.
    const [oldest] = first.changes;
    expect((await page({ since_last: "true", cursor: oldest?.cursor as string }, client("a"))).changes).toHaveLength(
      first.changes.length,
    );
    expect((await page({ since_last: "true" }, client("a"))).changes).toEqual([]);
    // Pages of it follow each other.
    await page({ since_last: "true", cursor: "now" }, client("c"));
    for (let n = 0; n < 3; n++) await capture("anna@acme.com", "call");
    const seen: string[] = [];
    for (let more = true; more; ) {
      const { changes, has_more } = await page({ since_last: "true", limit: 2 }, client("c"));
      seen.push(...changes.map(({ cursor }) => cursor));
      more = has_more;
    }
    expect(new Set(seen).size).toBe(3);
  });

  test("forgets a reader that stays away for three months", async () => {
    const { workspace, page, capture } = await setUp();
    await capture("anna@acme.com", "call");
    const { changes } = await page({ since_last: "true" });
    await sweepReaders(workspace.id);
    expect((await page({ since_last: "true" })).changes).toEqual([]);
    await sweepReaders(workspace.id, new Date(Date.now() + 91 * 86_400_000));
    expect((await page({ since_last: "true" })).changes).toEqual(changes);
  });
});

describe("bad input", () => {
  test.each([
    [{ cursor: "x" }, "invalid_parameter", "cursor"],
    [{ cursor: "AAAAAAAAAAAAAAAAAAAAAA" }, "invalid_parameter", "cursor"],
    [{ cursor: "" }, "invalid_parameter", "cursor"],
    [{ cursor: "again" }, "invalid_parameter", "cursor"],
    [{ types: "stage,nonsense" }, "invalid_parameter", "types.1"],
    [{ types: "" }, "invalid_parameter", "types.0"],
    [{ wait: "-1" }, "invalid_parameter", "wait"],
    [{ wait: "1.5" }, "invalid_parameter", "wait"],
    [{ limit: "0" }, "invalid_parameter", "limit"],
    [{ since_last: "yes" }, "invalid_parameter", "since_last"],
    [{ focus: "Anna Smith" }, "invalid_focus", "focus"],
    [{ since: "1" }, "invalid_parameter", "since"],
  ])("%j is refused by name", async (query, error, parameter) => {
    const { get, key } = await setUp();
    expect(await get(query)).toMatchObject({ status: 400, body: { error, parameter } });
    const streamed = await call(`/v2/changes?${new URLSearchParams(query as Record<string, string>)}`, {
      key,
      headers: { accept: "text/event-stream" },
    });
    expect(streamed).toMatchObject({ status: 400, body: { error, parameter } });
  });
});

describe("the stream", () => {
  test("tells a key what the pages hold, then what is recorded, and continues behind Last-Event-ID", async () => {
    const { key, all, capture } = await setUp();
    await capture("anna@acme.com", "email_received");
    const whole = await all();
    const headers = { authorization: `Bearer ${key}` };
    const stream = await eventsOf(`${url()}/v2/changes`, headers);
    const start = await stream.next();
    expect(start?.event).toBe("position");
    const told: Change[] = [];
    for (let n = 0; n < whole.length; n++) told.push((await stream.next())?.data as Change);
    expect(told).toEqual(whole);
    await capture("anna@acme.com", "call");
    const live = await stream.next();
    expect(live).toMatchObject({ event: "change", data: { property: "interaction.call" } });
    expect(live?.id).toBe((live as StreamEvent<Change>).data.cursor);
    stream.leave();

    await capture("anna@acme.com", "meeting_held");
    const again = await eventsOf(`${url()}/v2/changes?cursor=now`, { ...headers, "last-event-id": live?.id as string });
    expect((await again.next())?.event).toBe("position");
    expect([(await again.next())?.data, (await again.next())?.data]).toMatchObject([
      { property: "interaction.meeting_held" },
      { property: "pipeline_stage" },
    ]);
    again.leave();

    const stages = await eventsOf(`${url()}/v2/changes?types=stage`, headers);
    await stages.next();
    expect(await stages.next()).toMatchObject({ data: { value: "interested" } });
    stages.leave();
  });

  test("tells a session of its workspace the same", async () => {
    bootWith({ SIGNUPS: "open" });
    const visitor = await signedInBrowser(url());
    const stream = await eventsOf(`${url()}${visitor.app}/v2/changes?cursor=now`, visitor.headers());
    expect((await stream.next())?.event).toBe("position");
    await call(`${visitor.app}/api/v1/capture`, {
      headers: visitor.headers(),
      body: { email: "anna@acme.com", type: "call" },
    });
    expect(await stream.next()).toMatchObject({
      event: "change",
      data: { type: "company.created", actor: `user:${visitor.userId}` },
    });
    stream.leave();
  });

  test("needs a key, and refuses what makes no sense in it", async () => {
    const { key } = await setUp();
    const accept = { accept: "text/event-stream" };
    expect(await call("/v2/changes", { headers: accept })).toMatchObject({
      status: 401,
      body: { error: "unauthorized" },
    });
    expect(await call("/v2/changes?since_last=true", { key, headers: accept })).toMatchObject({
      status: 400,
      body: { parameter: "since_last" },
    });
    expect(await call("/v2/changes", { key, headers: { ...accept, "last-event-id": "x" } })).toMatchObject({
      status: 400,
      body: { parameter: "cursor" },
    });
  });
});
