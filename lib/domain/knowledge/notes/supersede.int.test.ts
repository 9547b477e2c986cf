/** A note that is corrected: the new version takes its place, the old one stays in the history and out of search. */
import { describe, expect, test } from "vitest";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const { call } = useServer();

const ANNA = "anna@acme.com";

async function start() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const send = (path: string, body: object) => call(path, { key, body });
  const save = (content: string, more: object = {}) => send("/v2/notes", { focus: ANNA, content, ...more });
  const saved = async (content: string, more: object = {}) =>
    ((await save(content, more)).body.note as { id: string }).id;
  const get = async (path: string) => (await call(path, { key })).body;
  const found = async (question: string) =>
    ((await send("/v2/notes/search", { question })).body.documents as { id: string }[]).map(({ id }) => id);
  const rebuilt = async () => (await rebuildWorkspace(workspace.caller)).differences;
  return { workspace, key, send, save, saved, get, found, rebuilt };
}

const idsOf = (list: unknown) => (list as { id: string }[]).map(({ id }) => id);

describe("a corrected note", () => {
  test("takes the place of the old one in lists, search, context and timeline, and keeps what is not given", async () => {
    const { send, saved, get, found, rebuilt } = await start();
    const other = await saved("The budget for training is separate.");
    const old = await saved("The budget is 40,000 eurros for purple licences.", {
      type: "meeting_notes",
      title: "Pricing call",
      date: "2026-06-03",
    });
    expect(await found("purple licences")).toEqual([old]);
    const id = await saved("The budget is 50,000 euros for green licences.", { supersedes: old });
    expect(await found("purple")).toEqual([]);
    expect(await found("green licences")).toEqual([id]);
    expect(idsOf((await get("/v2/notes")).notes)).toEqual([other, id]);
    expect(idsOf((await get(`/v2/notes?focus=${ANNA}&type=meeting_notes`)).notes)).toEqual([id]);
    expect(idsOf((await get(`/v2/accounts/${ANNA}`)).documents)).toEqual([other, id]);
    const { body: context } = await send("/v2/context", { focus: ANNA });
    expect(idsOf(context.documents).sort()).toEqual([other, id].sort());
    const events = (await get(`/v2/accounts/${ANNA}/timeline`)).events as { value: { note_id: string } }[];
    expect(events.map(({ value }) => value.note_id).sort()).toEqual([other, id].sort());
    const { note, versions } = await get(`/v2/notes/${id}`);
    expect(note).toMatchObject({ metadata: { doc_type: "meeting_notes", title: "Pricing call", date: "2026-06-03" } });
    expect(versions).toMatchObject([
      { id, current: true },
      { id: old, current: false },
    ]);
    expect(await get(`/v2/notes/${old}`)).toMatchObject({
      note: { id: old, content: "The budget is 40,000 eurros for purple licences." },
      versions: [{ id }, { id: old }],
    });
    expect(await rebuilt()).toEqual([]);
  });

  test("was another one then: known_at shows what was known", async () => {
    const { send, saved } = await start();
    const old = await saved("Version one.", { title: "One" });
    await new Promise((done) => setTimeout(done, 20));
    const known_at = new Date().toISOString();
    await new Promise((done) => setTimeout(done, 20));
    await saved("Version two.", { title: "Two", supersedes: old });
    const { body } = await send("/v2/context", { focus: ANNA, known_at });
    expect(idsOf(body.documents)).toEqual([old]);
  });

  test("is found after the index was merged, too", async () => {
    const { saved, found } = await start();
    const old = await saved("An unmistakable zebra.");
    for (let index = 0; index < 70; index++) await saved(`Filler number ${index}.`);
    expect(await found("zebra")).toEqual([old]);
    const id = await saved("An unmistakable giraffe.", { supersedes: old });
    expect(await found("zebra")).toEqual([]);
    expect(await found("giraffe")).toEqual([id]);
  });

  test("is corrected again only by its current version", async () => {
    const { save, saved } = await start();
    const first = await saved("One.");
    const second = await saved("Two.", { supersedes: first });
    const third = await saved("Three.", { supersedes: second });
    expect(await save("Four.", { supersedes: first })).toMatchObject({
      status: 409,
      body: { error: "note_already_superseded", current_id: third },
    });
  });

  test("by several at once has one successor", async () => {
    const { get, save, saved, found } = await start();
    const old = await saved("The first wording.");
    const answers = await Promise.all(
      ["red", "blue", "green"].map((colour) => save(`${colour} wording`, { supersedes: old })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(idsOf((await get("/v2/notes")).notes)).toHaveLength(1);
    expect(await found("wording")).toHaveLength(1);
  });

  test("must be of the same person or company, of those merged into it too", async () => {
    const { send, save, saved } = await start();
    const old = await saved("About Anna.");
    const unknown = "0190a6e0-0000-7000-8000-0000000000ff";
    expect(await save("?", { supersedes: unknown })).toMatchObject({ status: 404, body: { error: "note_not_found" } });
    await send("/v2/people", { email: "ben@acme.com" });
    const foreign = await send("/v2/notes", { focus: "ben@acme.com", content: "?", supersedes: old });
    expect(foreign).toMatchObject({ status: 404, body: { error: "note_not_found" } });
    await send("/v2/accounts/merge", { keep: "ben@acme.com", drop: ANNA });
    const merged = await send("/v2/notes", { focus: "ben@acme.com", content: "About both.", supersedes: old });
    expect(merged.status).toBe(201);
    const nobody = await send("/v2/notes", { focus: "new@acme.com", content: "?", supersedes: old });
    expect(nobody).toMatchObject({ status: 404, body: { error: "entity_not_found" } });
  });
});
