import { setTimeout as sleep } from "node:timers/promises";
import { letter, letters } from "#lib/testing/correspondence.fixture.ts";
import type { Dovecot, MailUser } from "#lib/testing/dovecot.fixture.ts";
import type { Installation } from "#lib/testing/installation.fixture.ts";
import { say } from "../report.ts";
import { memoryMiB, openWorkspace, watchMemory } from "./app.ts";

/** Of each mailbox. */
const MESSAGES = 40;
const GOAL_MIB = 1_024;
const GOAL_NEWS_MS = 3_000;

/** What the app takes while many mailboxes are connected, first read and then watched. */
export async function measureMany(
  installation: Installation,
  server: Dovecot,
  users: readonly MailUser[],
): Promise<string[]> {
  const pid = installation.pid();
  const { ask, mailboxes } = await openWorkspace(installation);
  for (const { user } of users) {
    const { sent, received } = letters(MESSAGES, user);
    await server.fill(user, sent, "Sent");
    await server.fill(user, received);
  }
  const before = await memoryMiB(pid);
  const most = watchMemory(pid);
  const began = performance.now();
  for (const { user, password } of users)
    await ask("/v2/me/mailboxes", { ...{ address: user, password, server: server.address, days: 3_650 } });
  while (!(await mailboxes()).every(({ synced_at }) => synced_at !== null)) await sleep(500);
  const seconds = (performance.now() - began) / 1_000;
  await sleep(5_000);
  const after = await memoryMiB(pid);
  let newsMs = 0;
  // Not the last: Dovecot hears of new mail by inotify, of which Linux gives a user 128 instances, and looks every 30 s beyond that.
  const [first] = users;
  if (first) {
    const from = performance.now();
    const kept = (all: readonly { kept: number }[]) => all.reduce((sum, one) => sum + one.kept, 0);
    const known = kept(await mailboxes());
    await server.deliver(first.user, letter(MESSAGES, first.user, true), { folder: "INBOX" });
    while (kept(await mailboxes()) === known) await sleep(20);
    newsMs = performance.now() - from;
    say(`  new mail of the first one is there after ${newsMs.toFixed(0)} ms (goal ${GOAL_NEWS_MS})`);
  }
  const top = most();
  say(`  ${users.length} mailboxes were read in ${seconds.toFixed(0)} s, with the look at each when it was connected`);
  say(
    `  memory: ${before.toFixed(0)} MiB before, at most ${top.toFixed(0)} in all (goal ${GOAL_MIB}), ${after.toFixed(0)} when all are watched`,
  );
  return [
    ...(top > GOAL_MIB ? ["mail: memory of many mailboxes"] : []),
    ...(newsMs > GOAL_NEWS_MS ? ["mail: news of many mailboxes"] : []),
  ];
}
