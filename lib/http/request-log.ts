import { log } from "#lib/core/log.ts";
import { singleton } from "#lib/core/singleton.ts";

/** Of the fields of a request's line we know every one, and looking through them for secrets takes longer than the line. */
const plain = singleton("request-log", () => log.child({}, { redact: [], level: "info" }));

/** The line that every request leaves; `fields` hold plain values only. */
export function logRequest(fields: Readonly<Record<string, string | number | null | undefined>>): void {
  if (log.isLevelEnabled("info")) plain.info(fields, "request");
}
