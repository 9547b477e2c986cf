import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";

export type Target = {
  name: string;
  url: string;
  headers?: Record<string, string>;
  method?: "GET" | "POST";
  body?: string;
  /** Sent in turn instead of the one request; each connection starts with the first. */
  requests?: readonly { method: "GET" | "POST"; path: string; body?: string }[] | undefined;
  /** Each connection sends its own part of `requests`, and `[<id>]` in a body is a different text each time. */
  spread?: boolean;
  pid: number;
};
export type Figures = { perSecond: number; p50: number; p99: number; cpuMs: number; failed: number };

const CONNECTIONS = 32;
const TICK_MS = 10;

/** One round of load on a target. `cpuMs` is the server's own processor time per request, the database's not included. */
async function round(target: Target, seconds: number): Promise<Figures> {
  const before = processorTime(target.pid);
  const hasBody = target.body !== undefined || target.requests?.some(({ body }) => body !== undefined);
  const { requests: turns = [] } = target;
  let connection = 0;
  const part = Math.floor(turns.length / CONNECTIONS);
  const first = Math.floor(Math.random() * CONNECTIONS);
  const own = {
    idReplacement: true,
    // Small parts: autocannon prepares them while the first connections already wait for their answers.
    setupClient(client: { setRequests(requests: typeof turns): void }) {
      const start = ((first + connection++) % CONNECTIONS) * part;
      client.setRequests(turns.slice(start, start + part));
    },
  };
  const result = await autocannon({
    url: target.url,
    connections: CONNECTIONS,
    duration: seconds,
    method: target.method ?? "GET",
    headers: { ...target.headers, ...(hasBody ? { "content-type": "application/json" } : {}) },
    ...(target.body ? { body: target.body } : {}),
    ...(target.requests ? { requests: target.spread ? target.requests.slice(0, 1) : target.requests } : {}),
    ...(target.spread ? own : {}),
  });
  const requests = result.requests.total;
  if (target.name === "bare" && result.non2xx > 0)
    throw new Error("the bare server fails: the comparison means nothing");
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuMs: (processorTime(target.pid) - before) / Math.max(1, requests),
    failed: result.non2xx + result.errors,
  };
}

/** User and system time of a process and its children, in milliseconds; 0 where /proc does not exist. */
function processorTime(pid: number): number {
  try {
    const own = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean),
    );
    const mine = (Number(own[11]) + Number(own[12])) * TICK_MS;
    return (
      mine +
      children
        .filter((child) => !readFileSync(`/proc/${child}/cmdline`, "utf8").includes("postgres"))
        .reduce((sum, child) => sum + processorTime(Number(child)), 0)
    );
  } catch {
    return 0;
  }
}

/**
 * Waits until a process is idle, at most a minute: after its start ours compresses the pages' files on all processors.
 */
export async function untilIdle(pid: number): Promise<void> {
  for (let second = 0; second < 60; second++) {
    const before = processorTime(pid);
    await sleep(1_000);
    if (processorTime(pid) - before <= 50) return;
  }
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export type Comparison = { ours: Figures; bare: Figures; ratio: number };

/** Loads both targets in turn, so that a drift of the machine affects both, and compares medians. */
export async function compare(ours: Target, bare: Target, { rounds = 5, seconds = 3 } = {}): Promise<Comparison> {
  const taken: { ours: Figures; bare: Figures }[] = [];
  await round(ours, Math.min(2, seconds));
  await round(bare, Math.min(2, seconds));
  for (let index = 0; index < rounds; index++)
    taken.push({ ours: await round(ours, seconds), bare: await round(bare, seconds) });
  const summary = (side: "ours" | "bare"): Figures => {
    const figure = (name: keyof Figures) => median(taken.map((pair) => pair[side][name]));
    return {
      perSecond: figure("perSecond"),
      p50: figure("p50"),
      p99: figure("p99"),
      cpuMs: figure("cpuMs"),
      failed: taken.reduce((sum, pair) => sum + pair[side].failed, 0),
    };
  };
  return {
    ours: summary("ours"),
    bare: summary("bare"),
    ratio: median(taken.map((pair) => pair.ours.perSecond / pair.bare.perSecond)),
  };
}
