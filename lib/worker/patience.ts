import { singleton } from "#lib/core/singleton.ts";

/**
 * How long a process that runs jobs waits before it looks again, in milliseconds. Tests that kill processes and databases have
 * less of it (`lib/testing/hasty.fixture.ts`).
 */
export const patience = singleton("worker-patience", () => ({
  /** A worker that lost its database tries to start again. */
  restartMs: 5_000,
  /** Jobs of processes that died are released. */
  sweepMs: 10_000,
  /** Workspaces are looked at whose announcements may have been lost, or whose retries are due. */
  scanMs: 15_000,
}));
