import { type LookupAddress, lookup } from "node:dns";
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "../addresses.ts";
import { noAnswerWords } from "../no-answer.ts";
import { waitIn } from "../request.ts";

/** What is kept of an answer's body. */
const MOST_BYTES = 4096;
/** For the whole exchange, so that an answer that comes byte by byte ends too. */
const TIMEOUT_MS = 15_000;
/** Connections are kept this long for the next request to the same target. */
const IDLE_MS = 20_000;

/** How a target answered a request. */
export type Answer = {
  /** accepted: a status of 2xx */
  ok: boolean;
  /** null: there was no answer */
  status: number | null;
  /** why it was not accepted, in a sentence */
  problem: string | null;
  body: string | null;
  /** the body was longer than what is kept */
  cut: boolean;
  /** how long the target asks us to wait */
  retryAfterMs: number | null;
  ms: number;
};

export type Post = { url: string; headers: Readonly<Record<string, string>>; body: string };

export type Terms = {
  /** whether private addresses are allowed too */
  privateAllowed: boolean;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** how names are resolved, and which addresses are allowed; for tests */
  resolve?: (hostname: string, give: (error: Error | null, found: LookupAddress[]) => void) => void;
  permits?: (address: string) => boolean;
};

class Refused extends Error {}
const refusal = () => new Refused("Its address is not one of the public internet.");

const byDns: NonNullable<Terms["resolve"]> = (hostname, give) => lookup(hostname, { all: true }, give);

const keeping = { keepAlive: true, maxFreeSockets: 256, timeout: IDLE_MS };
const agents = { "http:": new HttpAgent(keeping), "https:": new HttpsAgent(keeping) };

/**
 * Sends one POST to an address that a tenant chose, and keeps at most 4 KiB of the answer. The name is resolved for the
 * connection itself, so the address that was checked is the one connected to. Redirects are not followed. Never throws.
 */
export async function post(given: Post, terms: Terms): Promise<Answer> {
  const begun = performance.now();
  const permits = terms.privateAllowed ? () => true : (terms.permits ?? isPublicAddress);
  const signal = AbortSignal.any([
    AbortSignal.timeout(terms.timeoutMs ?? TIMEOUT_MS),
    ...(terms.signal ? [terms.signal] : []),
  ]);
  const none = { ok: false, status: null, body: null, cut: false, retryAfterMs: null };
  const failed = (error: unknown): Answer => ({
    ...none,
    problem: error instanceof Refused ? error.message : sentenceOf(error, signal.aborted),
    ms: Math.round(performance.now() - begun),
  });
  try {
    const answer = await send(given, permits, terms.resolve ?? byDns, signal);
    return { ...answer, ms: Math.round(performance.now() - begun) };
  } catch (error) {
    return failed(error);
  }
}

type Permits = (address: string) => boolean;

/** The request; once more when a kept connection turned out to be closed before anything was answered. */
async function send(given: Post, permits: Permits, resolve: NonNullable<Terms["resolve"]>, signal: AbortSignal) {
  for (let again = false; ; again = true) {
    try {
      return await exchange(given, permits, resolve, signal, again);
    } catch (error) {
      if (again || !(error instanceof Stale)) throw error;
    }
  }
}

class Stale extends Error {}

function exchange(
  { url, headers, body }: Post,
  permits: Permits,
  resolve: NonNullable<Terms["resolve"]>,
  signal: AbortSignal,
  fresh: boolean,
): Promise<Omit<Answer, "ms">> {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) && !permits(host)) return Promise.reject(refusal());
  const secure = target.protocol === "https:";
  const options = {
    method: "POST",
    agent: fresh ? false : agents[secure ? "https:" : "http:"],
    lookup: checkedLookup(permits, resolve),
    signal,
    headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
  } as const;
  return new Promise((answer, reject) => {
    let reading = false;
    const request = (secure ? requestHttps : requestHttp)(target, options, (response) => {
      reading = true;
      read(response).then(answer, reject);
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (reading) return; // there is a status, which counts
      const closed = error.code === "ECONNRESET" || error.code === "EPIPE";
      reject(request.reusedSocket && closed && !signal.aborted ? new Stale() : error);
    });
    request.end(body);
  });
}

const checkedLookup =
  (permits: Permits, resolve: NonNullable<Terms["resolve"]>): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, (error, found) => {
      if (error) return callback(error, "");
      const [first] = found;
      if (!first || !found.every(({ address }) => permits(address))) return callback(refusal(), "");
      if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });

/** Reads an answer until it ends, is too long, or the time is over: its status counts in any case. */
function read(response: IncomingMessage): Promise<Omit<Answer, "ms">> {
  const status = response.statusCode ?? 0;
  const ok = status >= 200 && status < 300;
  const retryAfterMs = ok ? null : waitIn(response.headers["retry-after"] ?? null);
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const give = (cut: boolean) => {
      const text = Buffer.concat(chunks).subarray(0, MOST_BYTES).toString("utf8").toWellFormed();
      // The database keeps no NUL in a text.
      resolve({ ok, status, problem: problemOf(status), body: text.replaceAll("\0", "\uFFFD"), cut, retryAfterMs });
    };
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= MOST_BYTES) return;
      give(true);
      response.destroy();
    });
    response.on("end", () => give(false));
    response.on("error", () => give(true));
    response.on("close", () => give(true));
  });
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `It answered ${status}, a redirect, which is not followed.`;
  if (status === 410) return "It answered 410: nothing is to be sent to it any more.";
  if (status === 429) return "It answered 429: it asks us to slow down.";
  return `It answered ${status}.`;
}

const sentenceOf = (error: unknown, timedOut: boolean): string =>
  timedOut ? "It did not answer in time." : (noAnswerWords(error) ?? "It cannot be reached.");
