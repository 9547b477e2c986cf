import type { WorkspaceId } from "#lib/core/ids.ts";
import { singleton } from "#lib/core/singleton.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { addCalls, type Call, type Calls, keepCalls, LATEST_CALLS } from "./queries/calls.ts";

type ClientCalls = { calls: number; lastAt: number };
/** Of one caller on one day (in UTC, counted from 1970): its clients, and its last calls, the latest last. */
type Of = {
  workspaceId: WorkspaceId;
  callerId: string;
  day: number;
  clients: Map<string, ClientCalls>;
  latest: RecentCall[];
};
/** A call; its time is written out when it is stored, which most calls never are. */
type RecentCall = Omit<Call, "at"> & { at: number };
type Counts = { byCaller: Map<string, Of>; writing: Promise<void> | null };

const counts = singleton<Counts>("client-calls", () => ({ byCaller: new Map(), writing: null }));

const WRITE_EVERY_MS = 10_000;
const UNNAMED = "unknown";
/** A caller may send any name, so only so many are told apart between two writes; more are counted together. */
const MOST_CLIENTS = 20;
const THE_REST = "other";
const MOST_CALLERS = 20_000;

/** Who called: a key or a connected client, and what the client calls itself. */
export type Calling = { workspaceId: WorkspaceId; callerId: string; client: string | null };

/**
 * Counts a call under what the client calls itself, and keeps it among the caller's last. Written every ten seconds and
 * when the server stops, so a crash loses a few seconds of it. Requests never wait for it.
 */
export function noteCall(
  { workspaceId, callerId, client }: Calling,
  call: Omit<Call, "at" | "client">,
  now = Date.now(),
): void {
  const day = Math.floor(now / DAY_MS);
  const place = `${callerId} ${day}`;
  let of = counts.byCaller.get(place);
  if (!of) {
    if (counts.byCaller.size >= MOST_CALLERS) return;
    of = { workspaceId, callerId, day, clients: new Map(), latest: [] };
    counts.byCaller.set(place, of);
  }
  const named = client ?? UNNAMED;
  const name = of.clients.has(named) || of.clients.size < MOST_CLIENTS ? named : THE_REST;
  const counted = of.clients.get(name);
  if (counted) {
    counted.calls += 1;
    counted.lastAt = now;
  } else of.clients.set(name, { calls: 1, lastAt: now });
  of.latest.push({ at: now, ...call, client });
  if (of.latest.length >= 2 * LATEST_CALLS) of.latest.splice(0, of.latest.length - LATEST_CALLS);
}

/** Adds what was counted to the database; what could not be written is kept for the next time. */
export async function writeCalls(): Promise<void> {
  while (counts.writing) await counts.writing.catch(() => undefined);
  counts.writing = writeCounted().finally(() => {
    counts.writing = null;
  });
  return counts.writing;
}

async function writeCounted(): Promise<void> {
  const taken = [...counts.byCaller.values()];
  counts.byCaller.clear();
  const byWorkspace = Map.groupBy(taken, ({ workspaceId }) => workspaceId);
  let failure: { first: unknown } | undefined;
  for (const [workspaceId, callers] of byWorkspace) {
    const rows = callers.flatMap(({ callerId, day, clients }) =>
      [...clients].map(
        ([client, { calls, lastAt }]): Calls => ({
          callerId,
          day: new Date(day * DAY_MS).toISOString().slice(0, 10),
          client,
          calls,
          lastAt: new Date(lastAt),
        }),
      ),
    );
    try {
      await withWorkspace(workspaceId, async (db) => {
        await addCalls(db, rows);
        await keepCalls(db, latestOf(callers));
      });
    } catch (error) {
      failure ??= { first: error };
      for (const one of callers) putBack(one);
    }
  }
  if (failure) throw failure.first;
}

/** The last calls of each caller, newest first; around midnight a caller has two days of them. */
function latestOf(callers: readonly Of[]): { callerId: string; calls: Call[] }[] {
  const inOrder = [...callers].sort((a, b) => a.day - b.day);
  return [...Map.groupBy(inOrder, ({ callerId }) => callerId)].map(([callerId, days]) => ({
    callerId,
    calls: days
      .flatMap(({ latest }) => latest)
      .slice(-LATEST_CALLS)
      .reverse()
      .map((call) => ({ ...call, at: new Date(call.at).toISOString() })),
  }));
}

/** Adds what could not be written to what came meanwhile. */
function putBack({ workspaceId, callerId, day, clients, latest }: Of): void {
  const place = `${callerId} ${day}`;
  const now = counts.byCaller.get(place);
  if (!now) {
    counts.byCaller.set(place, { workspaceId, callerId, day, clients, latest });
    return;
  }
  now.latest = [...latest, ...now.latest].slice(-LATEST_CALLS);
  for (const [client, { calls, lastAt }] of clients) {
    const newer = now.clients.get(client);
    if (newer) newer.calls += calls;
    else now.clients.set(client, { calls, lastAt });
  }
}

/** Writes counts until the returned function is called, which writes the rest. */
export function startCalls(report: (error: unknown) => void): () => Promise<void> {
  const timer = setInterval(() => void writeCalls().catch(report), WRITE_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await writeCalls().catch(report);
  };
}
