import { log } from "#lib/core/log.ts";
import { singleton } from "#lib/core/singleton.ts";

/**
 * Events that must never happen on a connection, counted since the process began: `late` calls on a handle whose work
 * had ended, `destroyed` connections that were not clean, and `crossed` answers under another workspace than their
 * caller's.
 */
export const alarms = singleton("db-alarms", () => ({ late: 0, destroyed: 0, crossed: 0 }));

/** An answer that was given under another workspace, or in someone else's transaction. It is never passed on. */
export class CrossedWorkspace extends Error {
  override readonly name = "CrossedWorkspace";
}

/** A call on a handle whose work had ended; nothing was sent. */
export class WorkEnded extends Error {
  override readonly name = "WorkEnded";
}

/** Counts, logs and makes the error of a call that came too late. */
export function tooLate(operation: string, what: string): WorkEnded {
  alarms.late++;
  const error = new WorkEnded(`${what} was asked for after the work of ${operation} had ended`);
  log.error({ operation, err: error }, "a database handle was used after its work");
  return error;
}

/** Counts and logs an answer that is not the caller's, and returns the error for it. */
export function crossed(operation: string, why: string): CrossedWorkspace {
  alarms.crossed++;
  const error = new CrossedWorkspace(`an answer to ${operation} was refused: ${why}`);
  log.fatal(
    { operation, alarm: "workspace_crossed", err: error },
    "ALARM: an answer under another workspace was refused",
  );
  return error;
}

/** Counts and logs a connection that is thrown away because it was not clean. */
export function destroyed(operation: string, why: string): void {
  alarms.destroyed++;
  log.error({ operation, why }, "a database connection was not clean and is closed");
}
