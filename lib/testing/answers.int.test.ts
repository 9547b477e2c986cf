/**
 * Plays five hundred varied requests and writes their answers, with the rows that follow from them, into the file that
 * `RECORD_ANSWERS` names, ids and times masked: to be compared with the file of another commit. `RECORD_SEED` plays others.
 */
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { saveStageRules } from "#lib/domain/crm/stages/service.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import { inspect } from "./database.ts";
import { useServer } from "./server.fixture.ts";
import { createTestWorkspace } from "./workspace.fixture.ts";

const file = process.env.RECORD_ANSWERS;
const { call } = useServer();

beforeAll(() => startWorker());
afterAll(() => stopWorker());

type Json = Record<string, unknown>;

/** Numbers that look random and are the same each time. */
function chanceFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Ids become numbers in the order in which they are met, times of now a word. */
function masking() {
  const ids = new Map<string, string>();
  return (text: string): string =>
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
        const name = ids.get(id) ?? `id${ids.size + 1}`;
        ids.set(id, name);
        return name;
      })
      .replaceAll(/20(?!2[45])\d\d-\d\d-\d\d[T ][\d:.]+(Z|\+00(:00)?)?/g, "now")
      .replaceAll(/"(cursor|next_cursor|request_id|latest_cursor)":"[^"]*"/g, '"$1":"…"');
}

const TABLES: Readonly<Record<string, string>> = {
  observations:
    "SELECT entity_id, kind, property, value, source, method, observed_at, external_id, caused_by, stage_before, stage_after, id FROM observations WHERE workspace_id = $1 ORDER BY seq",
  claims:
    "SELECT c.entity_id, c.property, c.value, c.method, c.source, c.observation_id, c.observation_count, c.source_count, c.conflicts, c.ended_at, c.id FROM claims c JOIN observations o ON o.workspace_id = $1 AND o.id = c.id WHERE c.workspace_id = $1 ORDER BY o.seq, c.property",
  people:
    "SELECT p.*, NULL AS workspace_id FROM people p JOIN entities e ON e.workspace_id = $1 AND e.id = p.id WHERE p.workspace_id = $1 ORDER BY coalesce(p.email, ''), p.search, p.id",
  companies:
    "SELECT c.*, NULL AS workspace_id FROM companies c WHERE c.workspace_id = $1 ORDER BY coalesce(c.domain, ''), c.search, c.id",
  identifiers:
    "SELECT entity_id, kind, value, retired_at IS NULL AS active FROM identifiers WHERE workspace_id = $1 ORDER BY kind, value, retired_at IS NULL",
  outbox: "SELECT type, entity_id, observation_id, data FROM outbox WHERE workspace_id = $1 ORDER BY seq",
  changes:
    "SELECT type, entity_id, property, value, source FROM changes WHERE workspace_id = $1 ORDER BY CASE WHEN source = 'csv_import' THEN 0 ELSE seq END, entity_id, property, seq",
  leads:
    "SELECT entity_id, email, name, status, sent_at, replied_at FROM leads WHERE workspace_id = $1 ORDER BY created_at, email, id",
  entities:
    "SELECT e.id, e.type, e.status, e.absorbed, e.merged_into, e.status_action IS NULL AS by_hand FROM entities e WHERE e.workspace_id = $1 ORDER BY e.id",
  notes:
    "SELECT n.id, n.entity_id, n.type, n.title, n.date, n.date_only, n.content, n.supersedes, n.source FROM notes n WHERE n.workspace_id = $1 ORDER BY n.id",
  note_names: "SELECT word, entity_id FROM note_names WHERE workspace_id = $1 ORDER BY word, entity_id",
  values:
    "SELECT v.property, v.folded, v.number, v.time FROM property_values v WHERE workspace_id = $1 ORDER BY 1, 2, 3, 4",
};

test.runIf(file)("answers to varied requests", { timeout: 600_000 }, async () => {
  const { id: workspaceId, caller, key: mint } = await createTestWorkspace({ listening: true });
  const key = await mint();
  const mask = masking();
  const lines: string[] = [];
  const say = (line: string) => lines.push(mask(line));
  const chance = chanceFrom(Number(process.env.RECORD_SEED ?? 20));
  const pick = <T>(items: readonly T[]): T => items[chance(items.length)] as T;
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await call(path, { key, method, ...(body === undefined ? {} : { body }) });
    say(
      `${method} ${path} ${body === undefined ? "" : JSON.stringify(body)}\n  ${answer.status} ${JSON.stringify(answer.body)}`,
    );
    return answer.body;
  };
  const names = ["anna", "ben", "carla", "dora", "emil", "fay", "gus", "hana", "ivo", "jan"];
  const hosts = ["acme.com", "fernhill.eu", "gmail.com", "globex.io", "mail.acme.com"];
  const email = () => `${pick(names)}@${pick(hosts)}`;
  const known: string[] = [];
  const activity = (more: Json = {}): Json => ({
    type: pick([
      "email_sent",
      "email_received",
      "email_opened",
      "call",
      "meeting_scheduled",
      "meeting_held",
      "website_visit",
      "note",
      "custom",
      "email_bounced",
    ]),
    ...(chance(3) === 0 ? { external_id: `x${chance(12)}`, source: pick(["gmail", "hubspot"]) } : {}),
    ...(chance(3) === 0 ? { description: `About ${pick(names)}` } : {}),
    ...(chance(4) === 0 ? { metadata: { event: pick(["deal_won", "signed_up"]), n: chance(9) } } : {}),
    ...(chance(3) === 0 ? { occurred_at: `2024-0${1 + chance(9)}-1${chance(9)}T10:00:00Z` } : {}),
    ...more,
  });
  const whom = (): Json => (chance(3) === 0 && known.length > 0 ? { contact_id: pick(known) } : { email: email() });
  const person = (): Json => ({
    email: email(),
    ...(chance(3) === 0 ? { linkedin_url: `linkedin.com/in/${pick(names)}` } : {}),
    ...(chance(2) === 0 ? { first_name: pick(["Anna", "Ben", "Carla"]) } : {}),
    ...(chance(3) === 0 ? { job_title: pick(["CEO", "CTO", "Head of Sales"]) } : {}),
    ...(chance(4) === 0 ? { pipeline_stage: pick(["aware", "interested", "evaluating", "client"]) } : {}),
    ...(chance(4) === 0 ? { source: pick(["apollo", "clay"]) } : {}),
    ...(chance(5) === 0 ? { region: pick(["DACH", "US"]), seats: chance(50) } : {}),
    ...(chance(6) === 0 ? { phone: "+49 30 1234567" } : {}),
    ...(chance(8) === 0 ? { status: pick(["active", "archived"]) } : {}),
  });
  const company = (): Json => ({
    domain: pick(["acme.com", "globex.io", "initech.dev"]),
    ...(chance(2) === 0 ? { name: pick(["Acme", "Globex", "Initech"]) } : {}),
    ...(chance(3) === 0 ? { industry: pick(["SaaS", "Steel"]) } : {}),
    ...(chance(3) === 0 ? { employee_count: chance(500) } : {}),
  });
  const state = (): Json => {
    const property = pick(["job_title", "first_name", "pipeline_stage", "region", "company", "last_name"]);
    return {
      kind: "state",
      property,
      value:
        chance(6) === 0
          ? null
          : property === "pipeline_stage"
            ? pick(["aware", "interested", "client"])
            : pick(["Alpha", "Beta", "Gamma"]),
      ...(chance(3) === 0
        ? { source: pick(["apollo", "clay"]), observed_at: `2024-0${1 + chance(9)}-05T08:00:00Z` }
        : {}),
      ...(chance(4) === 0 ? { method: pick(["asserted", "observed", "inferred"]) } : {}),
      ...(chance(5) === 0 ? { external_id: `s${chance(8)}` } : {}),
    };
  };
  const event = (): Json => ({
    kind: "event",
    property: pick([
      "interaction.email_received",
      "interaction.meeting_held",
      "product.signed_up",
      "interaction.website_visit",
      "interaction.email_sent",
    ]),
    value: { description: `Happened to ${pick(names)}` },
    ...(chance(3) === 0 ? { external_id: `x${chance(12)}`, source: pick(["gmail", "hubspot"]) } : {}),
  });
  const idIn = (body: Json): string | undefined => {
    const found = body.contact_id ?? body.entity_id ?? ((body.person ?? body.company) as Json | undefined)?.id;
    return typeof found === "string" ? found : undefined;
  };
  const made = await ask("POST", "/v2/lead-lists", { name: "Spring" });
  const list = String(((made.lead_list ?? made.list ?? made) as Json).id);
  for (let turn = 0; turn < 500; turn++) {
    const kind = chance(116);
    let body: Json = {};
    if (kind < 25) body = await ask("POST", "/api/v1/capture", activity(whom()));
    else if (kind < 33)
      body = await ask("POST", "/api/v1/capture/batch", {
        activities: Array.from({ length: 1 + chance(6) }, () => activity(whom())),
      });
    else if (kind < 48)
      body = await ask("POST", "/v2/observations", {
        focus: chance(3) === 0 && known.length > 0 ? pick(known) : chance(8) === 0 ? "acme.com" : email(),
        observations: Array.from({ length: 1 + chance(5) }, () => (chance(3) === 0 ? event() : state())),
      });
    else if (kind < 58) body = await ask("POST", "/v2/people", person());
    else if (kind < 62) body = await ask("POST", "/v2/companies", company());
    else if (kind < 66)
      body = await ask("POST", "/v2/people/bulk", { people: Array.from({ length: 1 + chance(5) }, person) });
    else if (kind < 68)
      body = await ask("POST", "/v2/companies/bulk", { companies: Array.from({ length: 1 + chance(3) }, company) });
    else if (kind < 74)
      body = await ask("PATCH", `/v2/people/${email()}`, { ...person(), email: chance(4) === 0 ? null : email() });
    else if (kind < 76)
      body = await ask("PATCH", "/v2/companies/globex.io", { ...company(), domain: pick(["globex.io", "globex.dev"]) });
    else if (kind < 80)
      body = await ask("POST", "/v2/notes", { focus: email(), content: `Met ${pick(names)}.`, type: "note" });
    else if (kind < 83)
      body = await ask("POST", `/v2/accounts/${email()}/identifiers`, {
        kind: "email",
        value: email(),
        primary: chance(2) === 0,
      });
    else if (kind < 84)
      body = await ask("POST", `/v2/accounts/${email()}/identifiers/remove`, { kind: "email", value: email() });
    else if (kind < 87)
      body = await ask("POST", "/v2/verify", {
        focus: email(),
        property: pick(["job_title", "pipeline_stage", "email"]),
        confirm: chance(2) === 0,
      });
    else if (kind < 89)
      body = await ask("POST", "/v2/leads", { list_id: list, email: email(), name: "Ann Lee", company: "Lee Ltd" });
    else if (kind < 91)
      body = await ask("POST", "/v2/leads/bulk", {
        list_id: list,
        leads: [{ email: email() }, { email: email(), name: "Bo" }],
      });
    else if (kind < 93 && known.length > 1) {
      const merged = await ask("POST", "/v2/accounts/merge", { keep: pick(known), drop: pick(known) });
      if (typeof merged.merge_id === "string" && chance(2) === 0)
        await ask("POST", "/v2/accounts/unmerge", { merge_id: merged.merge_id });
    } else if (kind < 95 && known.length > 0) {
      const { activities = [] } = (await ask("GET", `/v2/accounts/${pick(known)}/timeline`)) as { activities?: Json[] };
      const [one] = activities;
      const at = `/v2/activities/${String(one?.id ?? one?.activity_id)}`;
      if (one) await ask("DELETE", at);
      if (one && chance(2) === 0) await ask("POST", `${at}/restore`, {});
    } else if (kind < 96 && known.length > 0) await ask("POST", "/v2/accounts/erase", { focus: pick(known) });
    else if (kind < 97)
      say(
        JSON.stringify(
          await saveStageRules.execute(caller, {
            rules: [
              { type: "website_visit", stage: pick(["aware", "interested"]) },
              { type: "email_received", stage: "interested" },
              { type: "call", stage: pick(["evaluating", "client"]) },
            ],
            max_age_days: 90,
            move_people: chance(2) === 0,
          }),
        ),
      );
    else if (kind < 102 && known.length > 0) {
      const { activities = [] } = (await ask("GET", `/v2/accounts/${pick(known)}/timeline`)) as { activities?: Json[] };
      const one = activities.at(-1 - chance(2));
      if (one)
        await ask("PATCH", `/v2/activities/${String(one.id ?? one.activity_id)}`, {
          ...(chance(2) === 0 ? { description: `Corrected by ${pick(names)}` } : {}),
          occurred_at: `2025-0${1 + chance(9)}-05T08:00:00Z`,
        });
    } else if (kind < 105) {
      const { leads = [] } = (await ask("GET", `/v2/leads?list_id=${list}&limit=50`)) as { leads?: Json[] };
      const ids = leads.map(({ id }) => String(id));
      const status = pick(["pending", "sent", "replied", "bounced"]);
      if (ids.length > 0 && chance(2) === 0)
        await ask("PATCH", `/v2/leads/${pick(ids)}`, {
          ...(chance(2) === 0 ? { status } : { scorecard_score: chance(10) / 10 }),
          fields: { opener: pick(names) },
        });
      else if (ids.length > 0) await ask("POST", "/v2/leads/bulk-update", { lead_ids: [pick(ids), pick(ids)], status });
    } else if (kind < 109) {
      const focus = email();
      const saved = await ask("POST", "/v2/notes", {
        ...{ focus, content: `Brief on ${pick(names)}.`, type: pick(["brief", "transcript"]), title: "Brief" },
        ...(chance(2) === 0 ? { date: `2024-0${1 + chance(9)}-05` } : {}),
      });
      const supersedes = (saved.note as Json | undefined)?.id;
      if (chance(2) === 0) await ask("POST", "/v2/notes", { focus, content: `More of ${pick(names)}.`, supersedes });
    } else if (kind < 112)
      await ask("POST", "/v2/workspace/facts", {
        section: pick(["ICP", "Notes"]),
        content: `We sell to ${pick(names)}.`,
      });
    else if (kind < 114) body = await ask("PATCH", `/v2/people/${email()}`, { status: pick(["active", "archived"]) });
    else if (known.length > 0) await ask("GET", `/v2/accounts/${pick(known)}`);
    const id = idIn(body);
    if (id !== undefined && !known.includes(id)) known.push(id);
  }
  const until = (path: string, name: string, states: string[]) =>
    expect
      .poll(async () => states.includes(String(((await call(path, { key })).body[name] as Json)?.state)), {
        timeout: 30_000,
      })
      .toBe(true);
  const run = async (name: string, kind: string, rows: readonly string[], more: Json = {}): Promise<string> => {
    const content = rows.join("\n");
    const { import: uploaded } = await ask("POST", "/v2/imports", { file_name: `${name}.csv`, kind, content });
    const at = `/v2/imports/${String((uploaded as Json).id)}`;
    await ask("POST", `${at}/preview`, more);
    await until(at, "import", ["ready"]);
    await ask("GET", `${at}/rows`);
    await ask("POST", `${at}/run`, {});
    await until(at, "import", ["done"]);
    await ask("GET", `${at}/rows`);
    return at;
  };
  const undo = async (at: string, name: string): Promise<void> => {
    await ask("POST", `${at}/undo`, {});
    await until(at, name, ["undone"]);
  };
  await run("people", "people", [
    "Email,First Name,Last Name,Title,Company,Stage",
    "anna@acme.com,Anna,Smith,CEO,Acme,Customer",
    "zoe@newco.com,Zoe,,CTO,NewCo,Lead",
    "zoe@newco.com,Zo,Zett,,NewCo,",
    "yan@newco.com,Yan,,,,Customer",
    "nobody,,,,,",
  ]);
  const others = await run("others", "people", [
    "Email,First Name,Title,Company,Domain",
    "ben@globex.io,Benedict,Founder,Globex,globex.io",
    "ute@fresh.example,Ute,COO,Fresh,fresh.example",
    "uli@acme.com,Uli,CFO,Acme,acme.com",
    "jan@gmail.com,Jan,Buyer,Initech,initech.dev",
  ]);
  const companies = await run("companies", "companies", [
    "Name,Domain,Industry",
    "Acme Two,acme.com,Tools",
    "Late,late.example,SaaS",
    "Globex,,Steel",
    "Unknown,,Steel",
  ]);
  const notes = await run("notes", "notes", [
    "Email,Title,Note,Date",
    "anna@acme.com,Call,Called about the offer,2024-03-12",
    "anna@acme.com,Call,Called about the offer,2024-03-12",
    "vera@gmail.com,Brief,She decides alone,2024-04-01",
    "nobody,,Nothing,",
  ]);
  await undo(notes, "import");
  await undo(companies, "import");
  await undo(others, "import");
  const act = async (change: Json): Promise<string> => {
    const begun = await ask("POST", "/v2/bulk-actions", { what: "people", filters: {}, ...change });
    const at = `/v2/bulk-actions/${String((begun.bulk_action as Json).id)}`;
    await until(at, "bulk_action", ["done"]);
    await ask("GET", at);
    return at;
  };
  await act({ action: "set_stage", pipeline_stage: "evaluating" });
  await undo(await act({ action: "set_stage", pipeline_stage: "client" }), "bulk_action");
  await undo(await act({ action: "archive", filters: { pipeline_stage: "evaluating" } }), "bulk_action");
  await act({ action: "archive", filters: { email: "ben@globex.io" } });
  await act({ action: "archive", what: "companies" });
  await act({ action: "restore", what: "companies" });
  await ask("GET", "/v2/workspace/facts?include_history=true");
  await ask("GET", "/v2/people?limit=100&sort=created_asc");
  await ask("GET", "/v2/companies?limit=100");
  for (const [table, statement] of Object.entries(TABLES)) {
    say(`-- ${table}`);
    for (const row of await inspect<Json>(statement, [workspaceId])) say(JSON.stringify(row));
  }
  writeFileSync(file as string, `${lines.join("\n")}\n`);
});
