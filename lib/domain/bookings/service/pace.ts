import { setTimeout as sleep } from "node:timers/promises";
import { singleton } from "#lib/core/singleton.ts";

/** The provider allows 120 calls per minute and key; this leaves room for the people who use the same account. */
const GAP_MS = 600;

const turns = singleton<Map<string, number>>("booking-calls", () => new Map());

/** Waits until the connection's next call is due: at most 100 a minute. Jobs of one connection do not run at once. */
export async function takeTurn(connectionId: string): Promise<void> {
  const now = Date.now();
  const due = Math.max(now, (turns.get(connectionId) ?? 0) + GAP_MS);
  turns.set(connectionId, due);
  if (due > now) await sleep(due - now);
}
