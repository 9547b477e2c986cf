import { setTimeout as sleep } from "node:timers/promises";

/**
 * The result of `work`, or `otherwise` when it takes longer than `ms`. The work goes on, and its late result is
 * dropped.
 */
export async function inTime<T>(ms: number, work: Promise<T>, otherwise: T): Promise<T> {
  const done = new AbortController();
  const patience = sleep(ms, otherwise, { signal: done.signal, ref: false }).catch(() => otherwise);
  try {
    return await Promise.race([work, patience]);
  } finally {
    done.abort();
  }
}
