import { Fault } from "./errors.ts";
import { MAX_DEPTH } from "./json-shape.ts";

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
    return new Fault("invalid_parameter", { parameter }, `${parameter || "The body"} ${what}`);
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
