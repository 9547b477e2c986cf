import { createHash } from "node:crypto";
import pino from "pino";
import type { OutageEvent } from "./outage.ts";
import { singleton } from "./singleton.ts";
import type { Stall } from "./stalls.ts";

/** How an error is logged. A database error's detail quotes the row it is about, so it is left out. */
function faultOf(fault: unknown): unknown {
  if (!(fault instanceof Error)) return { message: String(fault) };
  const { code, constraint, table } = fault as { code?: unknown; constraint?: unknown; table?: unknown };
  const cause = fault.cause === undefined ? {} : { cause: faultOf(fault.cause) };
  return { type: fault.name, message: fault.message, code, constraint, table, stack: fault.stack, ...cause };
}

/** Lines are written in batches, at the latest after this time and when the process ends. */
const FLUSH_MS = 100;

/** Structured log to stdout. Callers pass ids and durations, never headers, bodies or secrets. */
export const log = singleton("log", () =>
  pino(
    {
      serializers: { err: faultOf },
      level: process.env.LOG_LEVEL || "info",
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ["*.password", "*.api_key", "*.authorization", "*.cookie", "*.secret", "*.token"],
        censor: "[redacted]",
      },
    },
    pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: FLUSH_MS }),
  ),
);

/** For a text that the log must not tell: equal texts have equal hashes, and one that is known can be looked for. */
export const hashForLog = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** One line when the database goes away and one when it is back; in between each request logs `not_ready` itself. */
export function logOutage(event: OutageEvent): void {
  if (event.type === "away")
    log.error({ reason: event.reason }, "the database is away; requests are answered 503 until it is back");
  else log.warn({ ms: Math.round(event.ms) }, "the database is back");
}

/** The event loop was blocked: no request was answered meanwhile. */
export function logStall(stall: Stall): void {
  const ours = stall.cpu_ms * 2 > stall.ms;
  log.warn(stall, ours ? "the event loop stalled" : "the event loop stalled: the machine gave the process no time");
}
