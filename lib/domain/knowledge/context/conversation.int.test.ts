import { describe, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { upsertPerson } from "#lib/domain/crm/people/service.ts";
import { createStage } from "#lib/testing/conformance/stage.ts";
import { inspect } from "#lib/testing/database.ts";
import { addMailbox, mailOf } from "#lib/testing/mail.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import type { Context } from "./contract.ts";
import { getContext, getContextText } from "./service.ts";

const server = useServer();

const ANNA = "anna@acme.example";
const MARK = "SECRET-9914";

/** Ada has two mails with Anna, whose last one asks something. */
async function setUp(share: "nothing" | "metadata" | "subject" | "everything" = "nothing") {
  const stage = await createStage();
  const [ada, bo] = [await stage.person("owner"), await stage.person("member")];
  const key = await stage.key(["admin"]);
  const { viewer: _, ...everybody } = stage.caller;
  const as = ({ userId }: { userId: string }): Caller => ({
    ...everybody,
    actor: { type: "user", id: userId },
    viewer: userId,
  });
  await upsertPerson.execute(everybody, { email: ANNA });
  const mailbox = await addMailbox({ workspaceId: stage.id, ...ada }, { share });
  const receive = (id: string, headers: Record<string, string>, body: string) =>
    mailbox.receive(
      [
        mailOf(
          {
            Subject: `Pilot ${MARK}`,
            Date: "Mon, 1 Jun 2026 09:00:00 +0000",
            "Message-ID": `<${id}@acme.example>`,
            ...headers,
          },
          body,
        ),
      ],
      headers.To === ada.email ? "INBOX" : "Sent",
    );
  await receive("a", { From: ada.email, To: ANNA }, "Shall we begin?");
  await receive(
    "b",
    {
      From: `Anna Smith <${ANNA}>`,
      To: ada.email,
      "In-Reply-To": "<a@acme.example>",
      Date: "Tue, 2 Jun 2026 09:00:00 +0000",
    },
    `Tuesday works. Who signs ${MARK}?`,
  );
  const context = async (caller: Caller, more: object = {}) =>
    (await getContext.execute(caller, { focus: ANNA, ...more })) as Context;
  return { stage, ada, bo, key, everybody, as, receive, context };
}

describe("the conversation of a context", () => {
  test("is the last one, with who wrote last, what they ask and how long ago it was", async () => {
    const { ada, as, context, receive } = await setUp();
    const { conversation } = await context(as(ada), { intent: "draft_email" });
    expect(conversation).toMatchObject({
      ...{ type: "email_received", from: "Anna Smith", subject: `Pilot ${MARK}`, waits_for: "us" },
      ...{ asked: [`Who signs ${MARK}?`], snippet: `Tuesday works. Who signs ${MARK}?` },
    });
    expect(conversation?.age_days).toBeGreaterThan(0);
    await receive(
      "c",
      { From: ada.email, To: ANNA, "In-Reply-To": "<b@acme.example>", Date: "Wed, 3 Jun 2026 09:00:00 +0000" },
      "Ben does.",
    );
    expect((await context(as(ada))).conversation).toMatchObject({
      ...{ type: "email_sent", from: ada.email, to: ANNA, snippet: "Ben does.", waits_for: "them" },
      asked: [`Who signs ${MARK}?`],
    });
  });

  test("is that of a company's people, and not one of the workspace itself", async () => {
    const { ada, as, context } = await setUp();
    expect((await context(as(ada), { focus: "acme.example" })).conversation).toMatchObject({ from: "Anna Smith" });
    expect((await context(as(ada), { focus: "workspace" })).conversation).toBeUndefined();
  });

  test("is in the text that an agent reads", async () => {
    const { ada, as } = await setUp();
    const answer = await getContextText.execute(as(ada), { focus: ANNA, intent: "follow_up" });
    if (!("sections" in answer)) throw new Error("several");
    expect(answer.text).toContain(`they asked: Who signs ${MARK}?`);
    expect(answer.sections).toContainEqual({ title: "Conversation", tokens: expect.toSatisfy((cost) => cost > 20) });
  });

  test("is not told of an earlier moment, nor to a caller from whom fields are hidden", async () => {
    const { ada, as, context } = await setUp();
    expect((await context(as(ada), { as_of: "2026-11-01" })).conversation).toBeUndefined();
    const limits = { kinds: [], hiddenFields: ["phone"] };
    expect((await context({ ...as(ada), limits })).conversation).toBeUndefined();
  });

  test.for([
    ["nothing", false, false],
    ["metadata", true, false],
    ["subject", true, false],
    ["everything", true, true],
  ] as const)("that shares %s is told to others by that alone", async ([share, isKnown, isOpen]) => {
    const { bo, as, everybody, context } = await setUp(share);
    for (const caller of [as(bo), everybody]) {
      const answer = await context(caller);
      expect(answer.conversation !== undefined).toBe(isKnown);
      expect(answer.conversation?.subject).toBe(share === "subject" || isOpen ? `Pilot ${MARK}` : undefined);
      expect(answer.conversation?.asked).toEqual(isOpen ? [`Who signs ${MARK}?`] : undefined);
      if (!isKnown) expect(JSON.stringify(answer)).not.toMatch(/email|SECRET/);
    }
  });
});

describe("an answer kept for an Idempotency-Key", () => {
  const ask = async (stage: { id: string }, headers: Record<string, string>, path = "/v2/context") => {
    const own = headers.cookie !== undefined;
    const response = await fetch(`${server.url()}${own ? `/api/app/${stage.id}` : ""}${path}`, {
      method: "POST",
      headers: {
        ...{ "content-type": "application/json", "idempotency-key": "the-same", "sec-fetch-site": "same-origin" },
        ...(own ? { origin: server.url() } : {}),
        ...headers,
      },
      body: JSON.stringify({ focus: ANNA }),
    });
    return {
      status: response.status,
      replayed: response.headers.get("idempotency-replayed"),
      text: await response.text(),
    };
  };

  test("is given again to who asked, and to nobody who sees less", async () => {
    const { stage, ada, bo, key } = await setUp();
    const first = await ask(stage, { cookie: ada.cookie });
    expect(first.text).toContain(MARK);
    expect(await ask(stage, { cookie: ada.cookie })).toEqual({ ...first, replayed: "true" });
    const others: Record<string, string>[] = [{ cookie: bo.cookie }, { authorization: `Bearer ${key}` }];
    for (const headers of others) {
      const answer = await ask(stage, headers);
      expect(answer.status).toBe(409);
      expect(answer.text).not.toContain(MARK);
    }
  });

  test("is sealed where it may hold what is private", async () => {
    const { stage, ada } = await setUp();
    await ask(stage, { cookie: ada.cookie });
    const [row] = await inspect<{ all: string }>("SELECT i::text AS all FROM idempotency i WHERE workspace_id = $1", [
      stage.id,
    ]);
    expect(row?.all).toContain("the-same");
    expect(row?.all).not.toContain(MARK);
  });
});
