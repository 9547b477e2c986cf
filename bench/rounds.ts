import http from "node:http";

export const CONNECTIONS = 32;

/** One POST; `path` begins with a slash. */
export type Sending = { path: string; headers: Record<string, string>; body: string };

/** Requests a second, and milliseconds within which so many percent were answered. */
export type Figures = { perSecond: number; p50: number; p95: number; p99: number };

/** As many requests as `CONNECTIONS` senders get through, each sending one after the other. */
export async function round(url: string, make: () => Sending, seconds: number): Promise<Figures> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const times: number[] = [];
  const started = performance.now();
  const sender = async () => {
    while (performance.now() - started < seconds * 1_000) times.push(await send(agent, url, make()));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sender));
  const elapsed = (performance.now() - started) / 1_000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: times.length / elapsed, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** Sends one request and returns how long it took; any status but 200 ends the measurement. */
function send(agent: http.Agent, url: string, { path, headers, body }: Sending): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const all = { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const request = http.request(url + path, { agent, method: "POST", headers: all }, (response) => {
      response.resume();
      response.on("end", () => {
        if (response.statusCode === 200) resolve(performance.now() - started);
        else reject(new Error(`${path} answers ${response.statusCode}`));
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
