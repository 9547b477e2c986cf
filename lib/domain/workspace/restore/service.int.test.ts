import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { withoutWorkspace, withWorkspace } from "#lib/db/transaction.ts";
import { addMember } from "#lib/domain/access/members/service.ts";
import { saveView } from "#lib/domain/crm/saved-views/service.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { erasePerson, openPersonExport, openWorkspaceExport } from "#lib/domain/workspace/privacy/service.ts";
import { loadSampleData } from "#lib/domain/workspace/sample-data/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { restOfJobs } from "#lib/testing/jobs.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { restoreWorkspace } from "./service.ts";

/** `RESTORED_PEOPLE=50000` for a long run. */
const PEOPLE = Number(process.env.RESTORED_PEOPLE ?? 1_000);

const { call } = useServer();

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "rapport-restore-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const fileNamed = (name: string) => path.join(folder, name);
const restore = (file: string, more: { into?: string; checkOnly?: boolean } = {}) =>
  restoreWorkspace({ path: file, operator: "test", ...more });

/** The export of a workspace as a file, without a word about when it was made and what the commands noted. */
async function exported({ caller }: Pick<TestWorkspace, "caller">, file: string): Promise<string> {
  const lines: string[] = [];
  await (await openWorkspaceExport(caller))(async (text) => void lines.push(text));
  await writeFile(file, lines.join(""));
  return comparable(lines.join(""));
}

/** What must be the same before and after: all but the time of the export, its notes in the audit log, keys, and the counts. */
const comparable = (text: string): string =>
  text
    .split("\n")
    .slice(1)
    .filter((line) => !/"(table":"(audit_log|api_keys)"|end":true)/.test(line))
    .join("\n");

const remove = (id: string) =>
  inspect(
    `BEGIN; DELETE FROM outbox WHERE workspace_id = '${id}'; SET LOCAL rapport.erasing = 'on'; DELETE FROM workspaces WHERE id = '${id}'; COMMIT`,
  );

async function projections(id: string) {
  const tables = { property_values: "", people: "", companies: "", claims: "", note_names: "" };
  const found: Record<string, string[]> = {};
  for (const name of Object.keys(tables))
    found[name] = (
      await inspect<{ text: string }>(
        `SELECT (to_jsonb(t) - 'workspace_id')::text AS text FROM "${name}" t WHERE workspace_id = $1 ORDER BY 1`,
        [id],
      )
    ).map(({ text }) => text);
  return found;
}

async function filled() {
  const workspace = await createTestWorkspace({ name: "Backup" });
  const key = await workspace.key();
  const userId = newId();
  const email = `${userId}@people.example`;
  await withoutWorkspace((db) => db.prisma.user.create({ data: { id: userId, email, name: "Ada" } }));
  await withWorkspace(workspace.id, (db) => addMember(db, userId, "owner"));
  await loadSampleData.execute(workspace.caller, {});
  const user = { ...workspace.caller, actor: { type: "user" as const, id: userId } };
  await saveView.execute(user, { list: "people", name: "Mine", place: "pipeline_stage=client", shared: false });
  const send = async (to: string, body: object) => {
    const { status, body: answer } = await call(to, { key, body });
    expect(status, JSON.stringify(answer)).toBeLessThan(300);
  };
  await send("/v2/people", {
    email: "anna@acme.com",
    first_name: "Anna",
    zeta: 1,
    a: "\u2028 x",
    bb: ["x", "y"],
    since: "2026-01-02",
  });
  await send("/v2/people", { email: "anna@gmail.com" });
  await send("/v2/accounts/merge", { keep: "anna@acme.com", drop: "anna@gmail.com" });
  await send("/v2/observations", {
    focus: "anna@acme.com",
    observations: [{ kind: "state", property: "budget", value: { deep: [1e15, 0.1, -1.5, "ü\ud83d\ude00"] } }],
  });
  await send("/v2/notes", { focus: "anna@acme.com", content: "Her zebrawort, line one\nline two.", title: "Walk" });
  await send("/v2/people", { email: "anna@acme.com", owner: email });
  await send("/v2/tasks", { title: "Call", due: "2026-06-05", focus: "anna@acme.com", assignee: email });
  await send("/v2/tasks", { title: "Done", done: true });
  await send("/v2/workspace/facts", { section: "ICP", content: "Series A" });
  await send("/v2/workspace/facts", { section: "ICP", content: "Series B" });
  await send("/v2/people", { email: "gone@acme.com" });
  await erasePerson.execute(workspace.caller, { focus: "gone@acme.com" });
  await restOfJobs(workspace.id); // scores are written by a job, and what is compared must not change meanwhile
  return { workspace, key, userId, email };
}

describe("a workspace that is read back", () => {
  test("is the same, in what is recorded, what is derived, and what search finds", async () => {
    const { workspace, key, userId } = await filled();
    const before = await exported(workspace, fileNamed("whole.ndjson"));
    const derived = await projections(workspace.id);
    const question = { question: "zebrawort" };
    const found = (await call("/v2/notes/search", { key, body: question })).body;
    await remove(workspace.id);
    const report = await restore(fileNamed("whole.ndjson"));
    expect(report).toMatchObject({ workspaceId: workspace.id, already: false, rows: { members: 1, saved_views: 1 } });
    expect(report.left).toEqual(["API keys: create new ones (1)"]);
    expect(await exported(workspace, fileNamed("again.ndjson"))).toBe(before);
    expect(await projections(workspace.id)).toEqual(derived);
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
    const other = await workspace.key();
    expect((await call("/v2/notes/search", { key: other, body: question })).body).toEqual(found);
    expect(
      await inspect("SELECT 1 FROM members WHERE workspace_id = $1 AND user_id = $2", [workspace.id, userId]),
    ).toHaveLength(1);
    await call("/v2/people", { key: other, body: { email: "anna@acme.com", job_title: "CEO" } });
    const { body } = await call("/v2/people/anna@acme.com", { key: other });
    expect(body.person).toMatchObject({ job_title: "CEO", properties: { zeta: 1 } });
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
  });

  test("is written once: the same file again changes nothing, another is refused", async () => {
    const { workspace } = await filled();
    await exported(workspace, fileNamed("once.ndjson"));
    await remove(workspace.id);
    const [one, two] = await Promise.all([restore(fileNamed("once.ndjson")), restore(fileNamed("once.ndjson"))]);
    expect([one, two].every(({ workspaceId }) => workspaceId === workspace.id)).toBe(true);
    const count = () => inspect("SELECT count(*)::int FROM observations WHERE workspace_id = $1", [workspace.id]);
    const before = await count();
    expect(await restore(fileNamed("once.ndjson"))).toMatchObject({ already: true });
    expect(await count()).toEqual(before);
    await exported(workspace, fileNamed("later.ndjson"));
    await expect(restore(fileNamed("later.ndjson"))).rejects.toThrow("The workspace is not empty: it has rows of");
  });

  test("may be another one that is empty, beside the first, with members who have accounts here", async () => {
    const { workspace, email } = await filled();
    const before = await exported(workspace, fileNamed("beside.ndjson"));
    const other = await createTestWorkspace({ name: "New" });
    await expect(restore(fileNamed("beside.ndjson"))).rejects.toThrow("not empty");
    await restore(fileNamed("beside.ndjson"), { into: other.id });
    const after = await exported(other, fileNamed("moved.ndjson"));
    // The entity of the workspace sorts by another id, and the member's row is the one that was there.
    const same = (text: string) =>
      text
        .replaceAll(other.id, workspace.id)
        .split("\n")
        .filter((line) => !line.includes('"table":"members"'))
        .sort();
    expect(same(after)).toEqual(same(before));
    expect((await rebuildWorkspace(other.caller)).differences).toEqual([]);
    expect(
      await inspect("SELECT count(*)::int FROM members m JOIN users u ON u.id = m.user_id WHERE u.email = $1", [email]),
    ).toEqual([{ count: 2 }]);
  });

  test("brings accounts of members that this installation does not have, without passwords", async () => {
    const { workspace, email, userId } = await filled();
    await exported(workspace, fileNamed("users.ndjson"));
    await remove(workspace.id);
    await inspect("DELETE FROM users WHERE id = $1", [userId]);
    await restore(fileNamed("users.ndjson"));
    expect(await inspect("SELECT id, name, password_hash FROM users WHERE email = $1", [email])).toEqual([
      { id: userId, name: "Ada", password_hash: null },
    ]);
    await remove(workspace.id);
    await inspect("DELETE FROM users WHERE id = $1", [userId]);
    const otherId = newId();
    await withoutWorkspace((db) => db.prisma.user.create({ data: { id: otherId, email, name: "Ada L" } }));
    await restore(fileNamed("users.ndjson"));
    expect(await inspect("SELECT owner_id FROM saved_views WHERE workspace_id = $1", [workspace.id])).toEqual([
      { owner_id: otherId },
    ]);
    expect(await inspect("SELECT assignee_id FROM tasks WHERE workspace_id = $1 AND NOT done", [workspace.id])).toEqual(
      [{ assignee_id: otherId }],
    );
  });

  test(`comes back with ${PEOPLE} people`, { timeout: 60_000 + PEOPLE * 60 }, async () => {
    const workspace = await createTestWorkspace({ name: "Big" });
    const key = await workspace.key();
    for (let begin = 0; begin < PEOPLE; begin += 1_000) {
      const people = Array.from({ length: Math.min(1_000, PEOPLE - begin) }, (_, place) => ({
        email: `person${begin + place}@company${(begin + place) % 700}.com`,
        first_name: `Ünal ${begin + place}`,
        job_title: place % 3 === 0 ? "CTO" : "VP Sales",
        region: ["DACH", "UK", "US"][place % 3],
        seats: begin + place,
      }));
      expect((await call("/v2/people/bulk", { key, body: { people } })).status).toBe(200);
      const activities = people
        .slice(0, 500)
        .map(({ email }) => ({ email, type: "email_received", external_id: email }));
      expect((await call("/api/v1/capture/batch", { key, body: activities })).status).toBe(200);
    }
    const before = await exported(workspace, fileNamed("big.ndjson"));
    const derived = await projections(workspace.id);
    await remove(workspace.id);
    const began = performance.now();
    const { rows } = await restore(fileNamed("big.ndjson"));
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const { size } = await import("node:fs").then(({ statSync }) => statSync(fileNamed("big.ndjson")));
    if (PEOPLE >= 10_000)
      process.stdout.write(
        `${PEOPLE} people, ${rows.observations} observations, ${Math.round(size / 1e6)} MB: ${seconds} s, ${Math.round(process.memoryUsage().rss / 1e6)} MB resident\n`,
      );
    expect((await exported(workspace, fileNamed("big-again.ndjson"))) === before).toBe(true);
    const again = await projections(workspace.id);
    for (const name of Object.keys(derived))
      expect([name, JSON.stringify(again[name]) === JSON.stringify(derived[name])]).toEqual([name, true]);
    const rebuilt = await rebuildWorkspace(workspace.caller);
    expect(rebuilt).toMatchObject({ different: 0 });
  });
});

describe("a file that cannot be read back", () => {
  const good = async (): Promise<{ lines: string[]; id: string }> => {
    const { workspace } = await filled();
    await exported(workspace, fileNamed("good.ndjson"));
    await remove(workspace.id);
    return { lines: (await readFile(fileNamed("good.ndjson"), "utf8")).trimEnd().split("\n"), id: workspace.id };
  };
  const at = (lines: readonly string[], table: string) =>
    lines.findIndex((line) => line.includes(`"table":"${table}"`));

  test("is refused with the line, and nothing of it is written", async () => {
    const { lines, id } = await good();
    const people = at(lines, "people");
    const observations = at(lines, "observations");
    const last = lines.length - 1;
    const change = (place: number, from: string | RegExp, to: string) =>
      lines.map((line, index) => (index === place ? line.replace(from, to) : line));
    const cases: [string[], RegExp][] = [
      [[], /^The file is empty\.$/],
      [["name,email", "Anna,anna@acme.com"], /^Line 1: this is not an export of Rapport\.$/],
      [["{}"], /^Line 1: this is not an export of Rapport\.$/],
      [change(0, '"version":1', '"version":2'), /^Line 1: the export has the version 2; this release reads 1\.$/],
      [lines.slice(0, -1), /^The file is incomplete/],
      [lines.slice(0, 10), /^The file is incomplete/],
      [[...lines, "{}"], new RegExp(`^Line ${last + 2}: the export ended`)],
      [lines.toSpliced(people, 1), new RegExp(`^Line ${last}: the export had \\d+ rows of people, and the file has`)],
      [
        lines.toSpliced(people, 1, lines[people]?.slice(0, -9) ?? ""),
        new RegExp(`^Line ${people + 1}: it is not a JSON`),
      ],
      [
        change(people, '"table":"people"', '"table":"leeds"'),
        new RegExp(`^Line ${people + 1}: this release has no table leeds`),
      ],
      [
        change(people, '"status": "active"', '"status": "gone"'),
        new RegExp(`^Line ${people + 1}: a row of people status must be one of`),
      ],
      [change(people, '"source":', '"sauce":'), new RegExp(`^Line ${people + 1}: a row of people has a field .*sauce`)],
      [
        change(observations, '"observed_at": "', '"observed_at": "x'),
        new RegExp(`^Line ${observations + 1}: a row of observations observed_at must be a time`),
      ],
      [
        change(observations, /"seq": \d+/, '"seq": "many"'),
        new RegExp(`^Line ${observations + 1}: a row of observations seq must be a whole number`),
      ],
      [
        change(observations, /"entity_id": "[^"]+"/, `"entity_id": "${newId()}"`),
        new RegExp(`^Line ${observations + 1}: the row of observations cannot be kept`),
      ],
      [lines.toSpliced(2, 0, lines[people] ?? ""), /^Line \d+: a row of \w+ comes too late, after people/],
      [[...lines.slice(0, 1), ...lines.slice(2)], /^Line 2: the row of the workspace must come first/],
    ];
    for (const [content, message] of cases) {
      await writeFile(fileNamed("bad.ndjson"), content.map((line) => `${line}\n`).join(""));
      await expect(restore(fileNamed("bad.ndjson")), String(message)).rejects.toThrow(message);
    }
    await writeFile(fileNamed("bad.ndjson"), Buffer.concat([Buffer.from(`${lines[0]}\n`), Buffer.from([0xff, 0x0a])]));
    await expect(restore(fileNamed("bad.ndjson"))).rejects.toThrow("Line 2: it is not UTF-8.");
    await expect(restore(fileNamed("absent.ndjson"))).rejects.toThrow("cannot be read");
    expect(await inspect("SELECT 1 FROM workspaces WHERE id = $1", [id])).toEqual([]);
    expect(await restore(fileNamed("good.ndjson"), { checkOnly: true })).toMatchObject({ checked: true });
    expect(await inspect("SELECT 1 FROM workspaces WHERE id = $1", [id])).toEqual([]);
  });

  test("is one of a single person", async () => {
    const { workspace } = await filled();
    const lines: string[] = [];
    await (await openPersonExport(workspace.caller, "anna@acme.com"))(async (text) => void lines.push(text));
    await writeFile(fileNamed("person.ndjson"), lines.join(""));
    await expect(restore(fileNamed("person.ndjson"))).rejects.toThrow("Line 1: this is the export of one person");
  });
});
