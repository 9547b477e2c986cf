/** Importing a file of people, half of them known: rows a second, memory, and what other callers notice. */
import { readFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { say } from "../report.ts";
import type { Stage, Workspace } from "../stage.ts";

const GOALS = { rowsPerSecond: 5_000, memoryMiB: 300, slower: 3 } as const;

type Import = {
  id: string;
  state: string;
  problem: string | null;
  run: { created: number; updated: number; unchanged: number; skipped: number } | null;
};

/** Returns which goals were missed. */
export async function measureImports(stage: Stage, rows: number): Promise<string[]> {
  const workspace = await stage.createWorkspace("Imports");
  say(
    `\nImport of ${rows.toLocaleString("en")} people, half of them known; load of the machine before: ${loadavg()[0]?.toFixed(1)}`,
  );
  await imported(stage, workspace, fileOf(0, rows / 2, false));
  const idle = await answerTimes(stage, workspace, sleep(5_000));
  const before = await memoryMiB(stage.pid);
  const uploaded = await upload(stage, workspace, fileOf(0, rows, true));
  let most = 0;
  let over = false;
  const watch = (async () => {
    for (; !over; await sleep(50)) most = Math.max(most, await memoryMiB(stage.pid));
  })();
  const began = performance.now();
  const cpuBefore = await cpuMs(stage.pid);
  const run = finished(stage, workspace, uploaded.id);
  const busy = await answerTimes(stage, workspace, run);
  const done = await run;
  const seconds = (performance.now() - began) / 1000;
  const cpu = ((await cpuMs(stage.pid)) - cpuBefore) / rows;
  over = true;
  await watch;
  const rate = Math.round(rows / seconds);
  const memory = Math.round(most - before);
  const slower = busy.p95 / idle.p95;
  const { created, updated, unchanged, skipped } = done.run as NonNullable<Import["run"]>;
  say(
    `  ${rate.toLocaleString("en")} rows/s (goal ${GOALS.rowsPerSecond.toLocaleString("en")}): ${seconds.toFixed(1)} s, ${created} created, ${updated} updated, ${unchanged} unchanged, ${skipped} skipped`,
  );
  say(`  ${(cpu * 1000).toFixed(0)} µs of the app's CPU a row`);
  say(`  ${memory} MiB above idle at most (goal ${GOALS.memoryMiB})`);
  say(
    `  other requests: p95 ${idle.p95.toFixed(1)} ms idle, ${busy.p95.toFixed(1)} ms during it: ${slower.toFixed(1)} × (goal ${GOALS.slower})`,
  );
  say(`  load of the machine after: ${loadavg()[0]?.toFixed(1)}`);
  return [
    ...(rate < GOALS.rowsPerSecond ? ["imports: rows a second"] : []),
    ...(memory > GOALS.memoryMiB ? ["imports: memory"] : []),
    ...(slower > GOALS.slower ? ["imports: other requests"] : []),
  ];
}

/** `more`: every fourth row has a phone number, which those known before lack. */
function fileOf(from: number, to: number, more: boolean): string {
  const lines = ["Email,First Name,Last Name,Title,Company,Phone"];
  for (let n = from; n < to; n++) {
    const company = n % 5_000;
    const phone = more && n % 4 === 0 ? `+4930${String(1_000_000 + n)}` : "";
    lines.push(
      `person${n}@company${company}.com,First${n % 997},Last${n % 1009},Head of ${n % 31},Company ${company},${phone}`,
    );
  }
  return lines.join("\n");
}

async function ask<T>(stage: Stage, { key }: Workspace, path: string, init: RequestInit = {}): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", ...(init.headers as object) };
  const answer = await fetch(stage.base + path, { ...init, headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function upload(stage: Stage, workspace: Workspace, file: string): Promise<Import> {
  const headers = { "content-type": "text/csv" };
  const sent = await ask<{ import: Import }>(stage, workspace, "/v2/imports?file_name=people.csv", {
    method: "POST",
    body: file,
    headers,
  });
  return until(stage, workspace, sent.import.id, "ready");
}

async function until(stage: Stage, workspace: Workspace, id: string, state: string): Promise<Import> {
  for (;;) {
    const { import: now } = await ask<{ import: Import }>(stage, workspace, `/v2/imports/${id}`);
    if (now.state === state) return now;
    if (now.state === "failed") throw new Error(now.problem ?? "the import failed");
    await sleep(100);
  }
}

async function finished(stage: Stage, workspace: Workspace, id: string): Promise<Import> {
  await ask(stage, workspace, `/v2/imports/${id}/run`, { method: "POST", body: "{}" });
  return until(stage, workspace, id, "done");
}

const imported = async (stage: Stage, workspace: Workspace, file: string): Promise<Import> =>
  finished(stage, workspace, (await upload(stage, workspace, file)).id);

/** How long a page of people takes, asked for until `end`. */
async function answerTimes(stage: Stage, workspace: Workspace, end: Promise<unknown>): Promise<{ p95: number }> {
  let over = false;
  const ending = end.finally(() => {
    over = true;
  });
  const times: number[] = [];
  for (; !over; await sleep(20)) {
    const began = performance.now();
    await ask(stage, workspace, "/v2/people?limit=20");
    times.push(performance.now() - began);
  }
  await ending;
  times.sort((a, b) => a - b);
  return { p95: times[Math.floor(times.length * 0.95)] ?? 0 };
}

async function memoryMiB(pid: number): Promise<number> {
  const [, kib = "0"] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}

/** Of a process, all threads; Linux counts in hundredths of a second. */
async function cpuMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
