import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { type Fault, isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { recordObservations } from "#lib/domain/knowledge/observations/service.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import * as facts from "./service.ts";

const faultOf = (error: unknown): Fault => {
  if (!isFault(error)) throw error;
  return error;
};

/** A workspace with a member who has the tab open. */
async function setUp() {
  const workspace = await createTestWorkspace();
  const userId = newId();
  const email = `${userId}@acme.example`;
  await withoutWorkspace((db) => db.prisma.user.create({ data: { id: userId, email, name: "Ada Lovelace" } }));
  const member: Caller = { ...workspace.caller, actor: { type: "user", id: userId } };
  const add = async (category: string, content: string) =>
    (await facts.addEntry.execute(member, { category, content })).fact;
  const current = async () => (await facts.listFacts.execute(member, { limit: 500 })).facts;
  return { workspace, member, add, current };
}

describe("editing", () => {
  test("forty edits of one entry from the same text: one is written, thirty-nine get the current text", async () => {
    const { member, add, current } = await setUp();
    const entry = await add("ICP", "seen by all");
    const edits = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        facts.editEntry
          .execute(member, { id: entry.id, content: `edit ${index}`, seen: "seen by all" })
          .catch((error: unknown) => faultOf(error)),
      ),
    );
    const refused = edits.filter(isFault);
    expect(refused).toHaveLength(39);
    const standing = await current();
    expect(standing).toMatchObject([
      { supersedes: entry.id, source: "manual", content: expect.stringMatching(/^edit \d+$/) },
    ]);
    expect(new Set(refused.map(({ code, status }) => `${status} ${code}`))).toEqual(
      new Set(["409 fact_already_superseded"]),
    );
    expect(new Set(refused.map(({ extras }) => extras.current_id))).toEqual(new Set([standing[0]?.id]));
  });

  test("from a text that changed under the same id is refused with the current text", async () => {
    const { member, add, current } = await setUp();
    const entry = await add("ICP", "now");
    const refusal = await facts.editEntry
      .execute(member, { id: entry.id, content: "mine", seen: "before" })
      .catch(faultOf);
    expect(refusal).toMatchObject({ code: "fact_changed", extras: { current_content: "now" } });
    expect(await current()).toMatchObject([{ id: entry.id, content: "now" }]);
  });

  test("of a retired entry is refused, and nothing replaced it", async () => {
    const { member, add } = await setUp();
    const entry = await add("ICP", "text");
    await facts.retireEntry.execute(member, { id: entry.id });
    const refusal = await facts.editEntry
      .execute(member, { id: entry.id, content: "mine", seen: "text" })
      .catch(faultOf);
    expect(refusal).toMatchObject({ code: "fact_already_superseded", extras: { current_id: null } });
  });
});

test("retire, then restore: the text is back as a new fact, and the old one stays history", async () => {
  const { member, add, current } = await setUp();
  const entry = await add("Objections", "Too early for us");
  await facts.retireEntry.execute(member, { id: entry.id });
  expect(await current()).toEqual([]);
  await facts.restoreEntry.execute(member, { id: entry.id, content: "Too early for us" });
  expect(await current()).toMatchObject([{ category: "Objections", content: "Too early for us" }]);
  expect((await facts.listVersions.execute(member, { category: "Objections" })).versions).toHaveLength(2);
});

test("history says who wrote each version, by name, and how", async () => {
  const { workspace, member, add } = await setUp();
  const entry = await add("ICP", "by a member");
  await facts.editEntry.execute(
    { ...workspace.caller, client: "claude-code" },
    { id: entry.id, content: "by a key that is gone", seen: "by a member" },
  );
  await add("Market", "elsewhere");
  const { versions, has_more } = await facts.listVersions.execute(member, { category: "ICP" });
  expect(versions).toMatchObject([
    { content: "by a key that is gone", author: null, client: "claude-code", source: "api" },
    {
      content: "by a member",
      author: "Ada Lovelace",
      client: null,
      source: "manual",
      superseded_at: expect.any(String),
    },
  ]);
  expect(has_more).toBe(false);
  expect(await facts.listVersions.execute(member, { category: "ICP", limit: 1 })).toMatchObject({ has_more: true });
});

test("the agents' view holds the current facts, and its counts are those of the text", async () => {
  const { member, add } = await setUp();
  await add("Notes", "Never mention the Series B.");
  const entry = await add("ICP", "Old text");
  await facts.editEntry.execute(member, { id: entry.id, content: "New text", seen: "Old text" });
  const view = await facts.getAgentView.execute(member, {});
  expect(view.text).toContain("ICP\n- New text\n");
  expect(view.text).not.toContain("Old text");
  expect(view.facts).toBe(2);
  expect(view.tokens).toBe(countTokens(view.text));
});

test("confirming makes an inferred, old entry asserted and fresh", async () => {
  const { member, current } = await setUp();
  const observed_at = new Date(Date.now() - 120 * 86_400_000).toISOString();
  const observation = { kind: "state", property: `note.${newId()}`, value: "text", method: "inferred", observed_at };
  await recordObservations.execute(member, { focus: "workspace", observations: [observation] });
  expect(await current()).toMatchObject([{ epistemic_class: "inferred", freshness: "suspect" }]);
  await facts.confirmEntry.execute(member, { id: (await current())[0]?.id });
  expect(await current()).toMatchObject([{ content: "text", epistemic_class: "asserted", freshness: "fresh" }]);
});

test("the tab's entries keep their order through edits, replacements and confirmations, and name their writer", async () => {
  const { workspace, member, add } = await setUp();
  const a = await add("Notes", "a");
  await add("Notes", "b");
  const c = await add("ICP", "c");
  const list = async () => (await facts.listEntries.execute(member, {})).entries;
  expect((await list()).map(({ content }) => content)).toEqual(["c", "b", "a"]);

  let edited = a;
  for (const content of ["a1", "a2", "a3"]) {
    const seen = edited.content;
    edited = (await facts.editEntry.execute(member, { id: edited.id, content, seen })).fact;
  }
  await facts.confirmEntry.execute(member, { id: edited.id });
  const agent = { ...workspace.caller, client: "claude-code" };
  await facts.saveFact.execute(agent, { section: "ICP", content: "c1" });
  await add("Market", "d");
  expect(await list()).toMatchObject([
    { content: "d", author: "Ada Lovelace", client: null },
    { content: "c1", author: null, client: "claude-code", supersedes: c.id },
    { content: "b" },
    { content: "a3", id: edited.id, author: "Ada Lovelace", source: "manual" },
  ]);
  await facts.retireEntry.execute(member, { id: edited.id });
  expect((await list()).map(({ content }) => content)).toEqual(["d", "c1", "b"]);
  expect((await facts.listFacts.execute(member, {})).facts[0]).not.toHaveProperty("author");
});
