import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { checkedLookup, NotPublic, type Permits, type Resolve, requirePermitted } from "../checked-lookup.ts";
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
  /** the only hosts it may lead to, as `isListed` takes them */
  hosts?: readonly string[];
  /** whether it must be https */
  encrypted?: boolean;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** how names are resolved, and which addresses are allowed; for tests */
  resolve?: Resolve;
  permits?: Permits;
};

const keeping = { keepAlive: true, maxFreeSockets: 256, timeout: IDLE_MS };
const connections = () => ({ "http:": new HttpAgent(keeping), "https:": new HttpsAgent(keeping) });
/** Apart, because a kept connection is used again without a look at its address. */
const agents = { anywhere: connections(), public: connections() };

/**
 * Sends one POST to an address that a tenant chose, and keeps at most 4 KiB of the answer. The name is resolved for the
 * connection itself, so the address that was checked is the one connected to. Redirects are not followed. Never throws.
 */
export async function post(message: Post, terms: Terms): Promise<Answer> {
  const begun = performance.now();
  const signal = AbortSignal.any([
    AbortSignal.timeout(terms.timeoutMs ?? TIMEOUT_MS),
    ...(terms.signal ? [terms.signal] : []),
  ]);
  const none = { ok: false, status: null, body: null, cut: false, retryAfterMs: null };
  const failed = (error: unknown): Answer => ({
    ...none,
    problem: error instanceof NotPublic ? error.message : sentenceOf(error, signal.aborted),
    ms: Math.round(performance.now() - begun),
  });
  try {
    const answer = await send(message, terms, signal);
    return { ...answer, ms: Math.round(performance.now() - begun) };
  } catch (error) {
    return failed(error);
  }
}

/** The request; once more when a kept connection turned out to be closed before anything was answered. */
async function send(message: Post, terms: Terms, signal: AbortSignal) {
  for (let again = false; ; again = true) {
    try {
      return await exchange(message, terms, signal, again);
    } catch (error) {
      if (again || !(error instanceof Stale)) throw error;
    }
  }
}

class Stale extends Error {}

async function exchange(
  { url, headers, body }: Post,
  { privateAllowed, hosts, encrypted, permits, resolve }: Terms,
  signal: AbortSignal,
  fresh: boolean,
): Promise<Omit<Answer, "ms">> {
  const target = new URL(url);
  const permitted = privateAllowed ? () => true : permits;
  requirePermitted(target, permitted, hosts);
  const secure = target.protocol === "https:";
  if (encrypted && !secure) throw new NotPublic("This server sends to https:// addresses only.");
  const options = {
    method: "POST",
    agent: fresh ? false : agents[privateAllowed ? "anywhere" : "public"][secure ? "https:" : "http:"],
    lookup: checkedLookup(permitted, resolve),
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
