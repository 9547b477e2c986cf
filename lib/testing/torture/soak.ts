/**
 * Mixed load, right and hostile, on the app as it is, and what the process takes and holds, minute by minute: as it is, and after
 * a garbage collection.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Memory } from "./app.ts";
import type { Chance } from "./chance.ts";
import { type Play, play } from "./play.ts";

/** Growth that is allowed after the first third, in which caches fill, as a share. */
const MOST_GROWTH = 0.03;

const MINUTE_MS = 60_000;

/** `most`: how many megabytes the process may take; 0: any. */
type Limits = { minutes: number; most: number };

/** Plays for this many minutes. It is wrong when what the process holds grows after the first third, or when it takes more than it
 * may. */
export async function soak({ minutes, most }: Limits, chance: Chance, on: Play): Promise<void> {
  const { app, tenants, ledger, verdict } = on;
  for (const { letter, stage } of tenants) ledger.own(letter, stage.id);
  const measured: Memory[] = [];
  for (let minute = 1; minute <= Math.max(2, minutes); minute++) {
    await play(MINUTE_MS, chance.fork(), false, on);
    await sleep(1_000); // time to notice clients that hung up, and to finish what was queued
    const memory = await app.memory();
    measured.push(memory);
    const { taken, rss, heap } = memory;
    console.log(
      `minute ${minute}: takes ${megabytes(taken)} MB; holds RSS ${megabytes(rss)} MB, heap ${megabytes(heap)} MB`,
    );
  }
  const [first, last] = [measured[Math.floor(minutes / 3)] as Memory, measured.at(-1) as Memory];
  for (const of of ["rss", "heap"] as const) {
    const growth = last[of] / first[of] - 1;
    console.log(`growth of the ${of} held after the first third: ${percent(growth)}`);
    if (growth >= MOST_GROWTH) verdict.wrong("memory", `the ${of} held grew by ${percent(growth)}`);
  }
  const taken = Math.max(...measured.map((memory) => memory.taken));
  if (most > 0 && taken > most * 1e6) verdict.wrong("memory", `the process took ${megabytes(taken)} MB`);
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
