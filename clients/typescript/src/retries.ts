/** How often a request is sent again, and what it waits for. */
export type Retries = {
  /** How many times a request is sent again; 2 unless you say otherwise. */
  retries?: number | undefined;
  /** Seconds. An answer that asks for a longer wait is passed on; 60 unless you say otherwise. */
  longestWait?: number | undefined;
};

type Send = (request: Request) => Promise<Response>;

/** May be sent twice: a POST that writes carries an Idempotency-Key, the same each time. */
const repeatable: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"]);

/**
 * Sends a request again after 429 and 503, and after a fault of the network where the request may be repeated. It waits as
 * long as `Retry-After` says, else half a second, then a second and so on.
 */
export function withRetries(send: Send, { retries = 2, longestWait = 60 }: Retries = {}): Send {
  return async (request) => {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries;
      const outcome = await send(isLast ? request : request.clone()).catch((error: unknown) => {
        const isFault = error instanceof TypeError && !request.signal.aborted;
        if (isLast || !isFault || !repeatable.has(request.method)) throw error;
        return null;
      });
      if (outcome && (isLast || !asksToRepeat(request, outcome))) return outcome;
      const wait = (outcome && retryAfter(outcome)) ?? standardWait(attempt);
      if (outcome && wait > longestWait) return outcome;
      await outcome?.body?.cancel();
      await pause(wait * 1000, request.signal);
    }
  };
}

/** 429 comes before any work; after 503 the work may be done. A 409 with `Retry-After`: the first attempt still runs. */
const asksToRepeat = ({ method }: Request, { status, headers }: Response): boolean =>
  status === 429 ||
  (status === 503 && repeatable.has(method)) ||
  (status === 409 && method === "POST" && headers.has("Retry-After"));

/** Seconds; null for an answer that does not say. */
function retryAfter({ headers }: Response): number | null {
  const text = headers.get("Retry-After")?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1000);
}

/** Many clients that were refused at once come back at different times. */
const standardWait = (attempt: number): number => 0.5 * 2 ** attempt * (0.5 + Math.random() / 2);

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
