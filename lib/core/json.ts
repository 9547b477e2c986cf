import { Fault } from "./errors.ts";
import { checkShape, MAX_DEPTH } from "./json-shape.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The JSON of a body, or with `lines` of each of its lines that is not blank: in UTF-8, and of a shape that takes no long
 * time to read unless `anyShape`. Throws `invalid_json` and `invalid_parameter`. What its text says is not checked.
 */
export function parseJson(body: Uint8Array, { lines = false, anyShape = false } = {}): unknown {
  if (!anyShape) checkShape(body, lines);
  try {
    const text = utf8.decode(body);
    return lines ? linesIn(text) : JSON.parse(text);
  } catch (error) {
    throw error instanceof Fault ? error : new Fault("invalid_json");
  }
}

const linesIn = (text: string): unknown[] =>
  text.split("\n").flatMap((line, index) => (line.trim() === "" ? [] : [jsonOfLine(line, index + 1)]));

function jsonOfLine(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault("invalid_json", { line }, `Line ${line} of the body is not JSON.`);
  }
}

/** A string Postgres and JSON cannot carry: U+0000 or a lone surrogate. */
export const isBrokenText = (text: string): boolean => text.includes("\u0000") || !text.isWellFormed();

/**
 * Refuses what no endpoint accepts in a parsed JSON value: broken text, numbers outside the range JSON carries exactly,
 * the key `__proto__`, nesting deeper than 64. Throws `invalid_parameter` that names the place.
 */
export function checkJson(root: unknown): void {
  const trail: (string | number)[] = [];
  const refuse = (what: string): Fault => {
    const parameter = trail.join(".").slice(0, 200);
    return new Fault("invalid_parameter", { parameter }, `${parameter || "The input"} ${what}`);
  };

  /** Recursion ends at the deepest level accepted. */
  const visit = (value: unknown): void => {
    if (typeof value === "string") {
      if (isBrokenText(value)) throw refuse("holds U+0000 or a lone surrogate.");
    } else if (typeof value === "number") {
      if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
        throw refuse("is a number outside the range JSON carries exactly.");
    } else if (typeof value === "object" && value !== null) {
      if (trail.length >= MAX_DEPTH) throw refuse(`is nested deeper than ${MAX_DEPTH} levels.`);
      if (Array.isArray(value)) value.forEach(descend);
      else {
        for (const [key, member] of Object.entries(value)) {
          if (isBrokenText(key)) throw refuse("has a key that holds U+0000 or a lone surrogate.");
          if (key === "__proto__") throw refuse("has a key __proto__, which is not kept.");
          descend(member, key);
        }
      }
    }
  };
  const descend = (value: unknown, place: string | number): void => {
    trail.push(place);
    visit(value);
    trail.pop();
  };
  visit(root);
}

/** JSON with object keys in code-unit order: equal values have equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** An output that is already JSON, for lists whose rows the database keeps in their final form. */
export class JsonText<T> {
  readonly text: string;
  /** Never set: carries the type of what the text parses to. */
  declare readonly value: T;

  constructor(text: string) {
    this.text = text;
  }

  parse(): T {
    return JSON.parse(this.text) as T;
  }
}

/** The fields that have a value: what is not given stays as it is. */
export const withoutUndefined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
