/** A mailbox with much mail: what one request does with all of it. */
import { expect, test } from "vitest";
import { withWorkspace } from "#lib/db/transaction.ts";
import { disconnectMailbox, updateMailbox } from "#lib/domain/integrations/mailboxes/service.ts";
import { countRelationships, settleNow } from "#lib/domain/knowledge/messages/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { addMailbox } from "#lib/testing/mail.fixture.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const MESSAGES = 30_000;
const PEOPLE = 1_000;

const idOf = (kind: number, number: string): string =>
  `('${kind}0000000-0000-7000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

test("sharing nothing of 30,000 messages, and removing them, hides all at once", async () => {
  const workspace = await createTestWorkspace();
  const { id } = workspace;
  const ada = { ...(await addTestMember(workspace, "Ada", "owner")), workspaceId: id };
  const mailbox = await addMailbox(ada);
  const fill = (text: string, ...values: unknown[]) => inspect(text, [id, ...values]);
  await fill(
    `INSERT INTO entities (workspace_id, id, type) SELECT $1::uuid, ${idOf(1, "i")}, 'person' FROM generate_series(1, ${PEOPLE}) AS i`,
  );
  await fill(
    `INSERT INTO messages (workspace_id, id, digest, key, thread, sent_at, sender, recipients, shared)
     SELECT $1::uuid, ${idOf(2, "i")}, i::text, i::text, ${idOf(3, "i / 4")}, now() - i * interval '1 minute', 'anna@acme.example', '{ada@example.com}', 'metadata'
     FROM generate_series(1, ${MESSAGES}) AS i`,
  );
  await fill(
    `INSERT INTO message_holders (workspace_id, message_id, mailbox_id, user_id, share, wrote)
     SELECT $1::uuid, ${idOf(2, "i")}, $2::uuid, $3::uuid, 'metadata', false FROM generate_series(1, ${MESSAGES}) AS i`,
    ...[mailbox.id, ada.userId],
  );
  await fill(
    `INSERT INTO message_contacts (workspace_id, message_id, entity_id, type, sent_at)
     SELECT $1::uuid, ${idOf(2, "i")}, ${idOf(1, `1 + i % ${PEOPLE}`)}, 'email_received', now() FROM generate_series(1, ${MESSAGES}) AS i`,
  );
  const people = await inspect<{ id: string }>("SELECT id FROM entities WHERE workspace_id = $1 AND type = 'person'", [
    id,
  ]);
  await withWorkspace(id, (db) =>
    countRelationships(
      db,
      people.map((person) => person.id),
    ),
  );
  const shown = async () =>
    (
      await inspect<{ messages: number; relationships: number }>(
        `SELECT (SELECT count(*)::int FROM messages WHERE workspace_id = $1 AND shared <> 'nothing') AS messages,
           (SELECT count(*)::int FROM relationships WHERE workspace_id = $1 AND open) AS relationships`,
        [id],
      )
    )[0];
  expect(await shown()).toEqual({ messages: MESSAGES, relationships: PEOPLE });
  await updateMailbox.execute(ada.caller, { id: mailbox.id, share: "nothing" });
  expect(await shown()).toEqual({ messages: 0, relationships: 0 });
  const { mailbox: removed } = await disconnectMailbox.execute(ada.caller, { id: mailbox.id, messages: "remove" });
  expect(removed).toMatchObject({ state: "removing", kept: MESSAGES });
  await settleNow(ada.caller);
  const left = await inspect("SELECT 1 FROM messages WHERE workspace_id = $1", [id]);
  expect(left.length).toBeLessThan(MESSAGES);
});
