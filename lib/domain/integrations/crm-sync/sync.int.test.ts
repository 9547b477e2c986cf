import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { withWorkspace } from "#lib/db/transaction.ts";
import { captureSignals } from "#lib/domain/crm/activities/service.ts";
import { patchPerson, upsertPerson } from "#lib/domain/crm/people/service.ts";
import {
  connectIntegration,
  disconnectIntegration,
  getIntegration,
} from "#lib/domain/integrations/connections/service.ts";
import { mergeAccounts, unmergeAccounts } from "#lib/domain/knowledge/merges/service.ts";
import { saveNote } from "#lib/domain/knowledge/notes/service.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { loadSampleData } from "#lib/domain/workspace/sample-data/service.ts";
import { patience } from "#lib/providers/request.ts";
import { AttioStandIn } from "#lib/testing/attio.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { HubSpotStandIn } from "#lib/testing/hubspot.fixture.ts";
import { hurryJobs } from "#lib/testing/jobs.fixture.ts";
import dated from "#lib/testing/samples/crm/attio.error.429.json" with { type: "json" };
import limited from "#lib/testing/samples/crm/hubspot.error.429.json" with { type: "json" };
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import type { CrmRun, CrmRunRow } from "./contract.ts";
import { maintainCrmSync } from "./service/auto.ts";
import { cancelCrmRun, configureCrmSync, getCrmRun, getCrmSync, listCrmRuns, syncCrmNow } from "./service.ts";

const hubspot = new HubSpotStandIn();
const attio = new AttioStandIn();
beforeAll(async () => {
  await hubspot.start();
  await attio.start();
  bootWith({ HUBSPOT_API_URL: hubspot.url, ATTIO_API_URL: attio.url });
  await startWorker();
});
afterAll(async () => {
  await stopWorker();
  await hubspot.stop();
  await attio.stop();
});
afterEach(() => {
  hubspot.calm();
  hubspot.contacts.length = 0;
  hubspot.entries.length = 0;
  hubspot.refused.clear();
  hubspot.rules.clear();
  hubspot.searchLags = false;
  attio.calm();
  attio.people.length = 0;
  attio.notes.length = 0;
});

type Crm = "hubspot" | "attio";
const rules = { autoSync: false, createInCrm: true, createTrigger: "any" };

async function connected(provider: Crm = "hubspot", given: object = rules) {
  const workspace = await createTestWorkspace();
  const { caller, id } = workspace;
  const crm = provider === "hubspot" ? hubspot : attio;
  const token = `pat-${id}`;
  crm.tokens.add(token);
  const connect = (access_token = token) =>
    connectIntegration.execute(caller, { provider, credentials: { access_token } });
  await connect();
  await configureCrmSync.execute(caller, { provider, ...given });
  const person = async (email: string, more: object = {}) =>
    (
      (await upsertPerson.execute(caller, { email, first_name: "Grace", last_name: "Prospect", ...more })) as {
        person: { id: string };
      }
    ).person.id;
  const read = (run: CrmRun) =>
    getCrmRun.execute(caller, { id: run.id }) as Promise<{ run: CrmRun; rows: CrmRunRow[] }>;
  const start = async (input: object = {}) =>
    ((await syncCrmNow.execute(caller, { provider, ...input })) as { run: CrmRun }).run;
  const until = async (run: CrmRun, state: string) => {
    await expect.poll(async () => (await read(run)).run.state, { timeout: 60_000, interval: 20 }).toBe(state);
    return read(run);
  };
  /** The same, without the pauses between attempts. */
  const soon = async (run: CrmRun, state: string) => {
    const stateNow = async () => {
      await hurryJobs(id);
      return (await read(run)).run.state;
    };
    await expect.poll(stateNow, { timeout: 60_000, interval: 20 }).toBe(state);
    return read(run);
  };
  const sync = async (input: object = {}) => until(await start(input), "done");
  const signal = (contactId: string, type: string, externalId: string) =>
    withWorkspace(id, (db) =>
      captureSignals({ ...caller, db }, [
        {
          contactId,
          type: type as "call",
          description: `The ${type}`,
          source: "gmail",
          externalId,
          occurredAt: new Date("2026-11-01T10:00:00Z"),
          createContact: false,
        },
      ]),
    );
  return { ...workspace, provider, connect, token, person, read, start, until, soon, sync, signal };
}

const outcomes = (rows: readonly CrmRunRow[]) =>
  Object.fromEntries(rows.map(({ email, outcome, fields }) => [email, [outcome, ...fields].join(" ")]));

describe("a sync with HubSpot", () => {
  test("creates, links and updates contacts, and pushes nothing a second time", async () => {
    const { person, sync, caller } = await connected();
    hubspot.contact({ email: "john@client.example", firstname: "Johnny", jobtitle: "CTO" });
    const grace = await person("grace@prospect.example", { job_title: "VP Sales", company: "Prospect Inc" });
    await person("john@client.example", { first_name: "John", job_title: "CEO" });
    const first = await sync();
    expect(first.run).toMatchObject({
      kind: "sync",
      full: true,
      total: 2,
      compared: 2,
      created: 1,
      updated: 1,
      matched: 1,
    });
    expect(outcomes(first.rows)).toEqual({
      "grace@prospect.example": "created email first_name last_name job_title company stage",
      "john@client.example": "updated last_name company stage",
    });
    expect(hubspot.of("grace@prospect.example")?.properties).toMatchObject({
      firstname: "Grace",
      jobtitle: "VP Sales",
      company: "Prospect Inc",
      rapport_id: grace,
      rapport_stage: "identified",
    });
    // What someone wrote in the CRM stays until it changes here.
    expect(hubspot.of("john@client.example")?.properties).toMatchObject({ firstname: "Johnny", jobtitle: "CTO" });

    hubspot.calm();
    const second = await sync({ full: true });
    expect(second.run).toMatchObject({ unchanged: 2, created: 0, updated: 0 });
    expect(hubspot.calls.filter((call) => /batch\/(update|upsert)|\/notes|\/meetings/.test(call))).toEqual([]);

    await patchPerson.execute(caller, { focus: "john@client.example", job_title: "Chief Executive" });
    const third = await sync();
    expect(third.run).toMatchObject({ full: false, total: 1, updated: 1 });
    expect(outcomes(third.rows)).toEqual({ "john@client.example": "updated job_title" });
    expect(hubspot.of("john@client.example")?.properties).toMatchObject({
      jobtitle: "Chief Executive",
      firstname: "Johnny",
    });
    expect(hubspot.contacts).toHaveLength(2);
  });

  test("pushes notes and activities once each, also when the answer to one was lost", async () => {
    const { person, sync, signal, caller, start, until, soon } = await connected();
    const grace = await person("grace@prospect.example");
    await signal(grace, "meeting_held", "m1");
    await signal(grace, "email_received", "e1");
    await signal(grace, "website_visit", "v1");
    await saveNote.execute(caller, { focus: grace, content: "Wants <b>SSO</b> & SCIM", title: "Discovery" });
    hubspot.trouble({ method: "POST", path: "/crm/objects/2026-09/notes", unheard: true, times: 1 });
    const run = await start();
    await until(run, "waiting");
    expect((await soon(run, "done")).run).toMatchObject({ created: 1, notes: 1, activities: 2, message: null });
    const pushed = hubspot.entriesOf("grace@prospect.example");
    expect(pushed).toHaveLength(3);
    expect(pushed.filter((text) => text.includes("Wants &lt;b&gt;SSO&lt;/b&gt; &amp; SCIM"))).toHaveLength(1);
    expect(hubspot.entries.find(({ type }) => type === "meetings")?.properties).toMatchObject({
      hs_meeting_outcome: "COMPLETED",
      hs_timestamp: "2026-11-01T10:00:00.000Z",
    });
    expect((await sync({ full: true })).run).toMatchObject({ unchanged: 1, notes: 0, activities: 0 });
    expect(hubspot.entriesOf("grace@prospect.example")).toHaveLength(3);
  });

  test("tells in a dry run what it would do, and changes nothing", async () => {
    const { person, sync, signal, caller } = await connected("hubspot", { ...rules, createTrigger: "engaged" });
    hubspot.contact({ email: "john@client.example" });
    const grace = await person("grace@prospect.example");
    await signal(grace, "call", "c1");
    await person("john@client.example");
    await person("quiet@prospect.example");
    const { run, rows } = await sync({ dry_run: true });
    expect(run).toMatchObject({ kind: "dry_run", created: 1, updated: 1, skipped: 1, activities: 1, matched: 0 });
    expect(rows.find(({ email }) => email === "quiet@prospect.example")).toMatchObject({
      outcome: "skipped",
      message: "Not created: nothing has happened with this person yet.",
    });
    expect(hubspot.contacts.map(({ properties }) => properties)).toEqual([{ email: "john@client.example" }]);
    expect(hubspot.calls.every((call) => /search|details/.test(call))).toBe(true);
    const { crms } = (await getCrmSync.execute(caller, {})) as { crms: { provider: string; linked: number }[] };
    expect(crms.find(({ provider }) => provider === "hubspot")?.linked).toBe(0);
  });

  test("keeps what the CRM refuses with its row, and goes on with the others", async () => {
    const { person, sync } = await connected();
    hubspot.refused.set("bad@prospect.example", "Property values were not valid");
    await person("bad@prospect.example");
    await person("good@prospect.example");
    const { run, rows } = await sync();
    expect(run).toMatchObject({ state: "done", created: 1, failed: 1 });
    expect(rows.find(({ outcome }) => outcome === "failed")).toMatchObject({
      email: "bad@prospect.example",
      message:
        "HubSpot refused it: Property values were not valid. Correct it here or there; the next change or a full sync tries again.",
    });
    hubspot.refused.clear();
    expect((await sync({ full: true })).run).toMatchObject({ created: 1, unchanged: 1, failed: 0 });
  });

  test("names the field that a rule of the CRM's administrators asks for, and goes on with the others", async () => {
    const { person, sync } = await connected();
    const rule = { name: "lead_source", message: "Required when the stage is interested", error: "REQUIRED_FIELD" };
    hubspot.rules.set("bad@prospect.example", [rule, { ...rule, name: "region", message: "x".repeat(300) }]);
    for (const name of ["a", "bad", "c"]) await person(`${name}@prospect.example`);
    const { run, rows } = await sync();
    expect(run).toMatchObject({ state: "done", created: 2, failed: 1 });
    expect(rows.find(({ outcome }) => outcome === "failed")).toMatchObject({
      email: "bad@prospect.example",
      message: expect.stringMatching(/^HubSpot refused it: lead_source: Required when .*; region: x+…\. Correct it/),
    });
    hubspot.rules.clear();
    expect((await sync({ full: true })).run).toMatchObject({ created: 1, unchanged: 2, failed: 0 });
  });

  test("splits a batch that is refused as a whole", async () => {
    const { person, sync } = await connected();
    for (const name of ["a", "b", "c"]) await person(`${name}@prospect.example`);
    hubspot.trouble({ path: "/crm/objects/2026-09/contacts/batch/upsert", status: 400, times: 1 });
    expect((await sync()).run).toMatchObject({ created: 3, failed: 0 });
  });

  test("links a contact that the search did not know yet, and never creates it twice", async () => {
    const { person, sync } = await connected();
    await sync();
    hubspot.searchLags = true;
    const known = hubspot.contact({ email: "late@prospect.example", firstname: "Lately" });
    await person("late@prospect.example");
    const { run, rows } = await sync();
    expect(run).toMatchObject({ updated: 1, created: 0, matched: 1 });
    expect(rows[0]).toMatchObject({ record_id: known.id, fields: ["last_name", "company", "stage"] });
    expect(hubspot.contacts).toHaveLength(1);
    expect(known.properties.firstname).toBe("Lately");
  });

  test("stops when the token is revoked in the middle, says so, and goes on after connecting again", async () => {
    const { person, start, until, connect, token, caller } = await connected();
    await Promise.all(Array.from({ length: 150 }, (_, n) => person(`p${n}@prospect.example`)));
    hubspot.trouble({ path: "/crm/objects/2026-09/contacts/batch/upsert", status: 401, after: 1 });
    const run = await start();
    const blocked = await until(run, "blocked");
    expect(blocked.run).toMatchObject({ compared: 100, created: 100 });
    expect(blocked.run.message).toMatch(
      /^The sync stopped after 100 people: HubSpot does not accept the credentials.+connect again with a new one. The run then continues\.$/,
    );
    expect(await getIntegration.execute(caller, { provider: "hubspot" })).toMatchObject({ is_verified: false });
    hubspot.tokens.add(`${token}-new`);
    await connect(`${token}-new`);
    expect((await until(run, "done")).run).toMatchObject({ compared: 150, created: 150, failed: 0 });
    expect(hubspot.contacts).toHaveLength(150);
    expect(await getIntegration.execute(caller, { provider: "hubspot" })).toMatchObject({ is_verified: true });
  });

  test("needs a token that may create our fields, says so, and creates them once it has one", async () => {
    const { person, start, until, connect } = await connected();
    await person("grace@prospect.example");
    hubspot.properties.clear();
    hubspot.trouble({ method: "POST", path: "/crm/properties", status: 403 });
    const run = await start();
    expect((await until(run, "blocked")).run.message).toContain("crm.schemas.contacts");
    await connect();
    expect((await until(run, "done")).run).toMatchObject({ created: 1 });
    expect([...hubspot.properties]).toEqual(["rapport_id", "rapport_stage"]);
  });

  test.each([
    ["seconds", { "retry-after": "60" }, limited.body, 59_900],
    ["no time", undefined, limited.body, 9_900],
  ])("waits when it is limited, with %s", async (_what, headers, body, least) => {
    const { person, start, until, id } = await connected();
    await person("grace@prospect.example");
    hubspot.trouble({
      path: "/crm/objects/2026-09/contacts/batch/upsert",
      status: 429,
      body,
      ...(headers ? { headers } : {}),
    });
    const run = await start();
    const waiting = await until(run, "waiting");
    expect(waiting.run.message).toContain("Rapport waits and tries again automatically.");
    const tries = () => hubspot.received.filter(({ path }) => path.endsWith("batch/upsert")).map(({ at }) => at);
    const [first = 0] = tries();
    expect(tries()).toHaveLength(1);
    let due: number[] = [];
    await expect.poll(async () => (due = await hurryJobs(id)), { interval: 20 }).toHaveLength(1);
    expect((due[0] ?? 0) - first).toBeGreaterThanOrEqual(least);
    expect((await until(run, "done")).run).toMatchObject({ created: 1, message: null });
  });

  test.each([
    ["broken", { status: 503 }],
    ["silent", { hangs: true as const }],
  ])("tries again when it is %s", async (_what, trouble) => {
    const { person, start, until, soon } = await connected();
    await person("grace@prospect.example");
    hubspot.trouble({ path: "/crm/objects/2026-09/contacts/batch/upsert", ...trouble });
    const { answerMs } = patience;
    if ("hangs" in trouble) patience.answerMs = 1_000;
    const run = await start();
    await until(run, "waiting");
    patience.answerMs = answerMs;
    expect((await soon(run, "done")).run).toMatchObject({ created: 1 });
    expect(hubspot.contacts).toHaveLength(1);
  });

  test("stops when it is disconnected or cancelled; connecting again pushes nothing twice", async () => {
    const { person, start, until, sync, connect, caller, signal } = await connected();
    const grace = await person("grace@prospect.example");
    await signal(grace, "call", "c1");
    await sync();
    hubspot.trouble({ path: "/crm/objects/2026-09/contacts/batch/update", status: 503, times: 100 });
    await patchPerson.execute(caller, { focus: grace, job_title: "CEO" });
    const run = await start();
    await until(run, "waiting");
    await disconnectIntegration.execute(caller, { provider: "hubspot" });
    expect((await until(run, "blocked")).run.message).toBe(
      "HubSpot was disconnected. Connect it again; the run then continues.",
    );
    hubspot.calm();
    await connect();
    expect((await until(run, "done")).run).toMatchObject({ updated: 1, activities: 0 });
    expect(hubspot.contacts).toHaveLength(1);
    expect(hubspot.entriesOf("grace@prospect.example")).toHaveLength(1);
    hubspot.trouble({ path: "/crm/objects/2026-09/contacts", status: 503, times: 100 });
    await patchPerson.execute(caller, { focus: grace, job_title: "CTO" });
    const other = await start();
    await until(other, "waiting");
    await cancelCrmRun.execute(caller, { id: other.id });
    expect((await until(other, "cancelled")).run.finished_at).not.toBeNull();
  });

  test("never pushes sample data", async () => {
    const { sync, caller, person } = await connected();
    await loadSampleData.execute(caller, {});
    await person("real@prospect.example");
    expect((await sync()).run).toMatchObject({ total: 1, created: 1 });
  });

  test("is checked: deleted, merged, another address, another stage, each with what to do", async () => {
    const { sync, person, id, until, caller } = await connected();
    const emails = ["gone", "kept", "moved", "drifted", "fine"].map((name) => `${name}@prospect.example`);
    for (const email of emails) await person(email);
    await sync();
    const [gone, kept, moved, drifted] = emails.map((email) => hubspot.of(email));
    hubspot.contacts.splice(hubspot.contacts.indexOf(gone as (typeof hubspot.contacts)[number]), 1);
    Object.assign(moved?.properties ?? {}, { email: "new@prospect.example" });
    Object.assign(drifted?.properties ?? {}, { rapport_stage: "client" });
    const merged = hubspot.contact({ ...kept?.properties });
    merged.merged.push(kept?.id ?? "");
    hubspot.contacts.splice(hubspot.contacts.indexOf(kept as (typeof hubspot.contacts)[number]), 1);
    await configureCrmSync.execute(caller, { provider: "hubspot", hygieneEnabled: true, hygieneCadence: "daily" });
    await maintainCrmSync(id);
    const check = async () =>
      ((await listCrmRuns.execute(caller, {})) as { runs: CrmRun[] }).runs.find(({ kind }) => kind === "hygiene");
    await expect.poll(check, { timeout: 30_000 }).toBeDefined();
    const { run, rows } = await until((await check()) as CrmRun, "done");
    expect(run).toMatchObject({ cause: "schedule", total: 5, findings: 4, unchanged: 1 });
    expect(Object.fromEntries(rows.map(({ email, message }) => [email?.split("@")[0], message]))).toEqual({
      gone: "Deleted in HubSpot. Restore it there, or archive the person here.",
      kept: `Merged in HubSpot into record ${merged.id}. The link follows; nothing is to do.`,
      moved: "Its e-mail in HubSpot is new@prospect.example. Add that address here, or correct it there.",
      drifted: "The stage is client in HubSpot and identified here. A full sync sets it again.",
      fine: null,
    });
    const { rows: after } = await sync({ full: true });
    expect(drifted?.properties.rapport_stage).toBe("identified");
    expect(after.find(({ email }) => email?.startsWith("gone"))).toMatchObject({ outcome: "skipped" });
    expect(hubspot.of("gone@prospect.example")).toBeUndefined();
    await maintainCrmSync(id);
    expect(((await listCrmRuns.execute(caller, {})) as { runs: CrmRun[] }).runs).toHaveLength(3);
  });

  test("keeps one link over a merge, and over its undoing", async () => {
    const { sync, caller, person } = await connected();
    const [a, b] = [await person("a@prospect.example"), await person("b@prospect.example")];
    await sync();
    const { merge_id } = (await mergeAccounts.execute(caller, { keep: a, drop: b })) as { merge_id: string };
    const merged = await sync({ full: true });
    expect(merged.rows.map(({ contact_id, record_id }) => [contact_id, record_id])).toEqual([
      [a, hubspot.of("a@prospect.example")?.id],
    ]);
    await unmergeAccounts.execute(caller, { merge_id });
    expect((await sync({ full: true })).run).toMatchObject({ total: 2, created: 0, failed: 0 });
    expect(hubspot.contacts).toHaveLength(2);
  });

  test("forgets an erased person; the contact in the CRM stays", async () => {
    const { sync, caller, person, id } = await connected();
    const grace = await person("grace@prospect.example");
    await sync();
    await erasePerson.execute(caller, { focus: grace });
    expect(
      await inspect(
        "SELECT 1 FROM crm_records WHERE workspace_id = $1 UNION ALL SELECT 1 FROM crm_run_rows WHERE workspace_id = $1",
        [id],
      ),
    ).toEqual([]);
    expect(hubspot.contacts).toHaveLength(1);
  });

  test("of two workspaces at once keeps them apart", async () => {
    const [one, two] = [await connected(), await connected()];
    await one.person("one@prospect.example");
    await two.person("two@prospect.example");
    const [first, second] = await Promise.all([one.sync(), two.sync()]);
    expect([first.run, second.run]).toMatchObject([
      { created: 1, total: 1 },
      { created: 1, total: 1 },
    ]);
    expect(outcomes(first.rows)).not.toHaveProperty("two@prospect.example");
    await expect(getCrmRun.execute(two.caller, { id: first.run.id })).rejects.toMatchObject({
      code: "crm_run_not_found",
    });
    const tokens = new Map(
      hubspot.received
        .filter(({ path }) => path.endsWith("upsert"))
        .map(({ headers, body }) => [headers.authorization, JSON.stringify(body)]),
    );
    expect(tokens.get(`Bearer ${one.token}`)).not.toContain("two@");
    expect(tokens.get(`Bearer ${two.token}`)).not.toContain("one@");
  });

  test("pushes by itself what changes, and keeps no run in which nothing was to do", async () => {
    const { person, caller, signal, id } = await connected("hubspot", { ...rules, autoSync: true });
    const grace = await person("grace@prospect.example");
    const compared = async () => {
      await hurryJobs(id);
      return (
        (
          await inspect<{ at: Date | null }>("SELECT compared_to AS at FROM crm_configs WHERE workspace_id = $1", [id])
        )[0]?.at ?? null
      );
    };
    await expect.poll(compared, { timeout: 30_000 }).not.toBeNull();
    expect(hubspot.contacts).toHaveLength(1);
    await signal(grace, "call", "c1");
    await configureCrmSync.execute(caller, { provider: "hubspot", createTrigger: "engaged" });
    await expect.poll(compared, { timeout: 30_000 }).not.toBeNull();
    expect(hubspot.entries).toHaveLength(1);
    await configureCrmSync.execute(caller, { provider: "hubspot", createTrigger: "any" });
    await expect.poll(compared, { timeout: 30_000 }).not.toBeNull();
    const { runs } = (await listCrmRuns.execute(caller, {})) as { runs: CrmRun[] };
    expect(runs.map(({ cause, state, activities }) => [cause, state, activities])).toEqual([
      ["auto", "done", 1],
      ["auto", "done", 0],
    ]);
  });
});

describe("a sync with Attio", () => {
  test("creates, links and updates people, and pushes notes once", async () => {
    const { person, sync, signal, caller } = await connected("attio");
    attio.person("john@client.example", { job_title: "CTO" });
    const grace = await person("grace@client.example", { job_title: "VP Sales" });
    await person("john@client.example", { job_title: "CEO" });
    await person("refused@client.example");
    await signal(grace, "call", "c1");
    await saveNote.execute(caller, { focus: grace, content: "Wants SSO" });
    const first = await sync();
    expect(first.run).toMatchObject({ created: 1, updated: 1, failed: 1, matched: 1, notes: 1, activities: 1 });
    expect(first.rows.find(({ outcome }) => outcome === "failed")?.message).toContain("Body payload validation error");
    expect(attio.of("grace@client.example")?.values).toMatchObject({
      job_title: "VP Sales",
      name: [{ first_name: "Grace", last_name: "Prospect", full_name: "Grace Prospect" }],
      company: [{ target_object: "companies", domains: [{ domain: "client.example" }] }],
      rapport_stage: "identified",
    });
    expect(attio.of("john@client.example")?.values.job_title).toBe("CTO");
    expect((await sync({ full: true })).run).toMatchObject({ unchanged: 2, notes: 0, activities: 0 });
    expect(attio.notes).toHaveLength(2);
  });

  test("waits until the date that it names", async () => {
    const { id, person, start, until } = await connected("attio");
    await person("grace@client.example");
    const headers = () => ({ "retry-after": new Date(Date.now() + 60_000).toUTCString() });
    attio.trouble({ method: "PUT", status: 429, body: dated.body, headers });
    const run = await start();
    await until(run, "waiting");
    const tries = attio.received.filter(({ method }) => method === "PUT");
    let due: number[] = [];
    await expect.poll(async () => (due = await hurryJobs(id)), { interval: 20 }).toHaveLength(1);
    expect((due[0] ?? 0) - (tries[0]?.at ?? 0)).toBeGreaterThanOrEqual(58_000);
    expect((await until(run, "done")).run).toMatchObject({ created: 1 });
  });
});
