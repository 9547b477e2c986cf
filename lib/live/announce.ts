import { newId } from "#lib/core/ids.ts";
import { singleton } from "#lib/core/singleton.ts";
import { together } from "#lib/core/together.ts";
import { type Listening, listen, type Notifier, notifier } from "#lib/db/listen.ts";

/**
 * Something was just committed: pages that show it fetch it again. `activity`: the record with news, and the
 * observation's `seq`. `integrations`: connections, deliveries or backfills changed. `changes`: the feed of changes has
 * something new that is no activity. `approvals`: a change waits for approval, or waits no longer. `events`: events wait for
 * triggers. `triggers`: a person changed triggers or their queues. `deliveries`: deliveries were tried. `scores`: ICP scores
 * or the scoring model changed. `imports`: an import changed, or is further. `tasks`: tasks were added, changed or deleted.
 * `bulk-actions`: a bulk action changed, or is further. `user_id`: only this member's pages may know, because it tells when their mail came.
 */
export type Announcement = { topic: "activity"; entity_id: string; seq: number } | { topic: Plain; user_id?: string };

type Plain =
  | "integrations"
  | "changes"
  | "approvals"
  | "events"
  | "triggers"
  | "deliveries"
  | "scores"
  | "imports"
  | "tasks"
  | "bulk-actions";

/** Null: announcements may have been missed; read again from the last seq you know. */
export type Listener = (announcement: Announcement | null) => void;

const CHANNEL = "rapport_live";
/** How long announcements wait for more, to be sent to the other instances together. */
const GATHER_MS = 50;
/** Postgres carries less than 8,000 bytes in a notification. */
const MOST_BYTES = 7_500;

/** Hears of every workspace; null: announcements may have been missed. */
export type EveryListener = (event: { workspaceId: string; announcement: Announcement } | null) => void;

type Live = {
  /** distinguishes our own notifications from those of other instances */
  instance: string;
  listeners: Map<string, Set<Listener>>;
  everywhere: Set<EveryListener>;
  waiting: { workspaceId: string; announcement: Announcement }[];
  timer: NodeJS.Timeout | null;
  listening: Listening | null;
  notifier: Notifier | null;
};

const live = singleton<Live>("live", () => ({
  instance: newId(),
  listeners: new Map(),
  everywhere: new Set(),
  waiting: [],
  timer: null,
  listening: null,
  notifier: null,
}));

/**
 * Tells every subscriber of the workspace: in this instance now, in the others within a moment. Call it after the
 * commit. An announcement that is lost in a crash only causes a delay, because readers continue from the last seq they
 * know.
 */
export function announce(workspaceId: string, announcement: Announcement): void {
  tell(workspaceId, announcement);
  if (!live.notifier) return;
  // A subscriber who gets it twice in a moment would fetch only once anyway.
  if (live.waiting.some((one) => isSame(one, workspaceId, announcement))) return;
  live.waiting.push({ workspaceId, announcement });
  live.timer ??= setTimeout(flush, GATHER_MS).unref();
}

const isSame = (waiting: Live["waiting"][number], workspaceId: string, announcement: Announcement): boolean =>
  announcement.topic !== "activity" &&
  waiting.announcement.topic !== "activity" &&
  waiting.workspaceId === workspaceId &&
  waiting.announcement.topic === announcement.topic &&
  waiting.announcement.user_id === announcement.user_id;

/** Calls `listener` for every announcement of the workspace until the returned function is called. */
export function subscribe(workspaceId: string, listener: Listener): () => void {
  const listeners = live.listeners.get(workspaceId) ?? new Set();
  live.listeners.set(workspaceId, listeners.add(listener));
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && live.listeners.get(workspaceId) === listeners) live.listeners.delete(workspaceId);
  };
}

/** Calls `listener` for every announcement of all workspaces until the returned function is called. */
export function subscribeToAll(listener: EveryListener): () => void {
  live.everywhere.add(listener);
  return () => void live.everywhere.delete(listener);
}

/** Connects this instance with the others of the same database. */
export async function startLive(): Promise<void> {
  live.notifier ??= notifier(CHANNEL);
  live.listening ??= await listen(CHANNEL, hear, () => {
    for (const workspaceId of live.listeners.keys()) tell(workspaceId, null);
    for (const listener of live.everywhere) listener(null);
  });
}

/** Sends pending announcements, and ends both connections. */
export async function stopLive(): Promise<void> {
  if (live.timer) flush();
  const { listening, notifier: sending } = live;
  live.listening = null;
  live.notifier = null;
  await together([listening?.stop(), sending?.stop()]);
}

function tell(workspaceId: string, announcement: Announcement | null): void {
  for (const listener of live.listeners.get(workspaceId) ?? []) listener(announcement);
  if (announcement) for (const listener of live.everywhere) listener({ workspaceId, announcement });
}

/**
 * The format of a notification: the instance, then `[workspace, topic]` of each, with the entity and the seq of an
 * activity, and the member where only one may know.
 */
type Wire = [instance: string, ...([string, "activity", string, number] | [string, Plain, string?])[]];

function wireOf(workspaceId: string, announcement: Announcement): Wire[1] {
  if (announcement.topic === "activity")
    return [workspaceId, announcement.topic, announcement.entity_id, announcement.seq];
  const { topic, user_id } = announcement;
  return user_id === undefined ? [workspaceId, topic] : [workspaceId, topic, user_id];
}

function flush(): void {
  if (live.timer) clearTimeout(live.timer);
  live.timer = null;
  const waiting = live.waiting.splice(0);
  let parts: string[] = [];
  let size = 0;
  const send = () => {
    if (parts.length > 0) live.notifier?.send(`["${live.instance}",${parts.join(",")}]`);
    parts = [];
    size = 0;
  };
  for (const { workspaceId, announcement } of waiting) {
    const part = JSON.stringify(wireOf(workspaceId, announcement));
    if (size + part.length > MOST_BYTES) send();
    parts.push(part);
    size += part.length + 1;
  }
  send();
}

function hear(payload: string): void {
  const [instance, ...told] = JSON.parse(payload) as Wire;
  if (instance === live.instance) return;
  for (const [workspaceId, topic, id, seq] of told)
    tell(workspaceId, topic === "activity" ? { topic, entity_id: id, seq } : { topic, ...(id ? { user_id: id } : {}) });
}
