/**
 * Mixed load, right and hostile, on the app as it is, and what the process holds after a garbage collection, minute by minute.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Memory } from "./app.ts";
import type { Chance } from "./chance.ts";
import { type Play, play } from "./play.ts";

/** Growth after the first minute that is allowed, as a share. */
export const MOST_GROWTH = 0.05;

const MINUTE_MS = 60_000;

/** Plays for this many minutes and returns the share by which the memory grew after the first. */
export async function soak(minutes: number, chance: Chance, on: Play): Promise<Memory> {
  const taken: Memory[] = [];
  for (let minute = 1; minute <= Math.max(2, minutes); minute++) {
    await play(MINUTE_MS, chance.fork(), false, on);
    await sleep(1_000); // time to notice clients that hung up, and to finish what was queued
    const memory = await on.app.memory();
    taken.push(memory);
    console.log(`minute ${minute}: RSS ${mebibytes(memory.rss)} MiB, heap ${mebibytes(memory.heap)} MiB`);
  }
  const [first, last] = [taken[0] as Memory, taken.at(-1) as Memory];
  const growth = { rss: last.rss / first.rss - 1, heap: last.heap / first.heap - 1 };
  console.log(`growth after the first minute: RSS ${percent(growth.rss)}, heap ${percent(growth.heap)}`);
  return growth;
}

const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
