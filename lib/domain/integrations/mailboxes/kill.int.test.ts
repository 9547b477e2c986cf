/** The first sync of a mailbox while the app and its database are killed. Only for `npm run torture`: it takes minutes. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { letters } from "#lib/testing/correspondence.fixture.ts";
import { useDovecot } from "#lib/testing/dovecot.fixture.ts";
import {
  createInstallation,
  type Installation,
  KILLS,
  moments,
  PATIENCE_MS,
} from "#lib/testing/installation.fixture.ts";
import { dovecot, leftOut } from "#lib/testing/outside-servers.ts";

const US = "ada@rapport.example";
const user = { user: US, password: "ada's password" };
const MESSAGES = Number(process.env.TORTURE_MESSAGES ?? 20_000);

type Report = { folders: { path: string; read: number; missing: number | null; at_server: number | null }[] };

describe.skipIf(leftOut(dovecot) || process.env.TORTURE_KILLS === undefined)("a first sync", () => {
  const server = useDovecot(user);
  let installation: Installation;
  beforeAll(async () => {
    installation = await createInstallation({
      PRIVATE_MAIL_SERVERS: "127.0.0.1",
      NODE_EXTRA_CA_CERTS: "lib/testing/samples/tls/loopback.cert.pem",
      RATE_LIMIT_PER_MINUTE: "0",
    });
    await installation.start();
    const { sent, received } = letters(MESSAGES, US);
    await server.fill(US, sent, "Sent");
    await server.fill(US, received);
  }, 300_000);
  afterAll(() => installation.remove());

  test(`of ${MESSAGES} messages, killed ${KILLS} times, brings each exactly once`, {
    timeout: PATIENCE_MS + 600_000,
  }, async () => {
    const { id, key } = await installation.createWorkspace();
    await installation.ownersLogin(id);
    /** Asks until it is answered: the app is away now and then. */
    const ask = async <T>(path: string, body?: unknown): Promise<T> => {
      for (;;) {
        const answer = await fetch(`${installation.url()}/v2/me/mailboxes${path}`, {
          method: body === undefined ? "GET" : "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }).catch(() => null);
        if (answer?.ok) return (await answer.json()) as T;
        if (answer && answer.status < 500) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
        await sleep(50);
      }
    };
    const { mailbox } = await ask<{ mailbox: { id: string } }>("", {
      ...{ address: US, password: user.password, server: server.address, days: 3_650 },
    });
    const report = () => ask<Report>(`/${mailbox.id}/report`);
    const readSoFar = async () => (await report()).folders.reduce((sum, { read }) => sum + read, 0);
    const began = performance.now();
    await installation.killAt(moments(), async () => (await readSoFar()) / MESSAGES);
    const state = async () =>
      (await ask<{ mailboxes: { state: string; message: string | null }[] }>("")).mailboxes[0]?.state;
    // A mailbox that a kill left waiting is read when it is due, or when its member asks.
    while ((await state()) !== "current" || (await readSoFar()) < MESSAGES) {
      await ask(`/${mailbox.id}/sync`, {});
      await sleep(500);
    }
    console.log(`${MESSAGES} messages with ${KILLS} kills in ${Math.round((performance.now() - began) / 1_000)} s`);
    const { folders } = await report();
    const [sent, received] = [Math.ceil(MESSAGES / 4), MESSAGES - Math.ceil(MESSAGES / 4)];
    expect(folders).toMatchObject([
      { path: "INBOX", at_server: received, read: received, missing: 0 },
      { path: "Sent", at_server: sent, read: sent, missing: 0 },
    ]);
    const [rows] = await installation.inspect(
      `SELECT (SELECT count(*)::int FROM messages WHERE workspace_id = $1) AS messages,
         (SELECT count(DISTINCT key)::int FROM messages WHERE workspace_id = $1) AS keys,
         (SELECT count(*)::int FROM message_holders WHERE workspace_id = $1) AS holders,
         (SELECT count(*)::int FROM mail_items WHERE workspace_id = $1 AND outcome = 'kept') AS kept,
         (SELECT count(DISTINCT activity)::int FROM message_contacts WHERE workspace_id = $1) AS told,
         (SELECT count(*)::int FROM observations WHERE workspace_id = $1 AND kind = 'event' AND source = 'email') AS activities`,
      [id],
    );
    const each = MESSAGES;
    expect(rows).toEqual({ messages: each, keys: each, holders: each, kept: each, told: each, activities: each });
  });
});
