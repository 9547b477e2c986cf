/**
 * Exercises several machines: `DATABASE_URL=… node bench/scale/run.ts`, see README.md beside this. It fills the
 * database it is given. Exits with 1 when something failed.
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { say } from "../report.ts";
import { loads, ownWrites, rateOf, revokedElsewhere, sameAtOnce, throughStrikes } from "./captures.ts";
import { type Ground, openGround } from "./ground.ts";
import { type Failure, lookAfterwards, runEveryOperation, twoTenants } from "./operations.ts";

const { values } = parseArgs({
  options: {
    /** shell commands that stop a machine and start it again, one after the other; may be repeated */
    strike: { type: "string", multiple: true, default: [] },
    seconds: { type: "string", default: "5" },
  },
});

const failures: Failure[] = [];
const ground = await openGround();
try {
  await exercise(ground);
} finally {
  await ground.close();
}
for (const { what, why } of failures) say(`FAILED ${what}: ${why}`);
say(failures.length === 0 ? "\nevery part of the exercise worked" : `\n${failures.length} parts failed`);
process.exit(failures.length === 0 ? 0 : 1);

async function exercise(ground: Ground): Promise<void> {
  const [first, second] = await twoTenants(ground);
  say(`tenant 1 on ${await ground.machineOf(first.id)}, tenant 2 on ${await ground.machineOf(second.id)}`);

  const { ran, failures: refused } = await runEveryOperation([first, second]);
  failures.push(...refused);
  say(`operations: ${ran - refused.length} of ${ran} worked`);
  failures.push(...(await lookAfterwards([first, second])));

  const apps = [await ground.startApp(), await ground.startApp()];
  for (const tenant of [first, second]) {
    const key = await tenant.key();
    const senders = apps.map(({ url }) => ({ url, key }));
    failures.push(...(await sameAtOnce(senders, tenant)));
    const took = await revokedElsewhere(apps[1] as { url: string }, tenant);
    say(`a revoked key was refused by another process after ${took.toFixed(0)} ms`);
    if (took > 1_000) failures.push({ what: "revoking a key", why: `it passed elsewhere for ${took.toFixed(0)} ms` });
    if (tenant === first) await measure(senders[0] as { url: string; key: string });
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
  if (values.strike.length > 0) {
    const key = await first.key();
    const strikes = values.strike.map((command) => () => run(command));
    const { failures: lost, ...figures } = await throughStrikes(
      apps.map(({ url }) => ({ url, key })),
      strikes,
    );
    failures.push(...lost);
    say(
      `${strikes.length} strikes: ${figures.unanswered} requests failed and were sent again, the slowest took ${(figures.longest / 1_000).toFixed(1)} s`,
    );
    failures.push(...(await lookAfterwards([first, second])));
  }
}

async function measure(sender: { url: string; key: string }): Promise<void> {
  const mark = `m${Date.now().toString(36)}`;
  for (const [what, request] of loads(sender, mark)) {
    const { perSecond, p50, p99, failed } = await rateOf(Number(values.seconds), request);
    say(
      `${what.padEnd(24)} ${perSecond.toFixed(0).padStart(6)}/s   p50 ${p50.toFixed(1).padStart(6)} ms   p99 ${p99.toFixed(1).padStart(6)} ms   ${failed} failed`,
    );
    if (failed > 0) failures.push({ what, why: `${failed} requests failed` });
  }
}

function run(command: string): Promise<void> {
  say(`strike: ${command}`);
  const child = spawn("sh", ["-c", command], { stdio: ["ignore", "ignore", "inherit"] });
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`a strike failed: ${command}`))));
  });
}
