/** Who opened mail and meetings that a colleague shares, as the audit log has it. */
import { describe, expect, test } from "vitest";
import { backgroundDone } from "#lib/auth/background.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { upsertPerson } from "#lib/domain/crm/people/service.ts";
import { getContext } from "#lib/domain/knowledge/context/service.ts";
import { getMeeting, listMeetings } from "#lib/domain/knowledge/meetings/service.ts";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import { listAudit } from "#lib/domain/records/audit/service.ts";
import { addCalendar, calendarOf, eventOf, guestOf, inDays } from "#lib/testing/calendar.fixture.ts";
import { inspect } from "#lib/testing/database.ts";
import { addMailbox, mailOf } from "#lib/testing/mail.fixture.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { getThread, listThreads, previewThread } from "./service.ts";

const ANNA = "anna@acme.example";

/** Ada's mail and meeting with Anna, of which the others see so much; and who may read it. */
async function setUp(share: ShareLevel = "everything") {
  const workspace = await createTestWorkspace();
  const member = async (name: string) => ({ ...(await addTestMember(workspace, name)), workspaceId: workspace.id });
  const [ada, grace] = [await member("Ada"), await member("Grace")];
  await upsertPerson.execute(ada.caller, { email: ANNA });
  const mailbox = await addMailbox(ada, { share });
  const headers = {
    From: `Anna <${ANNA}>`,
    To: ada.email,
    Subject: "Pilot",
    "Message-ID": `<${newId()}@acme.example>`,
  };
  await mailbox.receive([mailOf(headers, "The budget is approved. When do we begin?")]);
  const calendar = await addCalendar(ada, { share });
  const uid = `${newId()}@acme.example`;
  await calendar.put(
    uid,
    calendarOf(eventOf(uid, inDays(3), `ORGANIZER:mailto:${ada.email}`, guestOf(ANNA), "SUMMARY:Kick-off")),
  );
  const { threads } = (await listThreads.execute(ada.caller, { focus: ANNA })) as { threads: { id: string }[] };
  const { meetings } = (await listMeetings.execute(ada.caller, { focus: ANNA })) as { meetings: { id: string }[] };
  const [thread, meeting] = [threads[0]?.id as string, meetings[0]?.id as string];
  const asked = (caller: Caller): Caller => ({ ...caller, requestId: newId(), client: "n8n/1.0", ip: "198.51.100.7" });
  const key: Caller = asked({ ...workspace.caller, role: null, actor: { type: "api_key", id: newId() } });
  const agent: Caller = asked({ ...key, actor: { type: "mcp", id: newId() }, viewer: grace.userId });
  const read = async () => {
    await backgroundDone();
    return (await listAudit.execute(workspace.caller, { action: ["mail.read", "meeting.read"] })).entries;
  };
  return { ada: asked(ada.caller), grace: asked(grace.caller), key, agent, thread, meeting, read };
}

describe("a conversation that a colleague shares", () => {
  test("is noted once for each who opens it: a member, a key, a connected client", async () => {
    const { grace, key, agent, thread, read } = await setUp();
    for (const caller of [grace, key, agent, grace, agent]) await getThread.execute(caller, { id: thread });
    const noted = ({ actor, requestId }: Caller) => ({
      ...{ action: "mail.read", subject: thread, detail: { shared: "everything" } },
      ...{ actor, request_id: requestId, client: "n8n/1.0", ip: "198.51.100.7" },
    });
    const entries = await read();
    expect(entries).toHaveLength(3);
    expect(entries).toEqual(
      expect.arrayContaining(
        [grace, key, agent].map((caller) =>
          expect.objectContaining({ ...noted(caller), actor: expect.objectContaining(caller.actor) }),
        ),
      ),
    );
  });

  test("is noted when a context has it, also of many at the same time", async () => {
    const { key, thread, read } = await setUp();
    await Promise.all(Array.from({ length: 20 }, () => getContext.execute(key, { focus: ANNA })));
    expect(await read()).toMatchObject([{ action: "mail.read", actor: key.actor, subject: thread }]);
  });

  test("is not noted of whose it is, in lists, or of how others see it", async () => {
    const { ada, grace, thread, read } = await setUp();
    await getThread.execute(ada, { id: thread });
    await previewThread.execute(ada, { id: thread });
    await getContext.execute(ada, { focus: ANNA });
    await listThreads.execute(grace, { focus: ANNA });
    expect(await read()).toEqual([]);
  });

  test("is not noted where only who and when is seen", async () => {
    const { grace, key, thread, meeting, read } = await setUp("metadata");
    await getThread.execute(grace, { id: thread });
    await getMeeting.execute(grace, { id: meeting });
    await getContext.execute(key, { focus: ANNA });
    expect(await read()).toEqual([]);
  });

  test("is noted with the next read when it could not be written", async () => {
    const { grace, thread, read } = await setUp();
    await inspect("ALTER TABLE audit_log ADD CONSTRAINT refused CHECK (action <> 'mail.read') NOT VALID");
    await getThread.execute(grace, { id: thread });
    await backgroundDone();
    await inspect("ALTER TABLE audit_log DROP CONSTRAINT refused");
    expect(await read()).toEqual([]);
    await getThread.execute(grace, { id: thread });
    expect(await read()).toMatchObject([{ action: "mail.read", subject: thread }]);
  });
});

test("a meeting of a colleague is noted when it is opened, and not of whose it is", async () => {
  const { ada, grace, meeting, read } = await setUp("subject");
  await getMeeting.execute(ada, { id: meeting });
  await getMeeting.execute(grace, { id: meeting });
  expect(await read()).toMatchObject([
    { action: "meeting.read", actor: grace.actor, subject: meeting, detail: { shared: "subject" } },
  ]);
});
