import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { listNotes, saveNote } from "./service.ts";

const { call } = useServer();

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const save = (body: object) => call("/v2/notes", { key, body });
  const get = (path: string) => call(`/v2/notes${path}`, { key });
  return { workspace, key, save, get };
}

type SaveAnswer = { note: { id: string; metadata: Record<string, unknown> }; entity_id: string; doc_type: string };

describe("saving a note", () => {
  test("answers 201 with the note, its entity and its type, and creates the person with employer and source", async () => {
    const { save, key, workspace } = await setUp();
    const { status, body } = await save({ focus: "Anna@Acme.com", content: "Budget is 40k", date: "3 June 2026" });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      note: { metadata: { doc_type: "note", title: null, date: "2026-06-03" } },
      doc_type: "note",
    });
    const people = await call("/v2/people?search=anna", { key });
    expect(people.body.people).toMatchObject([{ id: body.entity_id, email: "anna@acme.com", source: "api" }]);
    expect(
      await inspect(
        "SELECT kind::text, property, value->>'note_id' AS note, observed_at::date::text AS at FROM observations WHERE workspace_id = $1 AND property = 'note.saved'",
        [workspace.id],
      ),
    ).toEqual([{ kind: "event", property: "note.saved", note: (body as SaveAnswer).note.id, at: "2026-06-03" }]);
  });

  test.each([
    ["CRLF and trailing spaces", "one \r\n\r\n two\t \n   "],
    ["emoji and combined emoji", "deal 🚀 won 👩‍💻🏽 – ok"],
    ["right to left", "שלום עולם مرحبا\u200f"],
    ["quotes and operators", `'; DROP TABLE notes; -- "x" %_\\ & | ! <-> :*`],
  ])("keeps the content byte for byte: %s", async (_, content) => {
    const { save, get } = await setUp();
    const saved = (await save({ focus: "acme.com", content })).body as SaveAnswer;
    const read = await get(`/${saved.note.id}`);
    expect(read.status).toBe(200);
    expect((read.body.note as { content: string }).content).toBe(content);
  });

  test.each([
    [{}, 400, "focus_and_content_required"],
    [{ focus: "a@acme.com" }, 400, "focus_and_content_required"],
    [{ focus: "a@acme.com", content: " \r\n" }, 400, "focus_and_content_required"],
    [{ content: "x" }, 400, "focus_and_content_required"],
    [{ focus: " ", content: "x" }, 400, "focus_and_content_required"],
    [{ focus: "Anna Smith", content: "x" }, 400, "invalid_focus"],
    [{ focus: 7, content: "x" }, 400, "invalid_focus"],
    [{ focus: "workspace", content: "x" }, 400, "invalid_focus"],
    [{ focus: newId(), content: "x" }, 404, "entity_not_found"],
    [{ focus: "a@acme.com", content: "x", type: "memo" }, 400, "invalid_type"],
    [{ focus: "a@acme.com", content: "x", date: "soon" }, 400, "invalid_date"],
    [{ focus: "a@acme.com", content: "x", date: "2026-02-30" }, 400, "invalid_date"],
    [{ focus: "a@acme.com", content: "x", title: "t".repeat(201) }, 400, "invalid_parameter"],
    [{ focus: "a@acme.com", content: "x\u0000" }, 400, "invalid_parameter"],
    [{ focus: "a@acme.com", content: "x".repeat(2_000_001) }, 400, "invalid_parameter"],
    [{ focus: "a@acme.com", content: "x", colour: 1 }, 400, "unknown_parameter"],
  ])("a bad request writes nothing (%#)", async (body, status, error) => {
    const { save, workspace } = await setUp();
    expect(await save(body)).toMatchObject({ status, body: { error } });
    expect(
      await inspect(
        "SELECT 1 FROM notes WHERE workspace_id = $1 UNION ALL SELECT 1 FROM entities WHERE workspace_id = $1 AND type <> 'workspace'",
        [workspace.id],
      ),
    ).toEqual([]);
  });

  test("an invalid type names those allowed, and the workspace's own id is refused like its name", async () => {
    const { save, workspace } = await setUp();
    expect((await save({ focus: "a@acme.com", content: "x", type: "memo" })).body.allowed).toContain("meeting_brief");
    expect(await save({ focus: workspace.id, content: "x" })).toMatchObject({
      status: 400,
      body: { error: "invalid_focus" },
    });
  });

  test("no key is 401, a key that may only read is 403", async () => {
    const { workspace } = await setUp();
    const body = { focus: "a@acme.com", content: "x" };
    expect(await call("/v2/notes", { body })).toMatchObject({ status: 401, body: { error: "unauthorized" } });
    expect(await call("/v2/notes", { body, key: await workspace.key(["read"]) })).toMatchObject({
      status: 403,
      body: { error: "insufficient_scope" },
    });
  });

  test("the database refuses to change or delete a note", async () => {
    const { save } = await setUp();
    const id = ((await save({ focus: "acme.com", content: "x" })).body as SaveAnswer).note.id;
    await expect(inspect("UPDATE notes SET content = 'y' WHERE id = $1", [id])).rejects.toThrow(/append-only/);
    await expect(inspect("DELETE FROM notes WHERE id = $1", [id])).rejects.toThrow(/append-only/);
  });
});

describe("reading notes", () => {
  test("lists by date, the latest first, filtered by focus and type, and pages by cursor while notes are added", async () => {
    const { save, get } = await setUp();
    for (const [index, day] of ["2026-01-05", "2026-01-03", "2026-01-04", "2026-01-01", "2026-01-02"].entries()) {
      const focus = index % 2 ? "ben@acme.com" : "anna@acme.com";
      await save({ focus, content: `note ${day}`, date: day, ...(index === 0 ? { type: "research" } : {}) });
    }
    const days = (body: Record<string, unknown>) =>
      (body.notes as { metadata: { date: string } }[]).map((note) => note.metadata.date.slice(-2));
    expect(days((await get("")).body)).toEqual(["05", "04", "03", "02", "01"]);
    expect(days((await get("?focus=ben@acme.com")).body)).toEqual(["03", "01"]);
    expect(days((await get("?type=research")).body)).toEqual(["05"]);
    expect(days((await get("?type=research&focus=ben@acme.com")).body)).toEqual([]);
    const first = await get("?limit=2");
    expect(first.body).toMatchObject({ limit: 2, has_more: true });
    await save({ focus: "anna@acme.com", content: "later", date: "2026-02-01" });
    const second = await get(`?limit=2&cursor=${first.body.next_cursor}`);
    const third = await get(`?limit=2&cursor=${second.body.next_cursor}`);
    expect([...days(first.body), ...days(second.body), ...days(third.body)]).toEqual(["05", "04", "03", "02", "01"]);
    expect(third.body).toMatchObject({ has_more: false, next_cursor: null });
  });

  test("a list shows how each note begins, and whether it goes on", async () => {
    const { save, get } = await setUp();
    await save({ focus: "acme.com", content: "short \n and  whole" });
    await save({ focus: "acme.com", content: `${"word ".repeat(200)}` });
    await save({ focus: "acme.com", content: `begin ${" ".repeat(1000)} end` });
    const { notes } = (await get("")).body as { notes: { snippet: string; truncated: boolean }[] };
    expect(notes.map(({ snippet, truncated }) => [snippet.length, truncated])).toEqual([
      [5, true],
      [395, true],
      [15, false],
    ]);
  });

  test.each([
    ["?focus=anna@acme.com", 404, "entity_not_found"],
    ["?focus=Anna", 400, "invalid_focus"],
    ["?focus=workspace", 400, "invalid_focus"],
    [`?focus=${newId()}`, 404, "entity_not_found"],
    ["?type=memo", 400, "invalid_type"],
    ["?limit=0", 400, "invalid_parameter"],
    ["?cursor=zzz", 400, "invalid_parameter"],
    ["?colour=1", 400, "unknown_parameter"],
    [`/${newId()}`, 404, "note_not_found"],
    ["/nope", 404, "note_not_found"],
  ])("%s is %i %s", async (path, status, error) => {
    const { get } = await setUp();
    expect(await get(path)).toMatchObject({ status, body: { error } });
  });

  test("two workspaces never see each other's notes", async () => {
    const [mine, other] = [await setUp(), await setUp()];
    const saved = (await mine.save({ focus: "acme.com", content: "mine" })).body as SaveAnswer;
    expect(await other.get(`/${saved.note.id}`)).toMatchObject({ status: 404, body: { error: "note_not_found" } });
    expect(await other.get(`?focus=${saved.entity_id}`)).toMatchObject({ status: 404 });
    expect(await other.save({ focus: saved.entity_id, content: "x" })).toMatchObject({
      status: 404,
      body: { error: "entity_not_found" },
    });
    expect((await other.get("")).body.notes).toEqual([]);
  });
});

test("notes are listed by the span of their dates, days whole", async () => {
  const { caller } = await createTestWorkspace();
  const dates = ["2026-09-30", "2026-10-01", "2026-10-15T12:00:00Z", "2026-10-31T23:59:59Z", "2026-11-01"];
  for (const date of dates) await saveNote.execute(caller, { focus: "anna@acme.com", content: date, date });
  const listed = async (more: object) =>
    (await listNotes.execute(caller, more)).notes.map(({ snippet }) => snippet.slice(5, 10));
  expect(await listed({ from: "2026-10-01", to: "2026-10-31" })).toEqual(["10-31", "10-15", "10-01"]);
  expect(await listed({ from: "2026-10-16T00:00:00Z" })).toEqual(["11-01", "10-31"]);
  expect(await listed({ to: "2026-10-15T11:59:59Z", focus: "anna@acme.com", type: "note" })).toEqual([
    "10-01",
    "09-30",
  ]);
  const first = await listNotes.execute(caller, { from: "2026-10-01", to: "2026-10-31", limit: 2 });
  expect(first.has_more).toBe(true);
  expect(await listed({ from: "2026-10-01", to: "2026-10-31", cursor: first.next_cursor })).toEqual(["10-01"]);
});
