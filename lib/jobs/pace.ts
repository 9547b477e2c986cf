import { setTimeout as sleep } from "node:timers/promises";
import { singleton } from "#lib/core/singleton.ts";

const turns = singleton<Map<string, number>>("paces", () => new Map());

/** Names whose turn is long over are forgotten beyond this many. */
const MOST_NAMES = 10_000;

/**
 * Waits until the next call of this name is due: `gapMs` after the one before it. Jobs that call one portal do not run
 * at once, so the pace of a process is that of the portal.
 */
export async function takeTurn(name: string, gapMs: number): Promise<void> {
  const now = Date.now();
  if (turns.size > MOST_NAMES) for (const [old, due] of turns) if (due < now) turns.delete(old);
  const due = Math.max(now, (turns.get(name) ?? 0) + gapMs);
  turns.set(name, due);
  if (due > now) await sleep(due - now);
}
