/**
 * Deliveries to 50 local endpoints: how long each is behind its cause at 1,000 events a second, that a kill loses none,
 * and what active triggers cost capture. In processes of their own, without pages.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createInstallation, type Installation } from "#lib/testing/installation.fixture.ts";
import { say } from "../report.ts";
import { median, round, type Sending } from "../rounds.ts";

const ENDPOINTS = 50;
const PER_SECOND = 1_000;
const SECONDS = Number(process.env.SECONDS ?? 20);
const ROUND_SECONDS = 4;
const ROUNDS = 3;
const GOALS = { lagMs: 1_000, capture: 0.85 };

type Counts = { received: number; distinct: number; lags: number[] };

const targets = fork(path.join(import.meta.dirname, "targets.ts"), [String(ENDPOINTS)], { stdio: "inherit" });
const [{ ports }] = (await once(targets, "message")) as [{ ports: number[] }];
const installation = await createInstallation({
  RATE_LIMIT_PER_MINUTE: "0",
  ALLOW_PRIVATE_WEBHOOK_TARGETS: "true",
  LOG_LEVEL: "error",
});
const missed: string[] = [];
try {
  await installation.start();
  missed.push(...(await measureFanOut(installation)), ...(await measureCapture(installation)));
} finally {
  targets.kill();
  await installation.remove();
}
say(missed.length === 0 ? "every goal met" : `missed: ${missed.join(", ")}`);
process.exitCode = missed.length === 0 ? 0 : 1;

/** What the endpoints got since they were last asked. */
async function counts(child: ChildProcess, reset = false): Promise<Counts> {
  const answered = once(child, "message");
  child.send({ reset });
  return ((await answered) as [Counts])[0];
}

function post(base: string, address: string, key: string, body: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return fetch(base + address, { method: "POST", headers, body: JSON.stringify(body) });
}

async function makeTrigger(base: string, key: string, port: number, source: string): Promise<void> {
  const url = `http://127.0.0.1:${port}/hook`;
  const made = await post(base, "/v2/workspace/triggers", key, {
    url,
    events: ["activity.call"],
    filters: { source: [source] },
  });
  if (made.status !== 201) throw new Error(`the trigger answered ${made.status}: ${await made.text()}`);
}

/** Each event is for one of the endpoints, so the deliveries are as many as the events. */
async function measureFanOut({ url, createWorkspace, crashApp }: Installation): Promise<string[]> {
  const { key } = await createWorkspace();
  for (const [place, port] of ports.entries()) await makeTrigger(url(), key, port, `endpoint-${place}`);
  let sent = 0;
  const sendSome = async (count: number) => {
    const body = Array.from({ length: count }, () => {
      const n = sent++;
      const source = `endpoint-${n % ENDPOINTS}`;
      return { email: `p${n % 500}@bench.example`, type: "call", source, external_id: `n-${n}`, metadata: { n } };
    });
    const answer = await post(url(), "/api/v1/capture/batch", key, body);
    if (!answer.ok) throw new Error(`the batch answered ${answer.status}`);
  };
  const paced = async (seconds: number) => {
    const began = performance.now();
    const step = PER_SECOND / 20;
    const until = sent + seconds * PER_SECOND;
    for (let due = began; sent < until; due += 50) {
      await sendSome(step);
      await sleep(Math.max(0, due + 50 - performance.now()));
    }
    return sent / ((performance.now() - began) / 1_000);
  };
  const drained = async () => {
    for (let tries = 0; tries < 600; tries++) {
      if ((await counts(targets)).distinct >= sent) return;
      await sleep(100);
    }
  };
  await sendSome(500); // the people, and the connections
  await drained();
  await counts(targets, true);
  const before = sent;
  await paced(SECONDS);
  await drained();
  const { distinct, lags } = await counts(targets);
  lags.sort((a, b) => a - b);
  const at = (share: number) => lags[Math.min(lags.length - 1, Math.floor(lags.length * share))] ?? 0;
  say(
    `\nTriggers: ${distinct} of ${sent - before} events at ${PER_SECOND}/s to ${ENDPOINTS} endpoints, lag p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms (goal ${GOALS.lagMs})`,
  );
  const wrong = at(0.99) > GOALS.lagMs ? ["lag of deliveries"] : [];

  // In the middle of it the process is killed; events captured before that are delivered by the next one.
  await sendSome(1_000);
  await sleep(200);
  await crashApp();
  await drained();
  const after = await counts(targets);
  const lost = sent - before - after.distinct;
  say(`A kill in the middle: ${lost} of ${sent - before} lost, ${after.received - after.distinct} delivered twice`);
  return lost > 0 ? [...wrong, "deliveries over a kill"] : wrong;
}

/** Captures with and without a trigger for each of them, in turn. */
async function measureCapture({ url, createWorkspace }: Installation): Promise<string[]> {
  const [plain, active] = [await createWorkspace(), await createWorkspace()];
  await makeTrigger(url(), active.key, ports[0] as number, "api");
  let n = 0;
  const making = (key: string) => (): Sending => ({
    path: "/api/v1/capture",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ email: `q${n++ % 2_000}@bench.example`, type: "call", metadata: { n } }),
  });
  const ratios: number[] = [];
  const speeds: string[] = [];
  for (const each of [plain, active]) await round(url(), making(each.key), 2);
  for (let turn = 0; turn < ROUNDS; turn++) {
    const without = await round(url(), making(plain.key), ROUND_SECONDS);
    const withTrigger = await round(url(), making(active.key), ROUND_SECONDS);
    ratios.push(withTrigger.perSecond / without.perSecond);
    speeds.push(`${withTrigger.perSecond.toFixed(0)} / ${without.perSecond.toFixed(0)}`);
    await sleep(1_000);
  }
  const ratio = median(ratios);
  say(
    `Capture with a trigger on each, beside without: ${ratio.toFixed(2)} (goal ${GOALS.capture}; ${speeds.join(", ")} a second)`,
  );
  return ratio < GOALS.capture ? ["capture with triggers"] : [];
}
