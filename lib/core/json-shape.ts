import { Fault } from "./errors.ts";

/** A smaller body cannot keep the process busy for long, whatever its shape. */
const SMALL_BYTES = 64 * 1024;
export const MAX_DEPTH = 64;
/** Members of one object. V8 reads an object with hundreds of thousands of names a hundred times slower than rows of few. */
export const MOST_MEMBERS = 10_000;
/** Values of a body: several times as many as in the largest batch. */
export const MOST_VALUES = 300_000;

/** Start value for a list, which has no limit of its own, so that its count never reaches an object's limit. */
const UNCOUNTED = -MOST_VALUES;

const [QUOTE, COMMA, BACKSLASH, NEWLINE] = [0x22, 0x2c, 0x5c, 0x0a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses a large body that would take seconds to parse, during which no other request is answered: too many values,
 * too many members in one object, or nested too deep. Scans the bytes once, about 2 ms a MiB, before they are parsed;
 * invalid JSON is left to the parser. `lines`: one value a line. Throws `invalid_parameter`.
 */
export function checkShape(body: Uint8Array, lines = false): void {
  if (body.length <= SMALL_BYTES) return;
  const members = new Int32Array(MAX_DEPTH + 1).fill(UNCOUNTED);
  let depth = 0;
  let values = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] as number;
    if (byte === QUOTE) at = endOfString(body, at, lines);
    else if (byte === COMMA) {
      if (++values > MOST_VALUES) throw refusal(`holds more than ${MOST_VALUES.toLocaleString("en")} values.`);
      if (++(members[depth] as number) >= MOST_MEMBERS)
        throw refusal(`has an object of more than ${MOST_MEMBERS.toLocaleString("en")} members.`);
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (++depth > MAX_DEPTH) throw refusal(`is nested deeper than ${MAX_DEPTH} levels.`);
      members[depth] = byte === OPEN_LIST ? UNCOUNTED : 0;
      values++;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth = Math.max(0, depth - 1);
    else if (byte === NEWLINE && lines) depth = 0;
  }
}

/** Where the string that begins at `start` ends; in NDJSON at the end of the line at the latest. */
function endOfString(body: Uint8Array, start: number, lines: boolean): number {
  let at = start + 1;
  for (; at < body.length; at++) {
    const byte = body[at];
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) return at;
    else if (byte === NEWLINE && lines) return at - 1;
  }
  return at;
}

const refusal = (what: string): Fault => new Fault("invalid_parameter", { parameter: "" }, `The input ${what}`);
