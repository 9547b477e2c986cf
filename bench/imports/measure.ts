/** Importing a file of people, half of them known: rows a second, memory, and what other callers notice. */
import { readFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { say } from "../report.ts";
import type { Stage, Workspace } from "../stage.ts";

const GOALS = { rowsPerSecond: 3_000, memoryMiB: 300, slower: 3 } as const;

/** Rows of a file that is close to the largest one, 200 MB. */
const LARGE_ROWS = 975_000;

/** How long the large file is tried and imported before that is cancelled. */
const LARGE_MS = 30_000;

type Progress = { rows_done: number; created: number; updated: number; unchanged: number; skipped: number };

type Import = {
  id: string;
  state: string;
  problem: string | null;
  check: Progress | null;
  run: Progress | null;
};

/** Returns which goals were missed. */
export const measureImports = async (stage: Stage, rows: number): Promise<string[]> => [
  ...(await measureLargeFile(stage)),
  ...(await measureRun(stage, rows)),
];

async function measureRun(stage: Stage, rows: number): Promise<string[]> {
  const workspace = await stage.createWorkspace("Imports");
  say(
    `\nImport of ${rows.toLocaleString("en")} people, half of them known; load of the machine before: ${loadavg()[0]?.toFixed(1)}`,
  );
  await imported(stage, workspace, fileOf(0, rows / 2, false));
  const idle = await answerTimes(stage, workspace, sleep(5_000));
  const before = await memoryMiB(stage.pid);
  const uploaded = await upload(stage, workspace, fileOf(0, rows, true));
  const began = performance.now();
  const cpuBefore = await cpuMs(stage.pid);
  const run = finished(stage, workspace, uploaded.id);
  const [busy, most] = await highestMemory(stage, answerTimes(stage, workspace, run));
  const done = await run;
  const seconds = (performance.now() - began) / 1000;
  const cpu = ((await cpuMs(stage.pid)) - cpuBefore) / rows;
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

/** A file of close to 200 MB: the memory that taking, reading, trying and importing it need, above that of the idle app. */
async function measureLargeFile(stage: Stage): Promise<string[]> {
  const workspace = await stage.createWorkspace("Large file");
  say(`\nA file of ${LARGE_ROWS.toLocaleString("en")} rows`);
  await sleep(3_000);
  const idle = await memoryMiB(stage.pid);
  let worst = 0;
  const during = async <T>(what: (done: T) => string, work: Promise<T>): Promise<T> => {
    const began = performance.now();
    const [done, most] = await highestMemory(stage, work);
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    const above = most - idle;
    worst = Math.max(worst, above);
    say(`  ${what(done)} in ${seconds} s: ${above.toFixed(0)} MiB above idle at most (goal ${GOALS.memoryMiB})`);
    return done;
  };
  const sent = await during(() => "taken", send(stage, workspace, Readable.from(largeFile())));
  await during(() => "read", until(stage, workspace, sent.id, "ready"));
  const begun = async (step: "preview" | "run"): Promise<number> => {
    await ask(stage, workspace, `/v2/imports/${sent.id}/${step}`, { method: "POST", body: "{}" });
    await sleep(LARGE_MS);
    const { check, run } = await until(stage, workspace, sent.id, step === "preview" ? "checking" : "running");
    const progress = run ?? check;
    if (progress?.skipped !== 0) throw new Error("rows of the large file were skipped");
    await ask(stage, workspace, `/v2/imports/${sent.id}/cancel`, { method: "POST", body: "{}" });
    await until(stage, workspace, sent.id, step === "preview" ? "ready" : "cancelled");
    return progress.rows_done;
  };
  await during((rows) => `${rows.toLocaleString("en")} rows of its dry run`, begun("preview"));
  await during((rows) => `${rows.toLocaleString("en")} rows imported`, begun("run"));
  return worst > GOALS.memoryMiB ? ["imports: memory of a large file"] : [];
}

function* largeFile(): Generator<string> {
  yield `${HEAD},Remark\n`;
  const remark =
    "met at the fair; asked for the price list; wants to hear from us again before the end of the quarter or so ".padEnd(
      120,
      ".",
    );
  for (let from = 0; from < LARGE_ROWS; from += 500) {
    const rows = Array.from({ length: 500 }, (_, place) => `${rowOf(from + place)},${remark}\n`);
    yield rows.join("");
  }
}

const HEAD = "Email,First Name,Last Name,Title,Company,Phone";

/** The person of that number; there are 5,000 companies. */
function rowOf(n: number, phone = ""): string {
  const company = n % 5_000;
  return `person${n}@company${company}.com,First${n % 997},Last${n % 1009},Head of ${n % 31},Company ${company},${phone}`;
}

/** What the work returns, and the most memory that the app had meanwhile. */
async function highestMemory<T>({ pid }: Stage, work: Promise<T>): Promise<[T, number]> {
  let most = await memoryMiB(pid);
  const timer = setInterval(() => {
    memoryMiB(pid).then(
      (now) => {
        most = Math.max(most, now);
      },
      () => undefined, // the app has ended, which the work says
    );
  }, 50);
  try {
    return [await work, most];
  } finally {
    clearInterval(timer);
  }
}

/** `more`: every fourth row has a phone number, which those known before lack. */
function fileOf(from: number, to: number, more: boolean): string {
  const lines = [HEAD];
  for (let n = from; n < to; n++) {
    lines.push(rowOf(n, more && n % 4 === 0 ? `+4930${String(1_000_000 + n)}` : ""));
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
  const { id } = await send(stage, workspace, file);
  return until(stage, workspace, id, "ready");
}

async function send(stage: Stage, workspace: Workspace, file: string | Readable): Promise<Import> {
  const headers = { "content-type": "text/csv" };
  const sending = { method: "POST", body: file as BodyInit, headers, duplex: "half" };
  return (await ask<{ import: Import }>(stage, workspace, "/v2/imports?file_name=people.csv", sending)).import;
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
