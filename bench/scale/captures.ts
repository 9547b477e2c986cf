import { setTimeout as sleep } from "node:timers/promises";
import type { Stage } from "#lib/testing/conformance/stage.ts";
import type { Failure } from "./operations.ts";

export type Sender = { url: string; key: string };
type Signal = { email: string; type: string; external_id: string };

const post = ({ url, key }: Sender, signal: Signal): Promise<Response> =>
  fetch(`${url}/api/v1/capture`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...signal, source: "scale" }),
  });

/** The external ids on someone's timeline, as they are stored. */
async function timelineOf({ url, key }: Sender, email: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ""; ; ) {
    const response = await fetch(`${url}/v2/accounts/${email}/timeline?limit=50${cursor}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    if (response.status === 404) return ids;
    const { events, next_cursor } = (await response.json()) as { events: { id: string }[]; next_cursor: string | null };
    ids.push(...events.map(({ id }) => id));
    if (next_cursor === null) return ids;
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
  }
}

/** 100 identical captures at once from two apps: they become one activity, and every caller gets its id. */
export async function sameAtOnce(senders: readonly Sender[], tenant: Stage): Promise<Failure[]> {
  const email = `same@${tenant.id.slice(-12)}.example`;
  const signal = { email, type: "meeting_scheduled", external_id: "same" };
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const response = await post(senders[index % senders.length] as Sender, signal);
      return {
        status: response.status,
        ...((await response.json()) as { activity_id?: string; deduplicated?: boolean }),
      };
    }),
  );
  const failures: Failure[] = [];
  const refused = answers.filter(({ status }) => status !== 200);
  if (refused.length > 0)
    failures.push({ what: "100 at once", why: `${refused.length} failed: ${JSON.stringify(refused[0])}` });
  const activityIds = new Set(answers.map(({ activity_id }) => activity_id));
  const first = answers.filter(({ deduplicated }) => deduplicated === false).length;
  if (activityIds.size !== 1 || first !== 1)
    failures.push({ what: "100 at once", why: `${activityIds.size} activities, ${first} said to be the first` });
  const stored = await timelineOf(senders[0] as Sender, email);
  if (stored.length !== 1) failures.push({ what: "100 at once", why: `${stored.length} on the timeline` });
  return failures;
}

/**
 * Captures about a few people from two apps while `strike` stops a machine and starts it again; each is sent until it
 * is answered. After that, each one is on its person's timeline exactly once.
 */
export async function throughStrikes(
  senders: readonly Sender[],
  strikes: readonly (() => Promise<void>)[],
  { captures = 1_000, people = 20, atOnce = 16 } = {},
): Promise<{ failures: Failure[]; unanswered: number; longest: number }> {
  const mark = Date.now().toString(36);
  const answered = new Map<number, string>();
  let next = 0;
  let unanswered = 0;
  let longest = 0;
  const emailOf = (person: number) => `p${person}@${mark}.example`;
  const send = async (index: number): Promise<void> => {
    const type = ["email_sent", "website_visit", "email_received", "meeting_held"][index % 4] as string;
    const signal = { email: emailOf(index % people), type, external_id: `x${index}` };
    const began = performance.now();
    for (let attempt = 0; ; attempt++) {
      const answer = await post(senders[(index + attempt) % senders.length] as Sender, signal).then(
        async (response) => (response.ok ? ((await response.json()) as { activity_id: string }) : null),
        () => null,
      );
      if (answer) {
        answered.set(index, answer.activity_id);
        longest = Math.max(longest, performance.now() - began);
        return;
      }
      unanswered++;
      await sleep(50);
    }
  };
  const sender = async () => {
    while (next < captures) await send(next++);
  };
  const sending = Promise.all(Array.from({ length: atOnce }, sender));
  for (const [index, strike] of strikes.entries()) {
    while (answered.size < (captures / (strikes.length + 1)) * (index + 1)) await sleep(10);
    await strike();
  }
  await sending;

  const failures: Failure[] = [];
  for (let person = 0; person < people; person++) {
    const expected = [...answered].filter(([index]) => index % people === person).map(([, activity]) => activity);
    const stored = await timelineOf(senders[0] as Sender, emailOf(person));
    if (stored.toSorted().join() !== expected.toSorted().join())
      failures.push({
        what: `captures of ${emailOf(person)}`,
        why: `${expected.length} answered, ${stored.length} stored`,
      });
  }
  return { failures, unanswered, longest };
}

/**
 * A key is used through one app and revoked through the other: returns after how many milliseconds the first refuses
 * it.
 */
export async function revokedElsewhere(app: { url: string }, tenant: Stage): Promise<number> {
  const minted = await tenant.run("mintApiKey", { name: "short-lived", scopes: ["read"] });
  const { key, api_key } = minted as { key: { id: string; name: string }; api_key: string };
  const use = async () =>
    (await fetch(`${app.url}/v2/people?limit=1`, { headers: { authorization: `Bearer ${api_key}` } })).status;
  if ((await use()) !== 200) return Number.POSITIVE_INFINITY;
  await tenant.run("revokeApiKey", { id: key.id, confirm: key.name });
  const began = performance.now();
  while ((await use()) === 200) await sleep(10);
  return performance.now() - began;
}

/**
 * Each round writes through one app and reads it back through another, with the position that the write returned.
 * Returns how many reads missed it, and how many a replica answered.
 */
export async function ownWrites(
  senders: readonly Sender[],
  rounds: number,
): Promise<{ missed: number; byReplica: number }> {
  const mark = `own${Date.now().toString(36)}`;
  let missed = 0;
  let byReplica = 0;
  for (let round = 0; round < rounds; round++) {
    const [writer, reader] = [senders[round % 2], senders[(round + 1) % 2]] as [Sender, Sender];
    const email = `${mark}-${round}@own.example`;
    const written = await post(writer, { email, type: "call", external_id: `${mark}-${round}` });
    const position = written.headers.get("rapport-position") ?? "";
    await written.arrayBuffer();
    for (let again = 0; again < 3; again++) {
      const read = await fetch(`${reader.url}/v2/accounts/${email}`, {
        headers: { authorization: `Bearer ${reader.key}`, "rapport-position": position },
      });
      await read.arrayBuffer();
      if (read.status !== 200) missed++;
      if (read.headers.get("rapport-position") === position) byReplica++;
      await sleep(again * 5);
    }
  }
  return { missed, byReplica };
}

/** Requests a second, and the 99th percentile of their time, with 32 at once for some seconds. */
export async function rateOf(
  seconds: number,
  request: (index: number) => Promise<Response>,
): Promise<{ perSecond: number; p50: number; p99: number; failed: number }> {
  const times: number[] = [];
  let index = 0;
  let failed = 0;
  const began = performance.now();
  const until = began + seconds * 1_000;
  const loop = async () => {
    while (performance.now() < until) {
      const start = performance.now();
      const response = await request(index++);
      await response.arrayBuffer();
      if (!response.ok) failed++;
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: 32 }, loop));
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
  return { perSecond: times.length / ((performance.now() - began) / 1_000), p50: at(0.5), p99: at(0.99), failed };
}

/** The loads whose figures are printed. */
export const loads = (
  sender: Sender,
  mark: string,
): [what: string, request: (index: number) => Promise<Response>][] => {
  const get = (address: string) =>
    fetch(`${sender.url}${address}`, { headers: { authorization: `Bearer ${sender.key}` } });
  let made = 0;
  const emailOf = (index: number) => `n${index}@${mark}.example`;
  const existingEmail = (index: number) => emailOf(index % Math.min(made, 200));
  return [
    [
      "capture, new people",
      (index) => {
        made++;
        return post(sender, { email: emailOf(index), type: "email_sent", external_id: `n${index}` });
      },
    ],
    [
      "capture, known people",
      (index) => post(sender, { email: existingEmail(index), type: "email_sent", external_id: `k${index}` }),
    ],
    ["read an account", (index) => get(`/v2/accounts/${existingEmail(index)}`)],
    ["list people", () => get("/v2/people?limit=50")],
  ];
};
