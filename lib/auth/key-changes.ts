import { singleton } from "#lib/core/singleton.ts";
import type { Db } from "#lib/db/handle.ts";
import { type Listening, listen } from "#lib/db/listen.ts";
import { forgetGrants } from "./grant-cache.ts";
import { notifyKeyChange } from "./queries/api-keys.ts";

const state = singleton<{ listening: Listening | null }>("key-changes", () => ({ listening: null }));

/**
 * Makes every instance forget, with the COMMIT, what keys and tokens of the workspace may do; this one before the change is answered.
 * For each change to a key, grant, role or plan. No trigger does it, because one would tell only the machine of the row.
 */
export async function tellAccessChange(db: Db): Promise<void> {
  const workspaceId = await notifyKeyChange(db);
  db.afterCommit(() => forgetGrants(workspaceId));
}

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
