import { Fault } from "./errors.ts";

const MAX_DEPTH = 64;

/** A string Postgres and JSON cannot carry: U+0000 or a lone surrogate. */
export const isBrokenText = (text: string): boolean => text.includes("\u0000") || !text.isWellFormed();

/**
 * Walks a parsed JSON value without recursion and refuses what no endpoint accepts: broken text, numbers outside the
 * range JSON carries exactly, nesting deeper than 64. Throws `invalid_parameter` that names the place.
 */
export function checkJson(root: unknown): void {
  const stack: { value: unknown; path: string; depth: number }[] = [{ value: root, path: "", depth: 0 }];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { value, path, depth } = top;
    if (typeof value === "string") {
      if (isBrokenText(value)) throw refuse(path, "holds U+0000 or a lone surrogate.");
    } else if (typeof value === "number") {
      if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
        throw refuse(path, "is a number outside the range JSON carries exactly.");
    } else if (typeof value === "object" && value !== null) {
      if (depth >= MAX_DEPTH) throw refuse(path, `is nested deeper than ${MAX_DEPTH} levels.`);
      for (const [key, child] of Object.entries(value)) {
        const at = path === "" ? key : `${path}.${key}`;
        if (isBrokenText(key)) throw refuse(path, "has a key that holds U+0000 or a lone surrogate.");
        stack.push({ value: child, path: at, depth: depth + 1 });
      }
    }
  }
}

const refuse = (path: string, what: string): Fault =>
  new Fault("invalid_parameter", { parameter: path.slice(0, 200) }, `${path.slice(0, 200) || "The body"} ${what}`);

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
