import { Fault } from "#lib/core/errors.ts";
import type { Db } from "#lib/db/handle.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { isAnybodyThere, lockSignUps } from "./queries/users.ts";

/** Whether there is any user on this server yet. */
export const isFirstVisit = (): Promise<boolean> => withoutWorkspace(async (db) => !(await isAnybodyThere(db)));

/** Whether a stranger may sign up right now: SIGNUPS, and when it is unset only the first person. */
export async function areSignUpsOpen(): Promise<boolean> {
  const { SIGNUPS } = getBoot().env;
  return SIGNUPS === "open" || (SIGNUPS === undefined && (await isFirstVisit()));
}

/**
 * Throws 403 `signups_closed` unless a stranger may sign up in the running transaction. When two sign up as the first,
 * the second waits here until the first has committed.
 */
export async function requireOpenSignUps(db: Db): Promise<void> {
  const { SIGNUPS } = getBoot().env;
  if (SIGNUPS === "open") return;
  if (SIGNUPS === "invite") throw new Fault("signups_closed");
  await lockSignUps(db);
  if (await isAnybodyThere(db)) throw new Fault("signups_closed");
}
