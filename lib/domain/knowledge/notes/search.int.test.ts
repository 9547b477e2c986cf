import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { withErasure, withWorkspace } from "#lib/db/transaction.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { irregular, thesaurus } from "./rules/thesaurus.ts";
import { mergePending } from "./service/indexing.ts";
import { findLexemes } from "./service/lexemes.ts";
import { eraseNotes, rebuildNotesIndex } from "./service.ts";

const { call } = useServer();

type Document = {
  id: string;
  entity_id: string;
  type: string;
  title: string | null;
  date: string;
  similarity: number;
  snippet: string;
  match: string;
};

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const save = async (focus: string, content: string, more: object = {}) => {
    const answer = await call("/v2/notes", { key, body: { focus, content, ...more } });
    expect(answer.status).toBe(201);
    return answer.body as { note: { id: string }; entity_id: string };
  };
  const search = (question: string, more: object = {}) =>
    call("/v2/notes/search", { key, body: { question, ...more } });
  const find = async (question: string, more: object = {}): Promise<Document[]> => {
    const answer = await search(question, more);
    expect(answer).toMatchObject({ status: 200, body: { mode: "lexical" } });
    const documents = answer.body.documents as Document[];
    expect(answer.body.count).toBe(documents.length);
    for (const [index, document] of documents.entries()) {
      expect(document.similarity).toBeLessThanOrEqual(documents[index - 1]?.similarity ?? 1);
      expect(document.snippet.length).toBeLessThanOrEqual(400);
    }
    return documents;
  };
  /** Moves everything that waits into the postings, as a busy workspace does by itself. */
  const merge = () => withWorkspace(workspace.id, (db) => mergePending(db, 10_000));
  const observe = (focus: string, properties: Record<string, string>) =>
    call("/v2/observations", {
      key,
      body: {
        focus,
        observations: Object.entries(properties).map(([property, value]) => ({ kind: "state", property, value })),
      },
    });
  return { workspace, key, save, search, find, merge, observe };
}

const ids = (documents: readonly Document[]) => documents.map(({ id }) => id);

describe("searching notes", () => {
  test("finds a note in the request after its save, and shows the matching passage", async () => {
    const { save, find } = await setUp();
    await save("ben@other.com", "Talked about hiring plans and the new office.");
    const saved = await save(
      "anna@acme.com",
      "Small talk first. Then the topic: their procurement insists on a penetration test before signing. More small talk.",
      { title: "Call", type: "meeting_notes", date: "2026-06-03" },
    );
    const [first] = await find("penetration tests for procurement");
    expect(first).toMatchObject({
      id: saved.note.id,
      entity_id: saved.entity_id,
      type: "meeting_notes",
      title: "Call",
      date: "2026-06-03",
      match: "lexical",
    });
    expect(first?.snippet).toContain("penetration test before signing");
  });

  test.each([
    ["inflected", "integrations pricing", "They asked what integrating with SAP is priced at."],
    ["without accents", "Muller resume", "Herr Müller sent his résumé."],
    ["with accents", "café créme", "We met at the cafe, creme was good."],
    ["a typing error", "procuremnt", "Procurement blocks the deal."],
    ["two letters swapped", "secuirty", "The security review is in July."],
    ["a longer word", "auth", "Authentication by passkey only."],
    ["a shorter word", "administrators", "The admin wants to see it."],
    ["a hyphen", "followup", "Do the follow-up on Monday."],
    ["a number", "45k", "The budget is 45,000 dollars."],
    ["letters with digits", "SOC2", "They need SOC 2 by summer."],
    ["an address", "anna.smith@acme.com", "Write to anna.smith@acme.com please."],
    ["Japanese", "予算", "来年の予算は未定です。"],
    ["Hebrew", "תקציב", "אין תקציב השנה"],
  ])("understands %s: %s", async (_, question, content) => {
    const { save, find, merge } = await setUp();
    const saved = await save("x@target.com", content);
    for (const filler of ["The weather was fine.", "Lunch with the team, nothing decided.", "Sent the deck."])
      await save("y@filler.com", filler);
    expect((await find(question))[0]?.id).toBe(saved.note.id);
    await merge();
    expect((await find(question))[0]?.id).toBe(saved.note.id);
  });

  test("corrects only words that are in no note", async () => {
    const { save, find } = await setUp();
    const forms = await save("a@acme.com", "They still use paper forms.");
    await save("b@acme.com", "The farms in Kenya. The farms again. Farms.");
    await save("c@acme.com", "More farms.");
    expect(ids(await find("forms"))).toEqual([forms.note.id]);
  });

  test("words that mean the same and irregular forms find a note too, after those with the word itself", async () => {
    const { save, find, merge } = await setUp();
    const other = (await save("a@acme.com", "Their attorney sent three remarks.")).note.id;
    const exact = (await save("b@acme.com", "The lawyer is on leave until Monday.")).note.id;
    await save("c@acme.com", "Nothing of this kind happened.");
    const asked = async () => (await find("which lawyers")).map((document) => document.id);
    expect(await asked()).toEqual([exact, other]);
    expect((await find("who did they send it to")).map((document) => document.id)).toEqual([other]);
    await merge(); // the same from the postings as from what waits
    expect(await asked()).toEqual([exact, other]);
    expect((await find("attorney"))[0]?.id).toBe(other);
  });

  test("a word of the thesaurus is right as it is, even when it is in no note and near one that is", async () => {
    const { save, find } = await setUp();
    await save("a@acme.com", "The cancer charity is a customer.");
    const right = (await save("b@acme.com", "They may terminate in June.")).note.id;
    expect((await find("cancel")).map((document) => document.id)).toEqual([right]);
  });

  test("no stem of the thesaurus is in two groups or a stop word", async () => {
    const { id } = await createTestWorkspace();
    const lexemes = await withWorkspace(id, (db) => findLexemes(db, new Set([...thesaurus, ...irregular].flat())));
    for (const groups of [thesaurus, irregular]) {
      const stems = groups.map((group) => new Set(group.map((form) => lexemes.get(form)?.term ?? `${form}?`)));
      const all = stems.flatMap((group) => [...group]);
      expect(all.filter((stem, index) => stem.endsWith("?") || all.indexOf(stem) !== index)).toEqual([]);
    }
  });

  test("the names of the person and the company find their notes, also after a later renaming and a merge of records", async () => {
    const { save, find, observe, merge, key } = await setUp();
    await observe("anna@acme.com", { first_name: "Anna", last_name: "Lindqvist" });
    await observe("acme.com", { name: "Acme Industries" });
    const onAnna = await save("anna@acme.com", "Wants a discount.");
    const onCompany = await save("acme.com", "Wants a discount too.");
    await save("ben@other.com", "Wants a discount as well.");
    expect((await find("discount for Lindqvist"))[0]?.id).toBe(onAnna.note.id);
    expect((await find("discount Industries"))[0]?.id).toBe(onCompany.note.id);
    await merge();
    expect((await find("discount for Lindqist"))[0]?.id).toBe(onAnna.note.id);
    await observe("anna@acme.com", { last_name: "Bergström" });
    expect((await find("bergstrom discount"))[0]?.id).toBe(onAnna.note.id);
    expect(await find("Lindqvist")).toEqual([]);
    const kept = await observe("anna.b@acme.com", { first_name: "Annika" });
    const merged = await call("/v2/accounts/merge", {
      key,
      body: { keep: kept.body.entity_id, drop: onAnna.entity_id },
    });
    expect(merged.status).toBe(200);
    expect((await find("Annika discount"))[0]).toMatchObject({ id: onAnna.note.id, entity_id: kept.body.entity_id });
    expect(ids(await find("discount", { focus: "anna.b@acme.com" }))).toEqual([onAnna.note.id]);
  });

  test("a date in the question prefers the notes of those days", async () => {
    const { save, find, merge } = await setUp();
    const content = "Pricing was discussed at length.";
    const march = await save("a@acme.com", content, { date: "2025-03-12" });
    const april = await save("a@acme.com", content, { date: "2025-04-12" });
    const yesterday = await save("a@acme.com", content, {
      date: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    });
    for (const _ of ["waiting", "merged"]) {
      expect((await find("pricing in March 2025"))[0]?.id).toBe(march.note.id);
      expect((await find("what about pricing on 12 April 2025"))[0]?.id).toBe(april.note.id);
      expect((await find("pricing yesterday"))[0]?.id).toBe(yesterday.note.id);
      await merge();
    }
  });

  test("focus and type are applied before the limit; an unknown focus is 404 and never widened", async () => {
    const { save, find, search, merge } = await setUp();
    for (let index = 0; index < 30; index++) await save("loud@other.com", "budget budget budget");
    const quiet = await save(
      "anna@acme.com",
      "Somewhere in this long note a budget is mentioned once, among many other words.",
      { type: "research" },
    );
    for (const _ of ["waiting", "merged"]) {
      expect(ids(await find("budget", { focus: "anna@acme.com", limit: 1 }))).toEqual([quiet.note.id]);
      expect(ids(await find("budget", { type: "research", limit: 1 }))).toEqual([quiet.note.id]);
      expect(await find("budget", { type: "research", focus: "loud@other.com" })).toEqual([]);
      expect(await find("budget")).toHaveLength(8);
      expect(await find("budget", { limit: 1000 })).toHaveLength(20);
      await merge();
    }
    expect(await search("budget", { focus: "nobody@acme.com" })).toMatchObject({
      status: 404,
      body: { error: "entity_not_found" },
    });
    expect(await search("budget", { focus: newId() })).toMatchObject({
      status: 404,
      body: { error: "entity_not_found" },
    });
    expect(await search("budget", { focus: "Anna" })).toMatchObject({ status: 400, body: { error: "invalid_focus" } });
    expect(await search("budget", { focus: "workspace" })).toMatchObject({
      status: 400,
      body: { error: "invalid_focus" },
    });
    expect(await search("budget", { type: "memo" })).toMatchObject({ status: 400, body: { error: "invalid_type" } });
  });

  test.each([[{}], [{ question: "" }], [{ question: " \n" }]])("%j is 400 question_required", async (body) => {
    const { key } = await setUp();
    expect(await call("/v2/notes/search", { key, body })).toMatchObject({
      status: 400,
      body: { error: "question_required" },
    });
  });

  test("two workspaces with the same words never see each other's notes", async () => {
    const [mine, other] = [await setUp(), await setUp()];
    const saved = await mine.save("anna@acme.com", "The secret handshake is purple.");
    expect(await other.find("secret handshake")).toEqual([]);
    const theirs = await other.save("anna@acme.com", "The secret handshake is green.");
    for (const _ of ["waiting", "merged"]) {
      expect(ids(await mine.find("secret handshake"))).toEqual([saved.note.id]);
      expect(ids(await other.find("secret handshake"))).toEqual([theirs.note.id]);
      await mine.merge();
    }
  });

  test.each([
    ["quotes", `"penetration" 'test' \`x\``],
    ["SQL", "'; DROP TABLE notes; --"],
    ["LIKE operators", "%_\\ 100%"],
    ["tsquery operators", "a & !b | (c <-> d) :* <2>"],
    ["only stop words", "what is it that you were"],
    ["only punctuation", "?!… -- ,."],
    ["emoji", "🚀👩‍💻 🏽"],
    ["ten thousand words", Array.from({ length: 10_000 }, (_, index) => `word${index}`).join(" ")],
    ["a very long word", "x".repeat(100_000)],
    ["right to left", "\u202eשלום\u202c"],
    ["a date only", "last week"],
  ])("answers odd input: %s", async (_, question) => {
    const { save, find } = await setUp();
    await save("a@acme.com", "A penetration test in Q3, 100% sure.");
    expect((await find(question)).length).toBeLessThanOrEqual(1);
  });

  test("a long question is searched by its rarest words", async () => {
    const { save, find } = await setUp();
    const saved = await save("a@acme.com", "The flux capacitor was mentioned.");
    const noise = Array.from({ length: 10_000 }, (_, index) => `word${index}`).join(" ");
    expect(ids(await find(`${noise} capacitor`))).toEqual([saved.note.id]);
  });
});

describe("very long notes", () => {
  test("two million characters come back byte for byte, and are found by their first, middle and last words", async () => {
    const { save, find, key } = await setUp();
    const filler = Array.from({ length: 120_000 }, (_, index) => `talk${index % 997} 🚀 was שיחה \r\n`);
    const at = (index: number, word: string) => filler.splice(index, 1, `${word} `);
    at(10, "zebrafirst");
    at(60_000, "zebramiddle");
    let content = filler.join("");
    content = `${content.slice(0, 1_999_900)} zebralast tail  \t\n`;
    const saved = await save("anna@acme.com", content);
    for (const word of ["zebrafirst", "zebramiddle", "zebralast"]) {
      const [first] = await find(word);
      expect(first?.id).toBe(saved.note.id);
      expect(first?.snippet).toContain(word);
    }
    const read = await call(`/v2/notes/${saved.note.id}`, { key });
    expect((read.body.note as { content: string }).content === content).toBe(true);
  });
});

describe("concurrent saves", () => {
  test("fifty at once in one workspace all land, and each is found", async () => {
    const { save, find, workspace } = await setUp();
    const saved = await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        save(`p${index % 10}@acme.com`, `Shared words about budget and the unique marker${index}x.`),
      ),
    );
    for (const index of [0, 77, 149]) expect((await find(`marker${index}x`))[0]?.id).toBe(saved[index]?.note.id);
    const [row] = await inspect<{ waiting: number; numbered: number; parts: number }>(
      "SELECT count(*) FILTER (WHERE pending IS NOT NULL)::int AS waiting, count(number)::int AS numbered, (SELECT parts FROM note_totals WHERE workspace_id = $1) AS parts FROM note_parts WHERE workspace_id = $1",
      [workspace.id],
    );
    expect(row?.numbered).toBe(row?.parts);
    expect((row?.waiting ?? 0) + (row?.numbered ?? 0)).toBe(150);
    expect(row?.numbered).toBeGreaterThan(0);
  });
});

describe("the index", () => {
  test("built again from the notes it answers as before", async () => {
    const { save, find, workspace, merge, observe } = await setUp();
    await observe("p1@acme.com", { last_name: "Okonkwo" });
    for (let index = 0; index < 30; index++)
      await save(`p${index % 3}@acme.com`, `Note ${index} about pricing, security and renewal${index}.`, {
        title: `Title ${index}`,
        date: "2026-01-05",
      });
    await merge();
    const questions = ["pricing and security", "renewal7", "Okonkwo renewal", "title 12"];
    const before = await Promise.all(questions.map((question) => find(question)));
    await rebuildNotesIndex(workspace.id);
    expect(await Promise.all(questions.map((question) => find(question)))).toEqual(before);
  });

  test("erasure leaves no trace of a person's notes, words that only they had included", async () => {
    const { save, find, workspace, merge } = await setUp();
    const secret = await save("anna@acme.com", "Her diagnosis zebrawort was mentioned beside the budget.");
    for (let index = 0; index < 400; index++) await save("ben@acme.com", `Budget talk ${index}.`);
    await merge();
    await withErasure(workspace.id, (db) => eraseNotes(db, [secret.entity_id]));
    expect(await find("zebrawort")).toEqual([]);
    expect(await find("zebrawrt")).toEqual([]);
    expect(ids(await find("budget"))).not.toContain(secret.note.id);
    expect(
      await inspect(
        "SELECT 1 FROM note_terms WHERE workspace_id = $1 AND term LIKE 'zebra%' UNION ALL SELECT 1 FROM note_parts WHERE workspace_id = $1 AND entity_id = $2",
        [workspace.id, secret.entity_id],
      ),
    ).toEqual([]);
    const [kept] = await inspect<{ parts: number; total: number }>(
      "SELECT t.parts, s.parts AS total FROM note_terms t JOIN note_totals s USING (workspace_id) WHERE t.workspace_id = $1 AND t.term = 'budget'",
      [workspace.id],
    );
    expect(kept).toEqual({ parts: 400, total: 400 });
  });

  test("every note is found by each of its rare words, similarity never rises", async () => {
    const { save, find, merge } = await setUp();
    const word = fc
      .string({ unit: fc.constantFrom(..."bcdfghjklmnpqrstvwxzäöéß字한"), minLength: 4, maxLength: 12 })
      .map((text) => `${text}q`);
    const common = fc.constantFrom("budget", "call", "price", "and", "the", "team");
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(word, { minLength: 1, maxLength: 4, selector: (text) => text.toLowerCase() }),
        fc.array(common, { maxLength: 20 }),
        fc.boolean(),
        async (rare, filler, merged) => {
          const saved = await save("anna@acme.com", [...filler, ...rare].join(" "));
          if (merged) await merge();
          for (const text of rare) expect(ids(await find(text))).toContain(saved.note.id);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("any content comes back byte for byte", async () => {
    const { save, key } = await setUp();
    await fc.assert(
      fc.asyncProperty(
        fc
          .string({ unit: "binary", minLength: 1, maxLength: 200 })
          .filter((text) => text.trim() !== "" && !text.includes("\u0000")),
        async (content) => {
          const saved = await save("anna@acme.com", content);
          const read = await call(`/v2/notes/${saved.note.id}`, { key });
          expect((read.body.note as { content: string }).content).toBe(content);
        },
      ),
      { numRuns: 30 },
    );
  });
});
