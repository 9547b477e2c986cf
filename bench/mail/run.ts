/**
 * A mailbox read from Debian's Dovecot on this machine: the first sync, what other callers notice of it, how soon a new message is there,
 * what a look without news costs, and how long its removal takes. MESSAGES=50000 for as many as the goal says. MAILBOXES=200 measures the memory of so many instead.
 * In processes of their own, without pages.
 */
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { letter, letters } from "#lib/testing/correspondence.fixture.ts";
import { Dovecot } from "#lib/testing/dovecot.fixture.ts";
import { createInstallation, type Installation } from "#lib/testing/installation.fixture.ts";
import { say } from "../report.ts";
import { median } from "../rounds.ts";
import { cpuMs, type Mailbox, memoryMiB, openWorkspace, watchMemory } from "./app.ts";
import { measureMany } from "./many.ts";

const MESSAGES = Number(process.env.MESSAGES ?? 10_000);
const MAILBOXES = Number(process.env.MAILBOXES ?? 0);
const NEWS = 10;
const POLLS = 50;
const GOALS = {
  perSecond: 400,
  memoryMiB: 200,
  slower: 2,
  newsMs: 3_000,
  pollMs: 10,
  removedPerSecond: 1_000,
} as const;
const US = "ada@rapport.example";
const user = { user: US, password: "ada's password" };
const many = Array.from({ length: MAILBOXES }, (_, n) => ({ ...user, user: `m${n}@rapport.example` }));

const server = new Dovecot([user, ...many]);
const installation = await createInstallation({
  PRIVATE_MAIL_SERVERS: "127.0.0.1",
  NODE_EXTRA_CA_CERTS: "lib/testing/samples/tls/loopback.cert.pem",
  RATE_LIMIT_PER_MINUTE: "0",
});
const missed: string[] = [];
try {
  await server.start();
  await installation.start();
  missed.push(...(await (MAILBOXES > 0 ? measureMany(installation, server, many) : measure(installation))));
} finally {
  await server.stop();
  await installation.remove();
}
say(missed.length === 0 ? "every goal met" : `missed: ${missed.join(", ")}`);
process.exitCode = missed.length === 0 ? 0 : 1;

async function measure(installation: Installation): Promise<string[]> {
  const { pid } = installation;
  const { ask, mailboxes } = await openWorkspace(installation);
  const mailbox = async (): Promise<Mailbox> => {
    const [first] = await mailboxes();
    if (!first) throw new Error("no mailbox");
    return first;
  };
  /** How long a page of people takes, asked for until `end`. */
  const answerTimes = async (end: Promise<unknown>): Promise<number> => {
    let over = false;
    const ending = end.finally(() => {
      over = true;
    });
    const times: number[] = [];
    for (; !over; await sleep(20)) {
      const began = performance.now();
      await ask("/v2/people?limit=20");
      times.push(performance.now() - began);
    }
    await ending;
    return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
  };

  const { sent, received } = letters(MESSAGES, US);
  await server.fill(US, sent, "Sent");
  await server.fill(US, received);
  say(`\nMail: ${MESSAGES.toLocaleString("en")} messages; load of the machine: ${loadavg()[0]?.toFixed(1)}`);
  await ask("/v2/people", { email: "p0@customer0.example" });
  const idle = await answerTimes(sleep(5_000));
  const before = await memoryMiB(pid());
  const cpuBefore = await cpuMs(pid());
  const mainBefore = await cpuMs(pid(), { ofMain: true });
  const watched = watchMemory(pid());
  const began = Date.now();
  const { mailbox: made } = await ask<{ mailbox: Mailbox }>("/v2/me/mailboxes", {
    ...{ address: US, password: user.password, server: server.address, days: 3_650 },
  });
  let end: string | null = null;
  // Seldom: each look counts the messages, which is work of its own.
  const read = async () => {
    while (end === null) {
      await sleep(1_000);
      end = (await mailbox()).synced_at;
    }
  };
  const busy = await answerTimes(read());
  const seconds = (Date.parse(end ?? "") - began) / 1_000;
  const most = watched();
  const { kept } = await mailbox();
  if (kept !== MESSAGES) throw new Error(`${kept} of ${MESSAGES} were kept`);
  const rate = MESSAGES / seconds;
  const cpu = ((await cpuMs(pid())) - cpuBefore) / MESSAGES;
  const ofMain = ((await cpuMs(pid(), { ofMain: true })) - mainBefore) / MESSAGES;
  say(
    `  first sync ${rate.toFixed(0)} messages/s (goal ${GOALS.perSecond}), ${cpu.toFixed(2)} ms of the app's CPU a message, ${ofMain.toFixed(2)} of it where requests are answered`,
  );
  say(`  ${(most - before).toFixed(0)} MiB above idle at most (goal ${GOALS.memoryMiB})`);
  const slower = busy / idle;
  say(
    `  other requests: p95 ${idle.toFixed(1)} ms idle, ${busy.toFixed(1)} ms during it: ${slower.toFixed(1)} × (goal ${GOALS.slower})`,
  );

  type Report = { folders: { path: string; at_server: number | null; read: number; missing: number | null }[] };
  const { folders } = await ask<Report>(`/v2/me/mailboxes/${made.id}/report`);
  const different = folders.filter(({ at_server, read, missing }) => at_server !== read || missing !== 0);
  if (different.length > 0) throw new Error(`the report has a difference: ${JSON.stringify(different)}`);

  await sleep(3_000);
  const news: number[] = [];
  for (let place = 0; place < NEWS; place++) {
    const from = performance.now();
    await server.deliver(US, letter(MESSAGES + place, US, false));
    for (;;) {
      if ((await mailbox()).kept === MESSAGES + place + 1) break;
      await sleep(10);
    }
    news.push(performance.now() - from);
    await sleep(300);
  }
  const latest = Math.max(...news);
  say(
    `  a new message is there after ${median(news).toFixed(0)} ms, at most ${latest.toFixed(0)} (goal ${GOALS.newsMs})`,
  );

  // What this bench asks costs CPU too, and so does what always runs.
  const cpuOf = async (work: () => Promise<void>): Promise<{ cpu: number; ms: number }> => {
    const [from, since] = [await cpuMs(pid()), performance.now()];
    await work();
    return { cpu: (await cpuMs(pid())) - from, ms: performance.now() - since };
  };
  const resting = await cpuOf(() => sleep(10_000));
  const perMs = resting.cpu / resting.ms;
  const QUESTIONS = 300;
  const questions = await cpuOf(async () => {
    for (let n = 0; n < QUESTIONS; n++) await mailbox();
  });
  const perQuestion = (questions.cpu - questions.ms * perMs) / QUESTIONS;
  let asked = 0;
  const looks = await cpuOf(async () => {
    for (let n = 0; n < POLLS; n++) {
      const { synced_at } = await mailbox();
      await ask(`/v2/me/mailboxes/${made.id}/sync`, {});
      for (asked += 2; (await mailbox()).synced_at === synced_at; asked++) await sleep(50);
      asked++;
    }
  });
  const poll = (looks.cpu - looks.ms * perMs - asked * perQuestion) / POLLS;
  say(`  a look without news: ${poll.toFixed(1)} ms of the app's CPU (goal ${GOALS.pollMs})`);

  const asking = performance.now();
  await ask(`/v2/me/mailboxes/${made.id}/disconnect`, { messages: "remove" });
  const removing = performance.now();
  while ((await mailboxes()).length > 0) await sleep(200);
  const removed = (MESSAGES * 1_000) / (performance.now() - asking);
  say(
    `  its messages are removed ${removed.toFixed(0)} a second (goal ${GOALS.removedPerSecond}), the request alone takes ${(removing - asking).toFixed(0)} ms`,
  );
  return [
    ...(rate < GOALS.perSecond ? ["mail: messages a second"] : []),
    ...(most - before > GOALS.memoryMiB ? ["mail: memory"] : []),
    ...(slower > GOALS.slower ? ["mail: other requests"] : []),
    ...(latest > GOALS.newsMs ? ["mail: news"] : []),
    ...(poll > GOALS.pollMs ? ["mail: a look without news"] : []),
    ...(removed < GOALS.removedPerSecond ? ["mail: removing a mailbox"] : []),
  ];
}
