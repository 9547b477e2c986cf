import { log } from "#lib/core/log.ts";
import { singleton } from "#lib/core/singleton.ts";

/** We know all fields of a request's line, and searching them for secrets would take longer than writing the line. */
const plain = singleton("request-log", () => log.child({}, { redact: [], level: "info" }));

/** Logs the line of a request; `fields` hold plain values only. */
export function logRequest(fields: Readonly<Record<string, string | number | null | undefined>>): void {
  if (log.isLevelEnabled("info")) plain.info(fields, "request");
}
