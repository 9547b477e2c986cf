import http from "node:http";
import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test } from "vitest";
import type { FeedActivity } from "#lib/domain/knowledge/feed/contract.ts";
import type { Import } from "#lib/domain/workspace/imports/contract.ts";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { stateOf } from "#lib/testing/state.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import type { Export } from "./contract.ts";
import { maintenance } from "./jobs.ts";

beforeAll(() => bootWith({ SIGNUPS: "open", RATE_LIMIT_PER_MINUTE: "0" }));
const { call, url } = useServer();

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const send = async (path: string, body: object) => {
    const answer = await call(path, { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const see = async (id: string, by = key) => (await call(`/v2/exports/${id}`, { key: by })).body.export as Export;
  const begin = async (body: object) => (await send("/v2/exports", body)).export as Export;
  const done = async (id: string) => {
    await expect.poll(async () => (await see(id)).state, { timeout: 300_000, interval: 100 }).toBe("done");
    return see(id);
  };
  const make = async (body: object) => done((await begin(body)).id);
  const file = (id: string, headers: Record<string, string> = {}, by = key) =>
    fetch(`${url()}/v2/exports/${id}/file`, { headers: { authorization: `Bearer ${by}`, ...headers } });
  const text = async (id: string) => Buffer.from(await (await file(id)).arrayBuffer()).toString();
  return { workspace, key, send, see, begin, done, make, file, text };
}

const records = (csv: string) => parse(csv, { bom: true, columns: true }) as Record<string, string>[];

/** People straight into the database's lists, for files of several pieces. */
async function invent(workspaceId: string, count: number): Promise<void> {
  await inspect(
    `WITH made AS (
       INSERT INTO entities (workspace_id, id, type) SELECT $1, gen_random_uuid(), 'person' FROM generate_series(1, $2::int) RETURNING id
     )
     INSERT INTO people (workspace_id, id, email, first_name, source, created_at, updated_at, search, wire)
     SELECT $1, id, id || '@acme.com', 'Ünal "Uli", the ' || row_number() OVER (), 'api', now(), now(), '',
       '{"id":"' || id || '","entity_id":"' || id || '","email":"' || id || '@acme.com","first_name":"Uli","last_name":null,"job_title":null,"company":null,"company_id":null,"linkedin_url":null,"phone":null,"source":"api","status":"active","created_at":"2026-01-01T00:00:00.000Z","properties":{}'
     FROM made`,
    [workspaceId, count],
  );
}

describe("an export that is imported again", () => {
  test("is recognised column by column, and changes nothing", async () => {
    const { key, send, make, text, workspace } = await setUp();
    await send("/v2/companies", {
      domain: "acme.com",
      name: "Acme",
      industry: "Fintech",
      employee_count: 250,
      tier: 1,
    });
    const anna = { email: "anna@acme.com", first_name: "Anna", phone: "+4930901820", pipeline_stage: "evaluating" };
    await send("/v2/people", { ...anna, renewal: "2026-06-01", seats: 12, vip: true, tags: ["a", "b"], hint: "=1+1" });
    await send("/v2/people", { email: "ben@fernhill.eu", job_title: "CTO" });
    await send("/v2/people", { linkedin_url: "linkedin.com/in/carla", company: "Northgate" });
    await send("/v2/notes", { focus: "anna@acme.com", content: "Wants single sign-on\nbefore July", title: "Call" });
    await send("/v2/notes", { focus: "acme.com", content: "Buys in June" });
    const list = (await send("/v2/lead-lists", { name: "Fair" })).lead_list as { id: string };
    await send("/v2/leads", { list_id: list.id, email: "anna@acme.com", fields: { opener: "Hi" } });
    const happened = { occurred_at: "2026-06-03T09:00:00.123Z", metadata: { subject: "a,b", n: 1 } };
    await send("/api/v1/capture", {
      email: "anna@acme.com",
      type: "email_received",
      external_id: "m1",
      source: "gmail",
      ...happened,
    });
    await send("/v2/observations", {
      focus: "linkedin.com/in/carla",
      observations: [{ kind: "event", property: "interaction.call", value: { description: "Pilot" } }],
    });
    await send("/v2/observations", {
      focus: "acme.com",
      observations: [{ kind: "event", property: "demo.opened", value: "In the room", source: "site" }],
    });
    const named = "LinkedIn,Company,Industry\nlinkedin.com/in/dan,Oakfield,Farming\n";
    const { id } = (await send("/v2/imports", { content: named })).import as Import;
    const stateNow = async () => ((await call(`/v2/imports/${id}`, { key })).body.import as Import).state;
    await send(`/v2/imports/${id}/run`, {});
    await expect.poll(stateNow, { interval: 50 }).toBe("done");
    const before = await stateOf(workspace.id);
    for (const [what, kind, same] of [
      ["people", "people", 4],
      ["companies", "companies", 3],
      ["notes", "notes", 2],
      ["leads", "people", 1],
      ["activities", "activities", 5],
    ] as const) {
      const raw = await text((await make({ what })).id);
      const sent = await call(`/v2/imports?kind=${kind}`, {
        method: "POST",
        key,
        raw,
        headers: { "content-type": "text/csv" },
      });
      const made = sent.body.import as Import;
      expect(
        made.columns.filter(({ proposed }) => proposed.confidence < 0.6),
        what,
      ).toEqual([]);
      await send(`/v2/imports/${made.id}/preview`, {});
      const now = async () => (await call(`/v2/imports/${made.id}`, { key })).body.import as Import;
      await expect.poll(async () => (await now()).state, { interval: 50 }).toBe("ready");
      expect([what, (await now()).check]).toMatchObject([
        what,
        { created: 0, updated: 0, unchanged: same, skipped: 0 },
      ]);
      await send(`/v2/imports/${made.id}/run`, {});
      await expect.poll(async () => (await now()).state, { interval: 50 }).toBe("done");
      expect([what, (await now()).run]).toMatchObject([what, { created: 0, updated: 0, unchanged: same, skipped: 0 }]);
    }
    const after = await stateOf(workspace.id);
    for (const table of ["people", "companies", "observations", "claims", "identifiers", "notes", "leads"])
      expect(after[table], table).toEqual(before[table]);
    const raw = await text((await make({ what: "activities" })).id);
    const headers = { "content-type": "text/csv" };
    const wrong = await call("/v2/imports", { method: "POST", key, raw, headers });
    expect(wrong.body.import).toMatchObject({ warnings: [{ code: "looks_like_activities" }] });
    // Into an empty workspace, twice: each activity comes to its contact once, as it was.
    const other = await setUp();
    const shown = async (by: string) => {
      const { activities } = (await call("/v2/activities", { key: by })).body as { activities: FeedActivity[] };
      const same = activities.map(({ type, property, value, source, observed_at, detail, entity_name }) =>
        JSON.stringify([type, property, value, source, observed_at, detail, entity_name]),
      );
      return same.filter((one) => !one.includes("note.saved")).sort();
    };
    for (const created of [3, 0]) {
      const sent = await call("/v2/imports?kind=activities", { method: "POST", key: other.key, raw, headers });
      const { id } = sent.body.import as Import;
      await other.send(`/v2/imports/${id}/run`, {});
      const now = async () => (await call(`/v2/imports/${id}`, { key: other.key })).body.import as Import;
      await expect.poll(async () => (await now()).state, { interval: 50 }).toBe("done");
      expect((await now()).run).toMatchObject({ created, unchanged: 3 - created, skipped: 2 });
      expect((await now()).run?.reasons.map(({ code }) => code)).toEqual(["left_out", "is_note"]);
    }
    expect(await shown(other.key)).toEqual(await shown(key));
  });
});

describe("an export", () => {
  test("of people has those the filters mean, in the columns asked for, custom ones too", async () => {
    const { send, make, text } = await setUp();
    await send("/v2/people", { email: "anna@acme.com", first_name: "Anna", region: "DACH", tags: ["a", "b"] });
    await send("/v2/people", { email: "ben@acme.com", first_name: "Ben", pipeline_stage: "evaluating", region: "UK" });
    const filters = { properties: { region: ["DACH"] } };
    const columns = ["first_name", "property.region", "property.tags", "email"];
    const some = await make({ what: "people", filters, columns });
    expect(some).toMatchObject({ state: "done", rows: 1, format: "csv", filters, columns, message: null });
    expect(await text(some.id)).toBe(
      "\uFEFFfirst_name,property.region,property.tags,email\r\nAnna,DACH,a; b,anna@acme.com\r\n",
    );
    const all = records(await text((await make({ what: "people", filters: { sort: "created_asc" } })).id));
    expect(all).toMatchObject([
      { email: "anna@acme.com", "property.region": "DACH", icp_score: "" },
      { email: "ben@acme.com", pipeline_stage: "evaluating" },
    ]);
    const lines = await text((await make({ what: "people", format: "ndjson", filters: { search: "ben" } })).id);
    expect(
      lines
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ email: "ben@acme.com", properties: { region: "UK" } }]);
  });

  test("of companies, notes and activities has all of them, notes with their whole text", async () => {
    const { send, make, text } = await setUp();
    const content = `First line\n"quoted", second ${"long ".repeat(1_000)}`;
    await send("/v2/people", { email: "anna@acme.com", first_name: "Anna" });
    for (let note = 0; note < 12; note++)
      await send("/v2/notes", { focus: "anna@acme.com", content, title: `N${note}` });
    await send("/api/v1/capture", { email: "anna@acme.com", type: "call", description: "Talked" });
    const notes = records(await text((await make({ what: "notes", filters: { focus: "anna@acme.com" } })).id));
    expect(notes).toHaveLength(12);
    expect(notes[0]).toMatchObject({ title: "N11", content, entity_name: "Anna", entity_detail: "anna@acme.com" });
    expect(records(await text((await make({ what: "companies" })).id))).toMatchObject([
      { domain: "acme.com", people_count: "1" },
    ]);
    const calls = await text((await make({ what: "activities", filters: { type: "call" } })).id);
    expect(records(calls)).toMatchObject([{ type: "call", summary: "Talked", entity_name: "Anna" }]);
  });

  test("has no cell that a spreadsheet takes for a formula", async () => {
    const { send, make, text } = await setUp();
    const evil = ["=1+1", "+SUM(A1)", "-cmd|' /C calc'!A0", "@now", "\tx", "\u{FF1D}1"];
    for (const [place, title] of evil.entries())
      await send("/v2/people", { email: `x${place}@acme.com`, job_title: title, [`p${place}`]: title });
    await send("/v2/people", { email: "tel@acme.com", phone: "+4930123456" });
    const rows = records(await text((await make({ what: "people" })).id));
    for (const row of rows)
      for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=@\t\r\n\uFF1D]|^[+-](?![\d .,()]+$)/);
    expect(rows.some((row) => row.job_title === "'=1+1")).toBe(true);
    expect(rows.some(({ phone }) => phone === "+4930123456")).toBe(true);
  });

  test("is refused, with the place of the fault, before anything is written", async () => {
    const { workspace, key } = await setUp();
    const refused = async (body: object, error: string, parameter?: string) =>
      expect(await call("/v2/exports", { key, body }), JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { error, ...(parameter ? { parameter } : {}) },
      });
    await refused({}, "invalid_parameter", "what");
    await refused({ what: "leeds" }, "invalid_parameter", "what");
    await refused({ what: "people", format: "xls" }, "invalid_parameter", "format");
    await refused(
      { what: "people", filters: { pipeline_stage: "won" } },
      "invalid_parameter",
      "filters.pipeline_stage",
    );
    await refused({ what: "people", filters: { stage: "client" } }, "invalid_parameter", "filters.stage");
    await refused({ what: "people", filters: { limit: 5 } }, "invalid_parameter", "filters.limit");
    await refused({ what: "people", columns: ["email", "shoe_size"] }, "invalid_parameter", "columns");
    await refused({ what: "notes", columns: ["property.region"] }, "invalid_parameter", "columns");
    await refused({ what: "notes", filters: { type: "poem" } }, "invalid_parameter", "filters.type");
    expect(await inspect("SELECT 1 FROM exports WHERE workspace_id = $1", [workspace.id])).toEqual([]);
  });

  test("that cannot be read any more says why", async () => {
    const { begin, see } = await setUp();
    const { id } = await begin({ what: "notes", filters: { focus: "nobody@acme.com" } });
    await expect.poll(async () => (await see(id)).state).toBe("failed");
    expect((await see(id)).message).toMatch(/No person in this workspace/);
  });

  test("is seen by its workspace only, and ended by those who may write", async () => {
    const { make, file, key, workspace } = await setUp();
    const other = await setUp();
    const { id } = await make({ what: "people" });
    for (const path of [`/v2/exports/${id}`, `/v2/exports/${id}/file`])
      expect(await call(path, { key: other.key })).toMatchObject({ status: 404, body: { error: "export_not_found" } });
    expect((await file(id, {}, other.key)).status).toBe(404);
    expect((await call("/v2/exports", { key: other.key })).body.exports).toEqual([]);
    const reader = await workspace.key(["read"]);
    expect((await call("/v2/exports", { key: reader })).body.exports).toMatchObject([{ id }]);
    expect((await file(id, {}, reader)).status).toBe(200);
    expect(await call(`/v2/exports/${id}`, { key: reader, method: "DELETE" })).toMatchObject({ status: 403 });
    expect((await call(`/v2/exports/${id}`, { key, method: "DELETE" })).status).toBe(200);
    expect((await file(id)).status).toBe(404);
    expect(await inspect("SELECT 1 FROM export_chunks WHERE workspace_id = $1", [workspace.id])).toEqual([]);
    const audit = await inspect<{ action: string }>(
      "SELECT action FROM audit_log WHERE workspace_id = $1 AND subject = $2 ORDER BY at, id",
      [workspace.id, id],
    );
    expect(audit.map(({ action }) => action)).toEqual(["export.created", "export.downloaded", "export.deleted"]);
  });

  test("is paged, and at most so many are kept", async () => {
    const { workspace, key, make } = await setUp();
    for (let count = 0; count < 3; count++) await make({ what: "companies" });
    const first = (await call("/v2/exports?limit=2", { key })).body;
    expect(first).toMatchObject({ has_more: true, exports: [{}, {}] });
    const second = (await call(`/v2/exports?limit=2&cursor=${first.next_cursor}`, { key })).body;
    expect(second).toMatchObject({ has_more: false, next_cursor: null, exports: [{}] });
    await inspect(
      `INSERT INTO exports (workspace_id, id, what, format, state, created_by) SELECT $1, gen_random_uuid(), 'people', 'csv', 'done', 'x' FROM generate_series(1, 47)`,
      [workspace.id],
    );
    expect(await call("/v2/exports", { key, body: { what: "people" } })).toMatchObject({
      status: 409,
      body: { error: "too_many_exports" },
    });
  });

  test("expires, and its pieces and finally its row are removed", async () => {
    const { workspace, make, file, see, key } = await setUp();
    const { id } = await make({ what: "people" });
    await inspect("UPDATE exports SET expires_at = now() - interval '1 second' WHERE id = $1", [id]);
    expect((await file(id)).status).toBe(410);
    for (const { step } of maintenance) expect(await step(workspace.id)).toBe(false);
    expect((await see(id)).state).toBe("expired");
    expect(await inspect("SELECT 1 FROM export_chunks WHERE export_id = $1", [id])).toEqual([]);
    await inspect("UPDATE exports SET created_at = now() - interval '91 days' WHERE id = $1", [id]);
    for (const { step } of maintenance) await step(workspace.id);
    expect((await call(`/v2/exports/${id}`, { key })).status).toBe(404);
  });
});

describe("a download", () => {
  /** `EXPORTED_PEOPLE=250000` for a long run. */
  const ROWS = Number(process.env.EXPORTED_PEOPLE ?? 9_000);

  test("comes in parts, and a broken one goes on where it ended", { timeout: 120_000 + ROWS }, async () => {
    const { workspace, make, file, text } = await setUp();
    await invent(workspace.id, ROWS);
    const began = performance.now();
    const before = process.memoryUsage().rss;
    const { id, bytes, rows } = await make({ what: "people" });
    if (ROWS > 100_000)
      process.stdout.write(
        `${rows} rows, ${Math.round(bytes / 1e6)} MB: ${Math.round(performance.now() - began)} ms, ${Math.round((process.memoryUsage().rss - before) / 1e6)} MB more resident\n`,
      );
    expect(rows).toBe(ROWS);
    expect(bytes).toBeGreaterThan(1_000_000);
    const whole = Buffer.from(await (await file(id)).arrayBuffer());
    expect(whole.length).toBe(bytes);
    expect(new Set(records(whole.toString()).map(({ email }) => email)).size).toBe(ROWS);
    expect((await text(id)).length).toBeGreaterThan(0);

    const key = (await workspace.key(["read"])) as string;
    const { got, etag } = await brokenAfter(300_000, `${url()}/v2/exports/${id}/file`, key);
    expect(got.length).toBeGreaterThanOrEqual(300_000);
    expect(got.length).toBeLessThan(bytes);
    const rest = await file(id, { range: `bytes=${got.length}-`, "if-range": etag });
    expect(rest.status).toBe(206);
    expect(rest.headers.get("content-range")).toBe(`bytes ${got.length}-${bytes - 1}/${bytes}`);
    expect(Buffer.concat([got, Buffer.from(await rest.arrayBuffer())]).equals(whole)).toBe(true);

    const part = await file(id, { range: "bytes=262140-262150" });
    expect([part.status, part.headers.get("content-length")]).toEqual([206, "11"]);
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(262_140, 262_151))).toBe(true);
    const stale = await file(id, { range: "bytes=10-", "if-range": '"another"' });
    expect([stale.status, (await stale.arrayBuffer()).byteLength]).toEqual([200, bytes]);
    const behind = await file(id, { range: `bytes=${bytes}-` });
    expect([behind.status, behind.headers.get("content-range")]).toEqual([416, `bytes */${bytes}`]);
    expect(await behind.json()).toMatchObject({ error: "range_not_satisfiable" });
    const head = await fetch(`${url()}/v2/exports/${id}/file`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${key}` },
    });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes)]);
  });

  test("is refused without a key, before the file is there, and to pages of other sites", async () => {
    const { workspace, begin, file } = await setUp();
    const { id } = await begin({ what: "people" });
    await inspect("UPDATE exports SET state = 'queued', run = NULL WHERE id = $1", [id]);
    expect((await fetch(`${url()}/v2/exports/${id}/file`)).status).toBe(401);
    const early = await file(id);
    if (early.status !== 200)
      expect([early.status, ((await early.json()) as { error: string }).error]).toEqual([409, "export_not_ready"]);
    expect((await file("nonsense")).status).toBe(404);
    expect((await file(workspace.id)).status).toBe(404);
    const owner = await signedInBrowser(url());
    const own = (await call(`${owner.app}/v2/exports`, { headers: owner.headers(), body: { what: "people" } })).body
      .export as Export;
    const download = (headers: Record<string, string>) =>
      fetch(`${url()}${owner.app}/v2/exports/${own.id}/file`, { headers });
    await expect.poll(async () => (await download(owner.headers())).status).toBe(200);
    expect((await download({ ...owner.headers(), "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await download({})).status).toBe(401);
  });
});

/** Takes some of a file and then breaks the connection. */
const brokenAfter = (most: number, address: string, key: string): Promise<{ got: Buffer; etag: string }> =>
  new Promise((resolve, reject) => {
    const request = http.get(address, { headers: { authorization: `Bearer ${key}` } }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        if (size >= most) return;
        chunks.push(chunk);
        size += chunk.length;
        if (size < most) return;
        resolve({ got: Buffer.concat(chunks), etag: String(response.headers.etag) });
        request.destroy();
      });
      response.on("error", () => undefined);
    });
    request.on("error", reject);
  });
