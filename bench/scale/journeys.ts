/** What takes more than one operation: jobs, files, outside systems, and work that is taken back. Each for every tenant. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { maintenance } from "#lib/domain/integrations/crm-sync/jobs.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { openWorkspaceExport } from "#lib/domain/workspace/privacy/service.ts";
import { restoreWorkspace } from "#lib/domain/workspace/restore/service.ts";
import { operations } from "#lib/registry.ts";
import { createStage, type Stage } from "#lib/testing/conformance/stage.ts";
import type { Ground } from "./ground.ts";
import { failureOf, type Ran, reasonOf } from "./operations.ts";

type Journey = (stage: Stage, ground: Ground) => Promise<void>;

const journeys: Readonly<Record<string, Journey>> = {
  "a file is imported into a list, and the import undone": importAndUndo,
  "leads are added, changed and removed": leads,
  "everyone is scored by a new model": scoring,
  "an event is delivered to a trigger": triggers,
  "people are pushed to a CRM, and one is gone there": crm,
  "people are archived at once, and the action undone": bulkActions,
  "people are exported, and the file is downloaded": exporting,
  "a person is erased, in exports and approvals too": erasing,
  "a workspace is exported, deleted and read back": restore,
};

export async function runJourneys(ground: Ground, tenants: readonly Stage[]): Promise<Ran> {
  const run: Ran = { ran: 0, failures: [] };
  for (const [what, journey] of Object.entries(journeys))
    for (const [place, tenant] of tenants.entries()) {
      run.ran++;
      const reason = await reasonOf(() => journey(tenant, ground));
      if (reason) run.failures.push(failureOf(`${what} (tenant ${place + 1})`, reason));
    }
  return run;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of whichever operation, whose shape its contract has checked
type Answer = any;
const ask = (stage: Stage, operation: string, input: Record<string, unknown>): Promise<Answer> =>
  stage.run(operation, input);

/** Asks again until it is so; `reasonOf` says when that takes too long. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50);
}

async function importAndUndo(stage: Stage): Promise<void> {
  const [known, added] = ["known@import.example", "added@import.example"];
  await ask(stage, "upsertPerson", { email: known, job_title: "CFO" });
  const list = (await ask(stage, "createLeadList", { name: "Imported" })).lead_list;
  const content = `Email,Job Title,Company\n${known},CEO,Import\n${added},CTO,Import\n`;
  const { id } = (await ask(stage, "createImport", { content })).import;
  const reaches = (state: string) =>
    until(async () => {
      const { import: now } = await ask(stage, "getImport", { id });
      assert.notEqual(now.state, "failed", now.problem);
      return now.state === state;
    });
  await ask(stage, "patchImport", { id, list_id: list.id, policy: "overwrite" });
  await ask(stage, "runImport", { id });
  await reaches("done");
  assert.equal(await titleOf(stage, known), "CEO");
  assert.equal((await ask(stage, "listLeads", { list_id: list.id })).leads.length, 2);
  await ask(stage, "undoImport", { id });
  await reaches("undone");
  assert.equal(await titleOf(stage, known), "CFO");
  await assert.rejects(titleOf(stage, added), { code: "entity_not_found" });
}

const titleOf = async (stage: Stage, focus: string): Promise<unknown> =>
  (await ask(stage, "getPerson", { focus })).person.job_title;

async function leads(stage: Stage): Promise<void> {
  const list = (await ask(stage, "createLeadList", { name: "Leads", columns: ["title"] })).lead_list;
  const filters = ["one", "two"].map((name) => ({
    email: `${name}@lead.example`,
    fields: { title: "CFO", team: "EMEA" },
  }));
  const { results } = await ask(stage, "createLeads", { list_id: list.id, leads: filters });
  assert.deepEqual((await ask(stage, "getLeadList", { id: list.id })).lead_list.columns, ["title", "team"]);
  const { leads } = await ask(stage, "listLeads", { list_id: list.id });
  assert.equal(leads.length, results.length);
  const ids = leads.map(({ id }: { id: string }) => id);
  await ask(stage, "changeLeads", { lead_ids: ids, status: "sent" });
  await ask(stage, "changeLead", { id: ids[0], status: "replied", reply_outcome: "interested" });
  const after = (await ask(stage, "listLeads", { list_id: list.id })).leads;
  assert.deepEqual(after.map(({ status }: { status: string }) => status).toSorted(), ["replied", "sent"]);
  await ask(stage, "deleteLeads", { lead_ids: ids });
  assert.deepEqual((await ask(stage, "listLeads", { list_id: list.id })).leads, []);
}

async function scoring(stage: Stage): Promise<void> {
  const rule = { feature: "region", op: "in", value: ["DACH"] };
  const signals = [{ key: "region", label: "In the region", weight: 10, rule }];
  const { version } = await ask(stage, "buildScoringModel", { force: true, signals });
  await until(async () => {
    const { model } = await ask(stage, "getScoringModel", {});
    return model.version === version && model.finished_at !== null && model.scored > 0;
  });
}

async function triggers(stage: Stage, { target }: Ground): Promise<void> {
  const url = target.url(`/${stage.id}`);
  const { id } = (await ask(stage, "createTrigger", { url, events: ["note.saved"] })).trigger;
  await stage.anna();
  await ask(stage, "saveNote", { focus: "anna@acme.com", content: "Anna wants a trial." });
  await until(async () => target.received.some(({ path }) => path === `/${stage.id}`));
  await until(async () => {
    const { deliveries } = await ask(stage, "listTriggerDeliveries", { id });
    return deliveries.length === 1 && deliveries[0].status === "delivered";
  });
  const { days } = await ask(stage, "getTriggerDays", { id });
  assert.equal(days.at(-1).delivered, 1);
  await ask(stage, "deleteTrigger", { id });
}

async function crm(stage: Stage, { crm: hubspot }: Ground): Promise<void> {
  const token = `pat-${stage.id}`;
  hubspot.tokens.add(token);
  const { integrations } = await ask(stage, "listIntegrations", {});
  const connected = integrations.find(({ provider }: { provider: string }) => provider === "hubspot")?.connected;
  if (connected) await ask(stage, "disconnectIntegration", { provider: "hubspot" });
  await ask(stage, "connectIntegration", { provider: "hubspot", credentials: { access_token: token } });
  const rules = { autoSync: false, createInCrm: true, createTrigger: "any" };
  await ask(stage, "configureCrmSync", { provider: "hubspot", ...rules });
  const email = `pushed@${stage.id}.example`;
  await ask(stage, "upsertPerson", { email, first_name: "Grace", last_name: "Prospect" });
  const done = async (id: string): Promise<Answer> => {
    await until(async () => {
      const { run } = await ask(stage, "getCrmRun", { id });
      assert.ok(["queued", "running", "waiting", "done"].includes(run.state), `${run.state}: ${run.message}`);
      return run.state === "done";
    });
    return (await ask(stage, "getCrmRun", { id })).run;
  };
  await done((await ask(stage, "syncCrmNow", { provider: "hubspot" })).run.id);
  const there = hubspot.of(email);
  assert.ok(there, "the person is not in the CRM");
  hubspot.contacts.splice(hubspot.contacts.indexOf(there), 1);
  await ask(stage, "configureCrmSync", { provider: "hubspot", hygieneEnabled: true, hygieneCadence: "daily" });
  for (const { step } of maintenance) await step(stage.id);
  const check = async (): Promise<Answer> =>
    (await ask(stage, "listCrmRuns", {})).runs.find(({ kind }: { kind: string }) => kind === "hygiene");
  await until(async () => (await check()) !== undefined);
  assert.ok((await done((await check()).id)).findings > 0, "the check found nothing");
}

async function bulkActions(stage: Stage): Promise<void> {
  const email = "archived@bulk.example";
  await ask(stage, "upsertPerson", { email, job_title: "Archivist" });
  const { id } = (
    await ask(stage, "createBulkAction", { what: "people", filters: { search: email }, action: "archive" })
  ).bulk_action;
  const statusOf = async () => (await ask(stage, "getPerson", { focus: email })).person.status;
  const reaches = (state: string) =>
    until(async () => (await ask(stage, "getBulkAction", { id })).bulk_action.state === state);
  await reaches("done");
  assert.equal(await statusOf(), "archived");
  await ask(stage, "undoBulkAction", { id });
  await reaches("undone");
  assert.equal(await statusOf(), "active");
}

/** A file of the people that a search finds; its id. */
async function exported(stage: Stage, search: string): Promise<string> {
  const { id } = (await ask(stage, "createExport", { what: "people", filters: { search } })).export;
  await until(async () => {
    const { state, message } = (await ask(stage, "getExport", { id })).export;
    assert.notEqual(state, "failed", message);
    return state === "done";
  });
  return id;
}

async function exporting(stage: Stage, { app }: Ground): Promise<void> {
  const names = ["Ada", "Émile", "Zoë"];
  for (const [place, name] of names.entries())
    await ask(stage, "upsertPerson", { email: `p${place}@file.example`, first_name: name });
  const id = await exported(stage, "file.example");
  const authorization = `Bearer ${await stage.key()}`;
  const download = (range?: string) =>
    fetch(`${app.url}/v2/exports/${id}/file`, { headers: { authorization, ...(range ? { range } : {}) } });
  const whole = await download();
  assert.equal(whole.status, 200);
  const text = await whole.text();
  assert.deepEqual(
    names.filter((name) => !text.includes(name)),
    [],
    "people are missing in the file",
  );
  const part = await download("bytes=0-9");
  assert.equal(part.status, 206);
  assert.equal((await part.arrayBuffer()).byteLength, 10);
  await ask(stage, "deleteExport", { id });
  assert.equal((await download()).status, 404);
}

async function erasing(stage: Stage): Promise<void> {
  const focus = "erased@gone.example";
  await ask(stage, "upsertPerson", { email: focus, first_name: "Erasmus" });
  await ask(stage, "saveNote", { focus, content: `${focus} asked to be forgotten.` });
  const file = await exported(stage, focus);
  const saving = operations.find(({ contract }) => contract.name === "saveNote");
  const asker = { ...stage.caller, role: null, approval: "writes" as const };
  const savedNote = await saving?.call(asker, { focus, content: `${focus} again` });
  assert.ok(savedNote && "waiting" in savedNote, "the change does not wait");
  await ask(stage, "erasePerson", { focus });
  assert.equal((await ask(stage, "getExport", { id: file })).export.state, "expired");
  const { approvals } = await ask(stage, "listApprovals", { status: "cancelled" });
  assert.ok(
    approvals.some(({ id }: { id: string }) => id === savedNote.waiting.approval_id),
    "the change still waits",
  );
  await assert.rejects(ask(stage, "getPerson", { focus }), { code: "entity_not_found" });
}

async function restore(): Promise<void> {
  const stage = await createStage();
  await stage.anna();
  await ask(stage, "saveNote", { focus: "anna@acme.com", content: "Anna wants SSO." });
  await ask(stage, "createTask", { title: "Call Anna", focus: "anna@acme.com" });
  const folder = await mkdtemp(path.join(tmpdir(), "rapport-scale-"));
  try {
    const lines: string[] = [];
    await (await openWorkspaceExport(stage.caller))(async (text) => void lines.push(text));
    const file = path.join(folder, "workspace.ndjson");
    await writeFile(file, lines.join(""));
    await ask(stage, "deleteWorkspace", { confirm: "Test" });
    await restoreWorkspace({ path: file, operator: "scale" });
  } finally {
    await rm(folder, { recursive: true });
  }
  assert.equal((await ask(stage, "getPerson", { focus: "anna@acme.com" })).person.job_title, "Head of Sales");
  assert.equal((await ask(stage, "listNotes", { focus: "anna@acme.com" })).notes.length, 1);
  assert.equal((await rebuildWorkspace(stage.caller)).different, 0);
}
