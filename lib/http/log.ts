import pino from "pino";
import { singleton } from "#lib/core/singleton.ts";

/** Structured log to stdout. Callers pass ids and durations, never headers, bodies or secrets. */
export const log = singleton("log", () =>
  pino({
    level: process.env.LOG_LEVEL || "info",
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ["*.password", "*.api_key", "*.authorization", "*.cookie", "*.secret", "*.token"],
      censor: "[redacted]",
    },
  }),
);
