import { spawn } from "node:child_process";
import { say } from "../report.ts";
import { loads, ownWrites, rateOf, revokedElsewhere, sameAtOnce, throughStrikes } from "./captures.ts";
import { type Ground, openGround } from "./ground.ts";
import { watchJobs } from "./jobs.ts";
import { runJourneys } from "./journeys.ts";
import { type Failure, lookAfterwards, runEveryOperation, twoTenants } from "./operations.ts";
import { sendStatements } from "./statements.ts";
import { callEveryTool } from "./tools.ts";

export type Wish = { strikes: readonly string[]; seconds: number };

/** Runs every part and says how each went; returns the exit code. */
export async function exercise(wish: Wish): Promise<0 | 1> {
  const ground = await openGround();
  let failures: Failure[];
  try {
    failures = await runParts(ground, wish);
  } finally {
    await ground.close();
  }
  for (const { what, why } of failures) say(`FAILED ${what}: ${why}`);
  say(failures.length === 0 ? "\nevery part of the exercise worked" : `\n${failures.length} parts failed`);
  return failures.length === 0 ? 0 : 1;
}

async function runParts(ground: Ground, { strikes, seconds }: Wish): Promise<Failure[]> {
  const failures: Failure[] = [];
  const tenants = await twoTenants(ground);
  const [first, second] = tenants;
  say(`tenant 1 on ${await ground.machineOf(first.id)}, tenant 2 on ${await ground.machineOf(second.id)}`);

  const statements = await sendStatements(ground, first.id);
  failures.push(...statements.failures);
  say(`statements: ${statements.ran - statements.failures.length} of ${statements.ran} were planned and run`);

  const apps = [ground.app, await ground.startApp()];
  const jobs = await watchJobs(ground.directUrl);
  const { ran, notOffered, failures: refused } = await runEveryOperation(ground, tenants);
  failures.push(...refused);
  const without = notOffered > 0 ? `; ${notOffered} answered that this database cannot do it` : "";
  say(`operations: ${ran - refused.length - notOffered} of ${ran} worked${without}`);
  for (const { noun, run } of [
    { noun: "tools", run: () => callEveryTool(ground, tenants) },
    { noun: "journeys", run: () => runJourneys(ground, tenants) },
  ]) {
    const part = await run();
    failures.push(...part.failures);
    say(`${noun}: ${part.ran - part.failures.length} of ${part.ran} worked`);
  }
  const worked = await jobs.stop();
  failures.push(...worked.failures);
  say(`background jobs: ${worked.failures.length} failed`);
  failures.push(...(await lookAfterwards(tenants)));

  for (const tenant of tenants) {
    const key = await tenant.key();
    const senders = apps.map(({ url }) => ({ url, key }));
    failures.push(...(await sameAtOnce(senders, tenant)));
    const took = await revokedElsewhere(apps[1] as { url: string }, tenant);
    say(`a revoked key was refused by another process after ${took.toFixed(0)} ms`);
    if (took > 1_000) failures.push({ what: "revoking a key", why: `it passed elsewhere for ${took.toFixed(0)} ms` });
    if (tenant === first) failures.push(...(await measure(senders[0] as { url: string; key: string }, seconds)));
  }
  if (process.env.DATABASE_REPLICA_URL) {
    const key = await first.key();
    const { missed, byReplica } = await ownWrites(
      apps.map(({ url }) => ({ url, key })),
      100,
    );
    say(`after 100 writes, 300 reads of them: ${byReplica} by the replica, ${missed} missed the write`);
    if (missed > 0) failures.push({ what: "reading one's own writes", why: `${missed} reads were older` });
    if (byReplica === 0) failures.push({ what: "the replica", why: "it answered nothing" });
  }
  if (strikes.length > 0) {
    const key = await first.key();
    const { failures: lost, ...figures } = await throughStrikes(
      apps.map(({ url }) => ({ url, key })),
      strikes.map((command) => () => strike(command)),
    );
    failures.push(...lost);
    say(
      `${strikes.length} strikes: ${figures.unanswered} requests failed and were sent again, the slowest took ${(figures.longest / 1_000).toFixed(1)} s`,
    );
    failures.push(...(await lookAfterwards(tenants)));
  }
  return failures;
}

async function measure(sender: { url: string; key: string }, seconds: number): Promise<Failure[]> {
  const failures: Failure[] = [];
  const mark = `m${Date.now().toString(36)}`;
  for (const [what, request] of loads(sender, mark)) {
    const { perSecond, p50, p99, failed } = await rateOf(seconds, request);
    say(
      `${what.padEnd(24)} ${perSecond.toFixed(0).padStart(6)}/s   p50 ${p50.toFixed(1).padStart(6)} ms   p99 ${p99.toFixed(1).padStart(6)} ms   ${failed} failed`,
    );
    if (failed > 0) failures.push({ what, why: `${failed} requests failed` });
  }
  return failures;
}

function strike(command: string): Promise<void> {
  say(`strike: ${command}`);
  const child = spawn("sh", ["-c", command], { stdio: ["ignore", "ignore", "inherit"] });
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`a strike failed: ${command}`))));
  });
}
