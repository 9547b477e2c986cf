import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { saveView } from "#lib/domain/crm/saved-views/service.ts";
import { getAccount } from "#lib/domain/knowledge/contacts/service.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { REFERENCES } from "#lib/testing/catalog.fixture.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { tenantTables } from "./rules.ts";
import { type Export, erasePerson, openPersonExport, openWorkspaceExport } from "./service.ts";

const { call } = useServer();

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const send = async (path: string, body: object, more: object = {}) => {
    const answer = await call(path, { key, body, ...more });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body as Record<string, never>;
  };
  return { workspace, key, send };
}

const secrets = ["zebrawort", "anna.secret@acme.com", "anna-secret", "annas2nd@gmail.com", "Secretname", "+4930123456"];

/** Anna, with much data and once two records, next to Ben of the same company. */
async function fill({ workspace, send }: Awaited<ReturnType<typeof setUp>>) {
  const idempotent = { headers: { "idempotency-key": newId() } };
  const anna = { email: "anna.secret@acme.com", first_name: "Secretname", phone: "+4930123456" };
  await send("/v2/people", anna, idempotent);
  const { person } = await send("/v2/people", { email: "annas2nd@gmail.com", job_title: "Secretname's title" });
  await send("/v2/people", { email: "anna.secret@acme.com", linkedin_url: "linkedin.com/in/anna-secret" });
  await send("/v2/notes", {
    focus: "anna.secret@acme.com",
    content: "Her zebrawort beside the budget.",
    title: "Secretname",
  });
  await send("/v2/notes", { focus: "annas2nd@gmail.com", content: "More zebrawort." });
  await send("/v2/accounts/merge", { keep: "anna.secret@acme.com", drop: "annas2nd@gmail.com" });
  const visit = { kind: "event", property: "interaction.website_visit", value: { page: "Secretname" } };
  await send("/v2/observations", { focus: "anna.secret@acme.com", observations: [visit] });
  await send("/v2/people", { email: "ben@acme.com", first_name: "Ben" });
  await send("/v2/notes", { focus: "ben@acme.com", content: "Budget talk." });
  await send("/v2/observations", { focus: "ben@acme.com", observations: [{ ...visit, value: { page: "Pricing" } }] });
  const place = "email=anna.secret%40acme.com&sort=created_desc";
  await saveView.execute(workspace.caller, { list: "people", name: "Mail", place, shared: true });
  return person as unknown as { id: string };
}

/** Where a text of the person is still found in the whole database. */
async function tracesOf(workspaceId: string): Promise<string[]> {
  const traces: string[] = [];
  const tables = await inspect<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'workspace_id'",
  );
  for (const { name } of tables) {
    const rows = await inspect<{ text: string }>(`SELECT t::text AS text FROM "${name}" t WHERE workspace_id = $1`, [
      workspaceId,
    ]);
    for (const secret of secrets)
      if (rows.some(({ text }) => text.toLowerCase().includes(secret.toLowerCase()))) traces.push(`${name}: ${secret}`);
  }
  return traces;
}

describe("erasing a person", () => {
  test("leaves no trace of them, and everything else works on", async () => {
    const stage = await setUp();
    const { workspace, key, send } = stage;
    const second = await fill(stage);
    expect((await tracesOf(workspace.id)).length).toBeGreaterThan(8);
    const { entity_id, erased } = await erasePerson.execute(workspace.caller, { focus: second.id });
    expect(erased).toMatchObject({ notes: 2, identifiers: 3 });
    expect(await tracesOf(workspace.id)).toEqual([]);
    expect(
      await inspect(
        "SELECT action, subject, detail FROM audit_log WHERE workspace_id = $1 AND action = 'person.erased'",
        [workspace.id],
      ),
    ).toEqual([{ action: "person.erased", subject: entity_id, detail: erased }]);

    for (const focus of [entity_id, second.id])
      await expect(getAccount.execute(workspace.caller, { focus })).rejects.toMatchObject({ code: "entity_not_found" });
    const { companies } = (await call("/v2/companies", { key })).body as unknown as { companies: object[] };
    expect(companies).toMatchObject([{ domain: "acme.com", people_count: 1, last_activity_at: expect.any(String) }]);
    const found = await send("/v2/notes/search", { question: "budget zebrawort" });
    expect(found).toMatchObject({ count: 1, documents: [{ snippet: "Budget talk." }] });
    expect(await rebuildWorkspace(workspace.caller)).toMatchObject({ different: 0 });
    expect((await call("/v2/people", { key, body: { email: "anna.secret@acme.com" } })).status).toBe(201);
  });

  test("is refused for a company, the workspace, an unknown focus, and without the admin scope", async () => {
    const { workspace, key } = await setUp();
    await call("/v2/companies", { key, body: { domain: "acme.com" } });
    const refused = async (focus: string, code: string, as = workspace.caller) =>
      expect(erasePerson.execute(as, { focus })).rejects.toMatchObject({ code });
    await refused("acme.com", "invalid_focus");
    await refused("workspace", "invalid_focus");
    await refused("Anna", "invalid_focus");
    await refused(newId(), "entity_not_found");
    await refused("anna@acme.com", "entity_not_found");
    const writer = await workspace.key(["write"]);
    const answer = await call("/v2/accounts/erase", { key: writer, body: { focus: "acme.com" } });
    expect(answer).toMatchObject({ status: 403, body: { error: "insufficient_scope" } });
  });

  test("beside writers of the same person ends with a new person or none, never with an error of ours", async () => {
    const { workspace, key, send } = await setUp();
    for (let round = 0; round < 5; round++) {
      await send("/v2/people", { email: "anna@acme.com", first_name: "Anna" });
      const body = { email: "anna@acme.com", job_title: `CTO ${round}` };
      const [erased, ...answers] = await Promise.all([
        erasePerson.execute(workspace.caller, { focus: "anna@acme.com" }).then(() => 200),
        ...Array.from({ length: 8 }, () => call("/v2/people", { key, body })),
      ]);
      expect(erased).toBe(200);
      for (const answer of answers) expect([200, 201]).toContain((answer as { status: number }).status);
    }
    expect(await rebuildWorkspace(workspace.caller)).toMatchObject({ different: 0 });
  });
});

describe("exporting a workspace", () => {
  const linesOf = async (exportInto: Export) => {
    let text = "";
    const exported = await exportInto(async (lines) => {
      text += lines;
    });
    const lines = text.trimEnd().split("\n");
    return {
      exported,
      lines: lines.map((line) => JSON.parse(line) as { table?: string; row?: Record<string, unknown> }),
    };
  };

  test("writes every row of the workspace and nothing of another, secrets aside, with an end that counts them", async () => {
    const stage = await setUp();
    const other = await setUp();
    await fill(stage);
    await other.send("/v2/people", { email: "stranger@other.com" });
    const { exported, lines } = await linesOf(await openWorkspaceExport(stage.workspace.caller));
    expect(lines[0]).toMatchObject({ export: "rapport", version: 1, workspace_id: stage.workspace.id });
    expect(lines.at(-1)).toEqual({ end: true, ...exported });
    for (const [table, count] of Object.entries(exported.tables)) {
      const [held] = await inspect<{ rows: number }>(
        `SELECT count(*)::int AS rows FROM "${table}" WHERE workspace_id = $1`,
        [stage.workspace.id],
      );
      expect([table, count]).toEqual([table, held?.rows]);
      expect(lines.filter((line) => line.table === table)).toHaveLength(count);
    }
    const text = JSON.stringify(lines);
    for (const secret of secrets) expect(text).toContain(secret);
    expect(text).not.toMatch(/stranger|key_hash|token_hash|credentials/);
    expect(text).toContain("Her zebrawort beside the budget.");
  });

  test("is kept in the audit log, and a reader that goes away ends it", async () => {
    const { workspace } = await setUp();
    await linesOf(await openWorkspaceExport(workspace.caller));
    const gone = (await openWorkspaceExport(workspace.caller))(() => Promise.reject(new Error("the reader is gone")));
    await expect(gone).rejects.toThrow("the reader is gone");
    const entries = await inspect("SELECT 1 FROM audit_log WHERE workspace_id = $1 AND action = 'workspace.exported'", [
      workspace.id,
    ]);
    expect(entries).toHaveLength(2);
  });

  test("of one person holds all that was learned about them, under any name, and nothing of anyone else", async () => {
    const stage = await setUp();
    const second = await fill(stage);
    const { exported, lines } = await linesOf(await openPersonExport(stage.workspace.caller, second.id));
    expect(lines[0]).toMatchObject({ export: "rapport", workspace_id: stage.workspace.id });
    expect(lines.at(-1)).toEqual({ end: true, ...exported });
    expect(exported.tables).toMatchObject({ entities: 2, identifiers: 3, merges: 1, notes: 2, people: 1 });
    const text = JSON.stringify(lines);
    for (const secret of secrets) expect(text).toContain(secret);
    expect(text).not.toMatch(/ben@acme|Budget talk/);
    expect(
      await inspect("SELECT subject, detail FROM audit_log WHERE workspace_id = $1 AND action = 'person.exported'", [
        stage.workspace.id,
      ]),
    ).toEqual([{ subject: (lines[0] as { entity_id?: string }).entity_id, detail: {} }]);
  });

  test("is refused without the rights of an admin, and for anything but a known person", async () => {
    const { workspace, send } = await setUp();
    await send("/v2/companies", { domain: "acme.com" });
    const member = { ...workspace.caller, scopes: ["read", "write"] as const, role: "member" as const };
    await expect(openWorkspaceExport(member)).rejects.toMatchObject({ code: "insufficient_scope" });
    await expect(openPersonExport(member, "anna@acme.com")).rejects.toMatchObject({ code: "insufficient_scope" });
    const refused = (focus: string) => openPersonExport(workspace.caller, focus);
    await expect(refused("acme.com")).rejects.toMatchObject({ code: "invalid_focus" });
    await expect(refused("anna@acme.com")).rejects.toMatchObject({ code: "entity_not_found" });
    expect(
      await inspect("SELECT 1 FROM audit_log WHERE workspace_id = $1 AND action LIKE '%.exported'", [workspace.id]),
    ).toEqual([]);
  });
});

test("erasure and export know every table of a tenant, and how it hangs on an entity", async () => {
  const tables = await inspect<{ name: string; cascades: boolean; columns: string[] }>(
    `WITH RECURSIVE hanging(oid) AS (
       SELECT 'entities'::regclass::oid
       UNION SELECT r.oid FROM (${REFERENCES}) r JOIN hanging h ON r.target = h.oid AND r.cascades
     )
     SELECT c.relname AS name, c.oid IN (SELECT oid FROM hanging) AS cascades, array_agg(a.attname::text) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
     GROUP BY c.oid, c.relname HAVING bool_or(a.attname = 'workspace_id')`,
  );
  const names = tables.map(({ name }) => name).sort();
  expect(
    tenantTables.map(({ name }) => name).sort(),
    "add the new table to lib/domain/workspace/privacy/rules.ts",
  ).toEqual(names);
  for (const { name, cascades, columns } of tables) {
    const known = tenantTables.find((table) => table.name === name);
    expect([name, known?.erasure === "cascade"]).toEqual([name, cascades]);
    if (known?.left && "columns" in known.left)
      expect(columns).toEqual(expect.arrayContaining([...known.left.columns]));
  }
});
