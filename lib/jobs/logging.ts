import { Logger } from "graphile-worker";
import { log } from "#lib/core/log.ts";
import { isUnavailable } from "#lib/core/unavailable.ts";

const levels = { error: "error", warning: "warn", info: "debug", debug: "trace" } as const;

/** The worker's own messages, in our log; what a job did is logged by lib/worker/worker.ts. */
export const logger = new Logger(() => (level, message, meta) => {
  if (message.startsWith("Failed task ")) return;
  // That the database is away is logged once (`lib/core/log.ts`); the worker finds it again by itself.
  const away = isUnavailable(meta?.error);
  log[away ? "debug" : (levels[level as keyof typeof levels] ?? "debug")](message);
});

/** Only warnings and errors. */
export const quiet = new Logger(() => (level, message) => {
  if (level === "error") log.error(message);
});
