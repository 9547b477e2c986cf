import { setImmediate as turn } from "node:timers/promises";

/** Items of a long loop that are worked on before others get the event loop: a few milliseconds of the costliest. */
const AT_ONCE = 64;

/**
 * Awaited in a long loop with the item's place, from 0: after every 64th item others have their turn. A short loop never waits. `atOnce`:
 * fewer, where each takes longer.
 */
export async function giveTurn(place: number, atOnce = AT_ONCE): Promise<void> {
  if (place % atOnce === atOnce - 1) await turn();
}
