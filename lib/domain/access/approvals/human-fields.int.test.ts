/** Keys that write at once what no person said, and ask before they change what one did say. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MOST_PENDING_FIELDS } from "#lib/domain/holding.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { createStage } from "#lib/testing/conformance/stage.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";

const { call, url } = useServer();
beforeAll(() => startWorker());
afterAll(() => stopWorker());

const ANNA = "anna@acme.com";

type Claims = Record<string, { value: unknown; source: string } | undefined>;
type Approval = { id: string; property: string | null; summary: string; status: string; operation: string };

async function setUp() {
  const stage = await createStage();
  const key = await stage.key(["admin"], { approval: "human_fields" });
  const plain = await stage.key();
  const { cookie } = await stage.person("admin");
  const headers = { cookie, origin: url(), "sec-fetch-site": "same-origin" };
  /** As a person in the app; without a body it reads. */
  const app = (path: string, body?: object, method?: string) =>
    call(`/api/app/${stage.id}${path}`, { headers, ...(body ? { body } : {}), ...(method ? { method } : {}) });
  const send = (path: string, body: object, by = key) => call(path, { key: by, body });
  const patch = (fields: object, by = key) => call(`/v2/people/${ANNA}`, { key: by, method: "PATCH", body: fields });
  const observe = (...observations: object[]) => send("/v2/observations", { focus: ANNA, observations });
  const claims = async () => (await call(`/v2/accounts/${ANNA}`, { key: plain })).body.claims as Claims;
  const believed = async (property: string) => (await claims())[property]?.value;
  const stageOf = async () => (await call(`/v2/accounts/${ANNA}`, { key: plain })).body.pipeline_stage;
  const waiting = async () => (await app("/v2/approvals?status=pending")).body.approvals as Approval[];
  const onlyId = async () => {
    const [only, ...more] = await waiting();
    expect(more).toEqual([]);
    return only?.id as string;
  };
  const approve = (id: string, more = {}) => app(`/approvals/${id}/approve`, more);
  const reject = (id: string) => app(`/approvals/${id}/reject`, {});
  const see = async (id: string) => (await call(`/v2/approvals/${id}`, { key })).body;
  const rebuilt = async () => (await rebuildWorkspace(stage.caller)).differences;
  await app("/v2/people", { email: ANNA, job_title: "CTO" });
  return {
    stage,
    key,
    plain,
    app,
    send,
    patch,
    observe,
    claims,
    believed,
    stageOf,
    waiting,
    onlyId,
    approve,
    reject,
    see,
    rebuilt,
  };
}

const state = (property: string, value: unknown, more = {}) => ({ kind: "state", property, value, ...more });

describe("a write that touches what a person said and what they did not", () => {
  test("is done but for the person's value, which stays; the answer says what waits", async () => {
    const { patch, believed, waiting, rebuilt } = await setUp();
    const { status, body } = await patch({ job_title: "CEO", region: "DACH" });
    const [only] = await waiting();
    expect([status, body.claims_written]).toEqual([200, 1]);
    expect(body.claims).toEqual([
      {
        ...{ property: "job_title", value: "CTO", changed: false, approval_id: only?.id },
        conflict: { value: "CTO", source: "manual", method: "asserted", confidence: expect.any(Number) },
      },
      { property: "region", value: "DACH", changed: true },
    ]);
    expect([await believed("job_title"), await believed("region")]).toEqual(["CTO", "DACH"]);
    expect(only).toMatchObject({
      ...{ operation: "recordObservations", property: "job_title", status: "pending" },
      ...{ summary: "Set job title of anna@acme.com", record: { id: expect.any(String), name: ANNA } },
    });
    expect(await rebuilt()).toEqual([]);
  });

  test("takes its events and identifiers too, and counts what waits as neither new nor known", async () => {
    const { observe, send, waiting } = await setUp();
    const { status, body } = await observe(state("job_title", "CEO"), { kind: "event", property: "call" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ recorded: 1, duplicates: 0, claims_recomputed: [], stage_before: "identified" });
    expect((await send(`/v2/accounts/${ANNA}/identifiers`, { kind: "email", value: "a@acme.com" })).status).toBe(200);
    expect(await waiting()).toHaveLength(1);
  });

  test("of many rows says for each what waits", async () => {
    const { send, waiting } = await setUp();
    const people = [
      { email: "bo@hooli.com", job_title: "CEO" },
      { email: ANNA, job_title: "CEO", region: "DACH" },
    ];
    const { body } = await send("/v2/people/bulk", { people });
    const [only] = await waiting();
    expect(body).toMatchObject({
      ...{ created: 1, updated: 1, failed: 0 },
      results: [
        { claims: [{ property: "job_title", value: "CEO", changed: true }] },
        {
          claims: [
            { value: "CTO", approval_id: only?.id },
            { property: "region", value: "DACH" },
          ],
        },
      ],
    });
  });

  test.each<[string, object]>([
    ["says the same", state("job_title", "CTO")],
    ["is about another property", state("industry_focus", "fintech")],
  ])("is done whole when it %s", async (_, observation) => {
    const { observe, waiting } = await setUp();
    expect((await observe(observation)).body).toMatchObject({ recorded: 1 });
    expect(await waiting()).toEqual([]);
  });

  test("is done whole where a machine spoke, also after a person did", async () => {
    const { patch, believed, waiting, stage } = await setUp();
    await patch({ region: "DACH" });
    await patch({ region: "EMEA" });
    expect(await believed("region")).toBe("EMEA");
    // A machine's observation that came long after a person's word took its place.
    await inspect(
      `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, actor)
       SELECT workspace_id, gen_random_uuid(), entity_id, 'state', property, '"CPO"', 'clay', 'observed', now() + interval '100 days', 'api_key:x'
       FROM observations WHERE workspace_id = $1 AND property = 'job_title'`,
      [stage.id],
    );
    await patch({ job_title: "CEO" });
    expect(await waiting()).toEqual([]);
  });

  test("leaves what a person ended", async () => {
    const { app, patch, believed, onlyId, approve } = await setUp();
    await app(`/v2/people/${ANNA}`, { job_title: null }, "PATCH");
    expect((await patch({ job_title: "CEO" })).body.claims).toMatchObject([{ value: null, changed: false }]);
    await approve(await onlyId());
    expect(await believed("job_title")).toBe("CEO");
  });

  test("leaves what a person confirmed, no matter who said it first", async () => {
    const { app, patch, waiting } = await setUp();
    await patch({ region: "DACH" });
    await app("/v2/verify", { focus: ANNA, property: "region", confirm: true });
    await patch({ region: "EMEA" });
    expect(await waiting()).toMatchObject([{ property: "region" }]);
  });
});

describe("what only bears a person's name", () => {
  test("is not their word: a file that they imported, and what follows from an address", async () => {
    const { app, send, waiting, plain } = await setUp();
    const content = "Email,Title,Stage,Region\nben@hooli.com,CTO,Customer,DACH\n";
    const { id } = (await app("/v2/imports", { content, file_name: "people.csv" })).body.import as { id: string };
    await app(`/v2/imports/${id}`, { stage_values: { Customer: "client" } }, "PATCH");
    await app(`/v2/imports/${id}/run`, {});
    const stateOf = async () => ((await app(`/v2/imports/${id}`)).body.import as { state: string }).state;
    await expect.poll(stateOf, { interval: 20 }).toBe("done");
    const account = async () => (await call("/v2/accounts/ben@hooli.com", { key: plain })).body;
    expect(await account()).toMatchObject({ pipeline_stage: "client", claims: { job_title: { value: "CTO" } } });
    const observations = [state("job_title", "CEO"), state("pipeline_stage", "aware"), state("works_at", null)];
    const { body } = await send("/v2/observations", { focus: "ben@hooli.com", observations });
    expect([body.recorded, await waiting()]).toEqual([3, []]);
    expect(await account()).toMatchObject({ pipeline_stage: "aware", claims: { job_title: { value: "CEO" } } });
  });

  test("is not their word: a note of a file that they imported; one that they wrote is", async () => {
    const { app, send, waiting } = await setUp();
    const file = { content: `Email,Content\n${ANNA},Call back\n`, file_name: "notes.csv", kind: "notes" };
    const { id } = (await app("/v2/imports", file)).body.import as { id: string };
    await app(`/v2/imports/${id}/run`, {});
    const stateOf = async () => ((await app(`/v2/imports/${id}`)).body.import as { state: string }).state;
    await expect.poll(stateOf, { interval: 20 }).toBe("done");
    const [imported] = (await app(`/v2/notes?focus=${ANNA}`)).body.notes as { id: string }[];
    const corrected = await send("/v2/notes", { focus: ANNA, content: "Call on Monday", supersedes: imported?.id });
    expect([corrected.status, await waiting()]).toEqual([201, []]);
    const { note } = (await app("/v2/notes", { focus: ANNA, content: "She wants SSO" })).body as {
      note: { id: string };
    };
    const waits = await send("/v2/notes", { focus: ANNA, content: "She wants SAML", supersedes: note.id });
    expect([waits.status, (await waiting()).length]).toEqual([202, 1]);
  });

  test("is not their word: a stage that moved because they logged a meeting", async () => {
    const { app, patch, stageOf, waiting } = await setUp();
    const observations = [{ kind: "event", property: "interaction.meeting_held" }];
    await app("/v2/observations", { focus: ANNA, observations });
    expect(await stageOf()).not.toBe("identified");
    await patch({ pipeline_stage: "client" });
    expect([await stageOf(), await waiting()]).toEqual(["client", []]);
  });
});

describe("the stage", () => {
  test("that a person set waits; activities still move it, and then machines may", async () => {
    const { app, patch, send, stageOf, waiting } = await setUp();
    await app(`/v2/people/${ANNA}`, { pipeline_stage: "aware" }, "PATCH");
    await patch({ pipeline_stage: "client" });
    expect([await stageOf(), (await waiting()).length]).toEqual(["aware", 1]);
    await send("/api/v1/capture", { email: ANNA, type: "meeting_held" });
    const moved = await stageOf();
    expect(moved).not.toBe("aware");
    await patch({ pipeline_stage: "client" });
    expect([await stageOf(), (await waiting()).length]).toEqual(["client", 1]);
  });
});

describe("a value that waits", () => {
  test("is the word of who approves it: machines ask again before they change it", async () => {
    const { patch, claims, onlyId, approve, see, waiting, rebuilt } = await setUp();
    await patch({ job_title: "CEO", source: "n8n" });
    const id = await onlyId();
    expect((await approve(id)).body).toMatchObject({ status: "approved", result: { recorded: 1 } });
    expect((await claims()).job_title).toMatchObject({ value: "CEO", source: "n8n", epistemic_class: "asserted" });
    expect(await see(id)).toMatchObject({ status: "approved", decided_by: expect.any(String) });
    await patch({ job_title: "CFO", source: "n8n" });
    expect(await waiting()).toMatchObject([{ property: "job_title" }]);
    expect(await rebuilt()).toEqual([]);
  });

  test("is asked for once, and replaced by a later value of the same key", async () => {
    const { patch, onlyId, see } = await setUp();
    const ids: unknown[] = [];
    for (const job_title of ["CEO", "CEO", "CFO"]) {
      const { body } = await patch({ job_title });
      ids.push((body.claims as { approval_id: string }[])[0]?.approval_id);
    }
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).toBe(await onlyId());
    expect(await see(ids[0] as string)).toMatchObject({
      status: "cancelled",
      reason: expect.stringContaining("later"),
    });
  });

  test("is not asked for again once it was rejected", async () => {
    const { patch, observe, onlyId, reject, waiting, believed } = await setUp();
    await patch({ job_title: "CEO" });
    const id = await onlyId();
    await reject(id);
    const { body } = await observe(state("job_title", "CEO"), state("region", "DACH"));
    expect(body).toMatchObject({ recorded: 1, warnings: [{ index: 0, message: expect.stringContaining("rejected") }] });
    expect(body.claims).toMatchObject([
      { value: "CTO", changed: false, conflict: { value: "CTO" } },
      { value: "DACH" },
    ]);
    expect(JSON.stringify(body)).not.toContain("approval_id");
    expect([await waiting(), await believed("job_title")]).toEqual([[], "CTO"]);
    await patch({ job_title: "CFO" });
    expect(await waiting()).toHaveLength(1);
  });

  test("is asked for again once the person has said something else since it was rejected", async () => {
    const { app, patch, onlyId, reject, waiting } = await setUp();
    await patch({ job_title: "CEO" });
    await reject(await onlyId());
    await app(`/v2/people/${ANNA}`, { job_title: "CFO" }, "PATCH");
    await patch({ job_title: "CEO" });
    expect(await waiting()).toMatchObject([{ property: "job_title" }]);
  });

  test("is no repeat for what the same call says by the same external id, nor is that for it", async () => {
    const { observe, believed, onlyId, approve } = await setUp();
    const as = { external_id: "row-1", source: "clay" };
    const { body } = await observe(state("job_title", "CEO", as), state("region", "DACH", as));
    expect([body.recorded, body.duplicates]).toEqual([1, 0]);
    expect((await approve(await onlyId())).body).toMatchObject({ status: "approved", result: { recorded: 1 } });
    expect([await believed("job_title"), await believed("region")]).toEqual(["CEO", "DACH"]);
  });

  test("ends with its key, and with its person", async () => {
    const { patch, onlyId, see, app, stage } = await setUp();
    await patch({ job_title: "Head of secrets" });
    const id = await onlyId();
    await app("/v2/accounts/erase", { focus: ANNA });
    expect(await see(id)).toMatchObject({ status: "cancelled", record: null });
    const [row] = await inspect("SELECT input, entity_id FROM approvals WHERE workspace_id = $1", [stage.id]);
    expect(row).toEqual({ input: "{}", entity_id: null });
  });

  test("is left out when too many wait, and the rest of the call is done", async () => {
    const { app, patch, observe, onlyId, believed, see } = await setUp();
    await patch({ job_title: "CEO" });
    const first = await onlyId();
    await inspect(
      `INSERT INTO approvals (workspace_id, id, operation, input, encrypted, size, actor, asker_id, scopes, request_id, expires_at, property)
       SELECT workspace_id, gen_random_uuid(), operation, '{}', encrypted, size, actor, asker_id, scopes, request_id, expires_at, property
       FROM approvals, generate_series(2, $2::int) WHERE id = $1`,
      [first, MOST_PENDING_FIELDS],
    );
    await app(`/v2/people/${ANNA}`, { first_name: "Anna" }, "PATCH");
    const { status, body } = await patch({ first_name: "Ann", region: "DACH" });
    expect([status, body.claims]).toEqual([
      200,
      [
        {
          ...{ property: "first_name", value: "Anna", changed: false },
          conflict: { value: "Anna", source: "manual", method: "asserted", confidence: expect.any(Number) },
        },
        { property: "region", value: "DACH", changed: true },
      ],
    ]);
    const told = await observe({ kind: "event", property: "call" }, state("first_name", "Ann"));
    expect(told.body).toMatchObject({
      recorded: 1,
      warnings: [{ index: 1, message: expect.stringContaining("wait") }],
    });
    expect([await believed("first_name"), await believed("region")]).toEqual(["Anna", "DACH"]);
    // A later value of one that waits has its place.
    const later = (await patch({ job_title: "CFO" })).body.claims as { approval_id: string }[];
    expect(await see(later[0]?.approval_id as string)).toMatchObject({ status: "pending" });
    expect(await see(first)).toMatchObject({ status: "cancelled" });
  });
});

describe("what waits whole", () => {
  const merges = async ({ send }: Awaited<ReturnType<typeof setUp>>) => {
    const make = async (email: string) => ((await send("/v2/people", { email })).body.person as { id: string }).id;
    return send("/v2/accounts/merge", { keep: await make("a@a.io"), drop: await make("b@b.io") });
  };

  test.each<[string, (set: Awaited<ReturnType<typeof setUp>>) => ReturnType<typeof call>, string]>([
    ["a merge", merges, "mergeAccounts"],
    ["erasing", ({ send }) => send("/v2/accounts/erase", { focus: ANNA }), "erasePerson"],
    ["archiving", ({ patch }) => patch({ status: "archived" }), "patchPerson"],
    [
      "bringing back whom a person archived",
      async ({ app, patch }) => {
        await app(`/v2/people/${ANNA}`, { status: "archived" }, "PATCH");
        return patch({ status: "active", region: "DACH" });
      },
      "patchPerson",
    ],
    [
      "bringing one back among many rows",
      async ({ app, send }) => {
        await app(`/v2/people/${ANNA}`, { status: "archived" }, "PATCH");
        return send("/v2/people/bulk", { people: [{ email: "bo@hooli.com" }, { email: ANNA, status: "active" }] });
      },
      "upsertPeople",
    ],
    [
      "stopping a person's import",
      async ({ app, send }) => {
        const file = { content: "Email\nben@hooli.com\n", file_name: "people.csv" };
        const { id } = (await app("/v2/imports", file)).body.import as { id: string };
        return send(`/v2/imports/${id}/cancel`, {});
      },
      "cancelImport",
    ],
    [
      "stopping a person's bulk action",
      async ({ app, send }) => {
        const all = { what: "people", filters: {}, action: "archive" };
        const { id } = (await app("/v2/bulk-actions", all)).body.bulk_action as { id: string };
        return send(`/v2/bulk-actions/${id}/cancel`, {});
      },
      "cancelBulkAction",
    ],
    ["taking an identifier away", ({ patch }) => patch({ email: null }), "patchPerson"],
    [
      "a bulk change",
      ({ send }) => send("/v2/bulk-actions", { what: "people", filters: {}, action: "archive" }),
      "createBulkAction",
    ],
    [
      "a setting",
      ({ send }) => send("/v2/workspace/triggers", { url: "https://a.example.com", events: ["note.saved"] }),
      "createTrigger",
    ],
    [
      "a section of the GTM profile that a person wrote",
      async ({ app, send }) => {
        await app("/v2/workspace/facts", { section: "ICP", content: "Banks" });
        return send("/v2/workspace/facts", { section: "ICP", content: "Fintechs" });
      },
      "saveFact",
    ],
    [
      "a note that a person wrote, when it is corrected",
      async ({ app, send }) => {
        const { body } = await app("/v2/notes", { focus: ANNA, title: "A", content: "B" });
        return send("/v2/notes", { focus: ANNA, content: "C", supersedes: (body.note as { id: string }).id });
      },
      "saveNote",
    ],
    ["the workspace's name", ({ send }) => send("/v2/workspace/onboarding", { name: "Other" }), "setWorkspaceProfile"],
  ])("%s: nothing is written until it is approved, and then it is done", async (_, write, operation) => {
    const set = await setUp();
    const { status, body } = await write(set);
    expect([status, body.status], JSON.stringify(body)).toEqual([202, "pending_approval"]);
    expect(await set.waiting()).toMatchObject([{ id: body.approval_id, operation, property: null }]);
    expect((await set.approve(body.approval_id as string)).body).toMatchObject({ status: "approved" });
  });

  test.each<[string, (set: Awaited<ReturnType<typeof setUp>>) => ReturnType<typeof call>]>([
    ["a new section", ({ send }) => send("/v2/workspace/facts", { section: "ICP", content: "Fintechs" })],
    [
      "a section that a machine wrote",
      async ({ send }) => {
        await send("/v2/workspace/facts", { section: "ICP", content: "Banks" });
        return send("/v2/workspace/facts", { section: "ICP", content: "Fintechs" });
      },
    ],
    ["the status that it has", ({ patch }) => patch({ status: "active" })],
    ["a new person's status", ({ send }) => send("/v2/people", { email: "bo@hooli.com", status: "active" })],
    ["a note", ({ send }) => send("/v2/notes", { focus: ANNA, title: "A", content: "B" })],
    ["a task", ({ send }) => send("/v2/tasks", { title: "Call Anna", focus: ANNA })],
    ["a lead list", ({ send }) => send("/v2/lead-lists", { name: "Fintechs" })],
  ])("%s does not wait", async (_, write) => {
    const set = await setUp();
    const { status, body } = await write(set);
    expect(status, JSON.stringify(body)).toBeLessThan(202);
    expect(await set.waiting()).toEqual([]);
  });

  test("keeps its answer for a repeat with the same Idempotency-Key", async () => {
    const { app, key, waiting } = await setUp();
    await app("/v2/workspace/facts", { section: "ICP", content: "Banks" });
    const body = { section: "ICP", content: "Fintechs" };
    const again = () => call("/v2/workspace/facts", { key, body, headers: { "idempotency-key": "once" } });
    const [first, second] = [await again(), await again()];
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body).toEqual(first.body);
    expect(await waiting()).toHaveLength(1);
  });
});

describe("a rule", () => {
  type Rule = { id: string; property: string; asker_id: string; created_by: string };
  type NewKey = { api_key: string; key: { id: string } };
  const rulesOf = async (app: Awaited<ReturnType<typeof setUp>>["app"]) =>
    (await app("/approval-rules")).body.rules as Rule[];

  test("made when a value is approved lets the same key set it, until it is removed", async () => {
    const { patch, onlyId, approve, app, believed, waiting, stage } = await setUp();
    await patch({ job_title: "CEO" });
    await approve(await onlyId(), { always: true });
    for (const job_title of ["CFO", "CSO"]) {
      await patch({ job_title });
      expect([await waiting(), await believed("job_title")]).toEqual([[], job_title]);
    }
    const other = await stage.key(["write"], { approval: "human_fields" });
    await app(`/v2/people/${ANNA}`, { job_title: "CPO" }, "PATCH");
    await patch({ job_title: "COO" }, other);
    expect(await waiting()).toHaveLength(1);
    const [rule] = await rulesOf(app);
    expect(rule).toMatchObject({ property: "job_title", created_by: expect.any(String) });
    expect((await app(`/approval-rules/${rule?.id}`, undefined, "DELETE")).status).toBe(200);
    expect(await rulesOf(app)).toEqual([]);
    await patch({ job_title: "CEO" });
    expect(await waiting()).toHaveLength(2);
    expect(await believed("job_title")).toBe("CPO");
    const audit = await inspect<{ action: string; detail: object }>(
      "SELECT action, detail FROM audit_log WHERE workspace_id = $1 AND action LIKE 'change.rule%' ORDER BY at, id",
      [stage.id],
    );
    expect(audit).toMatchObject([
      { action: "change.rule_added", detail: { property: "job_title", asked_by: "test" } },
      { action: "change.rule_removed", detail: { property: "job_title", asked_by: "test" } },
    ]);
  });

  test("is not made when the value that was approved could not be set", async () => {
    const { patch, onlyId, approve, app } = await setUp();
    await patch({ job_title: "CEO" });
    const id = await onlyId();
    await inspect("UPDATE approvals SET input = replace(input, entity_id::text, id::text) WHERE id = $1", [id]);
    expect((await approve(id, { always: true })).body).toMatchObject({ status: "failed" });
    expect(await rulesOf(app)).toEqual([]);
  });

  test("is made for the key that takes the place of the one that asked, which finds what that one has waiting", async () => {
    const { patch, onlyId, approve, app, see, waiting } = await setUp();
    await patch({ job_title: "CEO", region: "DACH" });
    await app(`/v2/people/${ANNA}`, { region: "Nordics" }, "PATCH");
    const id = await onlyId();
    const asker = ((await see(id)).requested_by as { id: string }).id;
    let { api_key, key } = (await app(`/api-keys/${asker}/rotate`, { overlap_hours: 1 })).body as NewKey;
    ({ api_key, key } = (await app(`/api-keys/${key.id}/rotate`, { overlap_hours: 1 })).body as NewKey);
    expect((await patch({ job_title: "CEO" }, api_key)).body.claims).toMatchObject([{ approval_id: id }]);
    expect(await onlyId()).toBe(id);
    await approve(id, { always: true });
    expect((await rulesOf(app)).map(({ asker_id }) => asker_id)).toEqual(expect.arrayContaining([asker, key.id]));
    await patch({ job_title: "CFO" }, api_key);
    expect(await waiting()).toEqual([]);
    await patch({ region: "DACH" });
    const { body } = await patch({ region: "EMEA" }, api_key);
    expect((await waiting()).map((one) => one.id)).toEqual([
      (body.claims as { approval_id: string }[])[0]?.approval_id,
    ]);
  });

  test("goes over to the key that takes the place of its own, and ends when that is revoked", async () => {
    const { patch, onlyId, approve, app, waiting } = await setUp();
    await patch({ job_title: "CEO" });
    await approve(await onlyId(), { always: true });
    const [rule] = await rulesOf(app);
    const rotated = await app(`/api-keys/${rule?.asker_id}/rotate`, { overlap_hours: 1 });
    const { api_key, key } = rotated.body as NewKey;
    await patch({ job_title: "CFO" }, api_key);
    expect(await waiting()).toEqual([]);
    expect((await rulesOf(app)).map(({ asker_id }) => asker_id).sort()).toEqual([rule?.asker_id, key.id].sort());
    await app(`/api-keys/${key.id}/revoke`, {});
    expect(await rulesOf(app)).toEqual([]);
  });

  test("counts for the mode alone: a key whose writes all wait still asks", async () => {
    const { patch, onlyId, approve, app, waiting } = await setUp();
    await patch({ job_title: "CEO" });
    await approve(await onlyId(), { always: true });
    const [rule] = await rulesOf(app);
    await app(`/api-keys/${rule?.asker_id}`, { approval: "writes" }, "PATCH");
    expect((await patch({ job_title: "CFO" })).status).toBe(202);
    expect(await waiting()).toHaveLength(1);
  });

  test("is refused for a change that is no single value, which stays as it is", async () => {
    const { send, onlyId, approve, see } = await setUp();
    await send("/v2/accounts/erase", { focus: ANNA });
    const id = await onlyId();
    const { status, body } = await approve(id, { always: true });
    expect([status, body.error]).toEqual([400, "invalid_parameter"]);
    expect(await see(id)).toMatchObject({ status: "pending" });
  });

  test("of another workspace is neither seen nor removed", async () => {
    const [one, two] = [await setUp(), await setUp()];
    await one.patch({ job_title: "CEO" });
    await one.approve(await one.onlyId(), { always: true });
    const [rule] = await rulesOf(one.app);
    expect(await rulesOf(two.app)).toEqual([]);
    const { status, body } = await two.app(`/approval-rules/${rule?.id}`, undefined, "DELETE");
    expect([status, body.error]).toEqual([404, "approval_rule_not_found"]);
    expect(await rulesOf(one.app)).toHaveLength(1);
  });
});

test("a person who speaks at the same time is never overruled: their value stands, or the machine's came first", async () => {
  const { app, claims, waiting, rebuilt, observe } = await setUp();
  await observe(state("region", "start"));
  for (let round = 0; round < 8; round++) {
    const mine = `person ${round}`;
    await Promise.all([
      app(`/v2/people/${ANNA}`, { region: mine }, "PATCH"),
      ...[1, 2, 3].map((one) => observe(state("region", `machine ${round} ${one}`, { method: "asserted" }))),
    ]);
    expect((await claims()).region).toMatchObject({ value: mine, source: "manual" });
  }
  expect((await waiting()).every(({ property }) => property === "region")).toBe(true);
  expect(await rebuilt()).toEqual([]);
});
