import { describe, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { sql } from "#lib/db/statement.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { upsertPerson } from "#lib/domain/crm/people/service.ts";
import { saveNote } from "#lib/domain/knowledge/notes/service.ts";
import { searchNotes } from "#lib/domain/knowledge/search/service.ts";
import { setMailCeiling, shareMailOf } from "#lib/domain/knowledge/sharing/service.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { getBoot, setBoot } from "#lib/settings/boot.ts";
import { inspect } from "#lib/testing/database.ts";
import { restOfJobs } from "#lib/testing/jobs.fixture.ts";
import { addMailbox, mailOf } from "#lib/testing/mail.fixture.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { maintenance } from "./jobs.ts";
import { settleNow, shareThread } from "./service.ts";

useServer(); // its worker reads the words of mail

const ANNA = "anna@acme.example";

async function setUp(settings: Parameters<typeof addMailbox>[1] = {}) {
  const workspace = await createTestWorkspace();
  const member = async (name: string) => ({
    ...(await addTestMember(workspace, name, "member", `${name.toLowerCase()}@${workspace.id}.example`)),
    workspaceId: workspace.id,
  });
  const [ada, grace] = [await member("Ada"), await member("Grace")];
  const { entity_id: anna } = (await upsertPerson.execute(ada.caller, { email: ANNA })).person as { entity_id: string };
  const mailbox = await addMailbox(ada, settings);
  const receive = async (id: string, subject: string, body: string, more: Record<string, string> = {}) => {
    const headers = {
      From: `Anna Smith <${ANNA}>`,
      To: ada.email,
      Subject: subject,
      "Message-ID": `<${id}@acme.example>`,
    };
    await mailbox.receive([mailOf({ ...headers, Date: "Wed, 3 Jun 2026 09:00:00 +0000", ...more }, body)]);
    await restOfJobs(workspace.id);
  };
  const search = async (caller: Caller, question: string, more: object = { types: ["email"] }) =>
    (await searchNotes.execute(caller, { question, ...more })) as Awaited<ReturnType<typeof searchNotes.execute>> & {
      documents: {
        id: string;
        title: string | null;
        snippet: string;
        thread_id?: string;
        similarity: number;
        entity_id: string;
      }[];
    };
  const titles = async (caller: Caller, question: string, more?: object) =>
    (await search(caller, question, more)).documents.map(({ title }) => title);
  return { workspace, ada, grace, anna, mailbox, receive, search, titles };
}

describe("mail", () => {
  test("is found by its words in other forms, with the passage that answers, its contact and its conversation", async () => {
    const { ada, anna, receive, search } = await setUp();
    await receive("a", "Pilot", `${"We met on Tuesday. ".repeat(60)}\n\nThe invoices must name our cost centre.\n`);
    await receive("b", "Lunch", "See you on Friday.");
    const { documents, mode, count } = await search(ada.caller, "invoiced cost centers");
    expect({ mode, count }).toEqual({ mode: "lexical", count: 1 });
    expect(documents).toMatchObject([
      { type: "email", title: "Pilot", entity_id: anna, date: "2026-06-03T09:00:00.000Z", match: "lexical" },
    ]);
    expect(documents[0]?.snippet).toContain("The invoices must name our cost centre");
    expect(documents[0]?.thread_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("is searched only where it is asked for, and then beside notes by how well each answers", async () => {
    const { ada, receive, titles } = await setUp();
    await receive("a", "Pilot", "The budget for the pilot is approved.");
    await saveNote.execute(ada.caller, {
      focus: ANNA,
      title: "Call",
      content: "She spoke of a budget, and of much else. ".repeat(9),
    });
    expect(await titles(ada.caller, "budget approved", {})).toEqual(["Call"]);
    expect(await titles(ada.caller, "budget approved", { types: ["note", "email"] })).toEqual(["Pilot", "Call"]);
    expect(await titles(ada.caller, "budget approved", { types: ["transcript", "email"] })).toEqual(["Pilot"]);
    expect(await titles(ada.caller, "budget approved", { type: "note", types: ["email"] })).toEqual(["Pilot"]);
  });

  test("is found by a focus on its contact and on their company, and not by another", async () => {
    const { ada, receive, titles } = await setUp();
    await receive("a", "Pilot", "The budget is approved.");
    await upsertPerson.execute(ada.caller, { email: "ben@else.example" });
    for (const [focus, found] of [
      [ANNA, ["Pilot"]],
      ["acme.example", ["Pilot"]],
      ["ben@else.example", []],
    ] as const)
      expect(await titles(ada.caller, "budget", { types: ["email"], focus }), focus).toEqual(found);
  });

  test.for([
    ["nothing", { subject: [], text: [] }],
    ["metadata", { subject: [], text: [] }],
    ["subject", { subject: ["Zebra pilot"], text: [] }],
    ["everything", { subject: ["Zebra pilot"], text: ["Zebra pilot"] }],
  ] as const)("that shares %s is found by others by that alone", async ([share, found]) => {
    const { workspace, ada, grace, receive, titles, search } = await setUp({ share });
    await receive("a", "Zebra pilot", "The giraffe budget is approved.");
    expect([await titles(ada.caller, "zebra"), await titles(ada.caller, "giraffe")]).toEqual([
      ["Zebra pilot"],
      ["Zebra pilot"],
    ]);
    const { viewer: _, ...key } = workspace.caller;
    for (const caller of [grace.caller, key]) {
      expect(await titles(caller, "zebra")).toEqual(found.subject);
      expect(await titles(caller, "giraffe")).toEqual(found.text);
      expect(await titles(caller, "zebra giraffe")).toEqual(found.subject);
    }
    const [document] = (await search(grace.caller, "zebra")).documents;
    if (share === "subject") expect(document?.snippet).toBe("");
  });

  test("that others may not see changes no score of what they see", async () => {
    const { grace, ada, receive, search } = await setUp({ share: "nothing" });
    const hers = await addMailbox(grace);
    await hers.receive([
      mailOf(
        { From: ANNA, To: grace.email, Subject: "Offer", "Message-ID": "<g@acme.example>" },
        "The budget of the offer.",
      ),
    ]);
    await restOfJobs(ada.workspaceId);
    const before = await search(grace.caller, "budget offer");
    for (let index = 0; index < 8; index++) await receive(`s${index}`, "Budget", "budget offer ".repeat(20));
    expect(await search(grace.caller, "budget offer")).toEqual(before);
    expect(before.count).toBe(1);
  });

  test("is found by others once it is shared, and no more at once when it is not", async () => {
    const { ada, grace, anna, receive, titles, search } = await setUp();
    await receive("a", "Pilot", "The giraffe budget.");
    const [found] = (await search(ada.caller, "giraffe")).documents;
    const id = String(found?.thread_id);
    expect(await titles(grace.caller, "giraffe")).toEqual([]);
    await shareThread.execute(ada.caller, { id, share: "everything" });
    await restOfJobs(ada.workspaceId);
    expect(await titles(grace.caller, "giraffe")).toEqual(["Pilot"]);
    await setMailCeiling.execute({ ...ada.caller, role: "owner" }, { share: "subject" });
    expect(await titles(grace.caller, "giraffe")).toEqual([]);
    expect(await titles(grace.caller, "pilot")).toEqual(["Pilot"]);
    await shareMailOf.execute(ada.caller, { entity_id: anna, share: "nothing" });
    expect(await titles(grace.caller, "pilot")).toEqual([]);
    await settleNow(ada.caller);
    await restOfJobs(ada.workspaceId);
    expect(await titles(ada.caller, "giraffe")).toEqual(["Pilot"]);
  });
});

describe("the index of mail", () => {
  const rows = (workspaceId: string) =>
    inspect<{ words: string[]; key: string | null; all: string }>(
      "SELECT words::text[], key, w::text AS all FROM message_words w WHERE workspace_id = $1",
      [workspaceId],
    );

  test("holds numbers that are others for each who may see a word", async () => {
    const one = await setUp({ share: "everything" });
    await one.receive("a", "Pilot", "giraffe");
    const [first] = await rows(one.workspace.id);
    // pilot, giraff, anna and smith: for Ada, and for everybody
    expect(new Set(first?.words).size).toBe(8);
    expect(first?.all).not.toMatch(/giraff|pilot/i);
    const other = await setUp({ share: "nothing" });
    await other.receive("a", "Pilot", "giraffe");
    const [second] = await rows(other.workspace.id);
    expect(second?.words.length).toBe(4);
    expect(second?.words.filter((word) => first?.words.includes(word))).toEqual([]);
  });

  test("goes with the messages when their person is erased", async () => {
    const { workspace, ada, receive, titles } = await setUp();
    await receive("a", "Pilot", "giraffe");
    await erasePerson.execute({ ...workspace.caller, viewer: ada.userId }, { focus: ANNA });
    expect(await rows(workspace.id)).toEqual([]);
    expect(await titles(ada.caller, "giraffe")).toEqual([]);
  });

  test("is made for messages that an earlier release stored, and again after the encryption key was changed", async () => {
    const { workspace, ada, receive, titles } = await setUp();
    await receive("a", "Pilot", "giraffe");
    await inspect("DELETE FROM message_words WHERE workspace_id = $1", [workspace.id]);
    const walk = async () => {
      for (const { step } of maintenance) await step(workspace.id);
      await restOfJobs(workspace.id);
    };
    await walk();
    expect(await titles(ada.caller, "giraffe")).toEqual(["Pilot"]);
    const boot = getBoot();
    const added = { id: "knew01", key: Buffer.alloc(32, newId()) };
    setBoot({ ...boot, secrets: { ...boot.secrets, encryptionKeys: [added, ...boot.secrets.encryptionKeys] } });
    try {
      expect(await titles(ada.caller, "giraffe"), "until they are read again").toEqual(["Pilot"]);
      await walk();
      expect(await rows(workspace.id)).toMatchObject([{ key: "knew01" }]);
      expect(await titles(ada.caller, "giraffe")).toEqual(["Pilot"]);
    } finally {
      setBoot(boot);
    }
  });

  test("is used: words are looked for in it, not message by message", async () => {
    const { workspace } = await setUp();
    await inspect(
      `WITH made AS (
         INSERT INTO messages (workspace_id, id, digest, key, thread, sent_at, sender, recipients, shared)
         SELECT $1, gen_random_uuid(), n::text, n::text, gen_random_uuid(), now(), 'a@b.example', '{}', 'nothing' FROM generate_series(1, 8000) AS n RETURNING id)
       INSERT INTO message_words (workspace_id, message_id, key, words)
       SELECT $1, id, 'k', ARRAY(SELECT (random() * 1e12)::bigint FROM generate_series(1, 10)) FROM made`,
      [workspace.id],
    );
    await inspect("ANALYZE message_words");
    expect(await inspect("SELECT proleakproof FROM pg_proc WHERE proname = 'arrayoverlap'")).toEqual([
      { proleakproof: true },
    ]);
    const plan = await withWorkspace(workspace.id, (db) =>
      db.query(
        sql(
          "",
          "EXPLAIN SELECT message_id FROM message_words WHERE workspace_id = $workspace AND words && $1::bigint[]",
        ),
        [["1", "2"]],
      ),
    );
    expect(JSON.stringify(plan)).toContain("message_words_words_idx");
  });
});
