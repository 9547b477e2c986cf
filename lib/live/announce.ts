import { singleton } from "#lib/core/singleton.ts";

/** Something just committed: whoever shows it reads it again. `seq` is the observation's. */
export type Announcement = { topic: "activity"; entity_id: string; seq: number };
type Listener = (announcement: Announcement) => void;

const listeners = singleton<Map<string, Set<Listener>>>("live", () => new Map());

/** Tells every subscriber of the workspace. Call it after the commit; one that is lost costs nobody anything but time. */
export function announce(workspaceId: string, announcement: Announcement): void {
  for (const listener of listeners.get(workspaceId) ?? []) listener(announcement);
}

/** Calls `listener` for every announcement of the workspace until the returned function is called. */
export function subscribe(workspaceId: string, listener: Listener): () => void {
  const known = listeners.get(workspaceId) ?? new Set();
  listeners.set(workspaceId, known.add(listener));
  return () => {
    known.delete(listener);
    if (known.size === 0 && listeners.get(workspaceId) === known) listeners.delete(workspaceId);
  };
}
