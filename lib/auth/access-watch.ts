import type { Caller } from "#lib/core/context.ts";
import { singleton } from "#lib/core/singleton.ts";

/** `all`: a notification may have been missed, so everyone is told at once. */
type AccessListener = (all: boolean) => void;

/** By id of a workspace or of a user. */
const watchers = singleton("access-watchers", () => new Map<string, Set<AccessListener>>());

/**
 * Calls `changed` when something about keys, members or the plan of the caller's workspace has changed, or a session of the user
 * ended, until the returned function is called. For what stays open longer than a request.
 */
export function watchAccess({ workspaceId, actor }: Pick<Caller, "workspaceId" | "actor">, changed: AccessListener) {
  const ids = [workspaceId, ...(actor.type === "user" ? [actor.id] : [])];
  for (const id of ids) watchers.set(id, (watchers.get(id) ?? new Set()).add(changed));
  return (): void => {
    for (const id of ids) {
      const listeners = watchers.get(id);
      listeners?.delete(changed);
      if (listeners?.size === 0) watchers.delete(id);
    }
  };
}

/** Tells those who watch this workspace or user; without an id everyone. */
export function tellWatchers(id?: string): void {
  if (id !== undefined) for (const changed of [...(watchers.get(id) ?? [])]) changed(false);
  else for (const changed of new Set([...watchers.values()].flatMap((each) => [...each]))) changed(true);
}
