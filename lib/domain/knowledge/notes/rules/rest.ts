/** How long a note waits after its first failure, twice as long each time, at most an hour. It is never given up. */
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 3_600_000;

/** How long a failed note waits, in milliseconds; `attempts` counts the one that failed. */
export const backOffMs = (attempts: number): number => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));

/** Until when the endpoint is left alone (milliseconds since 1970), after this many failures in a row. */
export type Rest = { readonly until: number; readonly failures: number };

export const noRest: Rest = { until: 0, failures: 0 };

/** Notes that wait for the endpoint are tried within a minute after it works again. */
const LONGEST_REST_MS = 60_000;

/** The rest after a failure at `now`: as long as the endpoint asks for, else 5 s and twice as long each time. */
export function restAfter({ failures }: Rest, now: number, retryAfterMs: number | null): Rest {
  const ms = Math.max(retryAfterMs ?? 0, Math.min(LONGEST_REST_MS, backOffMs(failures + 1)));
  return { until: now + ms, failures: failures + 1 };
}
