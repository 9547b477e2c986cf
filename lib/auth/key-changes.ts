import { singleton } from "#lib/core/singleton.ts";
import { type Listening, listen } from "#lib/db/listen.ts";
import { forgetGrants } from "./grant-cache.ts";

const state = singleton<{ listening: Listening | null }>("key-changes", () => ({ listening: null }));

/**
 * Drops cached grants as soon as the database notifies that a key, role or plan changed (`rapport_keys`, payload: workspace
 * id) or a session ended (payload: user id), and all of them whenever a notification may have been missed.
 */
export async function startKeyChanges(): Promise<void> {
  state.listening ??= await listen("rapport_keys", forgetGrants, () => forgetGrants());
}

export async function stopKeyChanges(): Promise<void> {
  const { listening } = state;
  state.listening = null;
  await listening?.stop();
}
