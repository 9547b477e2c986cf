import type { z } from "zod";

type Issue = z.core.$ZodRawIssue;

const kinds: Readonly<Record<string, string>> = {
  array: "a list",
  bigint: "a whole number",
  boolean: "true or false",
  date: "a time",
  int: "a whole number",
  nan: "a number",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
  tuple: "a list",
};

const kind = (name: string): string => kinds[name] ?? `a ${name}`;

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return String(value);
  if (Number.isNaN(value)) return "something that is no number";
  return kind(Array.isArray(value) ? "array" : typeof value);
}

const formats: Readonly<Record<string, string>> = {
  guid: "an id (a UUID)",
  uuid: "an id (a UUID)",
  email: "an e-mail address",
  url: "a URL",
  date: "a date such as 2026-06-03",
  datetime: "an ISO 8601 time with an offset",
  time: "a time of day",
};

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(", ")}`;

const amounts = (origin: string, most: unknown): string => {
  if (origin === "string") return `${most} ${most === 1 ? "character" : "characters"}`;
  return ["array", "set"].includes(origin) ? `${most} ${most === 1 ? "item" : "items"}` : String(most);
};

function sizeWords(origin: string, bound: unknown, words: string): string {
  const verb = ["string", "array", "set"].includes(origin) ? "must have" : "must be";
  return `${verb} ${words} ${amounts(origin, bound)}`;
}

function unionWords({ errors, note, discriminator }: Extract<Issue, { code: "invalid_union" }>): string {
  if (note && discriminator) return "names no kind that there is";
  const firsts = (errors ?? []).map(([first]) => first);
  const wanted = firsts.map((first) => {
    if (first?.path.length === 0 && first.code === "invalid_type") return kind(first.expected);
    return first?.path.length === 0 && first.code === "invalid_value" ? first.values.join(", ") : null;
  });
  if (firsts.length === 0 || wanted.includes(null)) return "has a form that is not accepted";
  return `must be ${[...new Set(wanted)].join(" or ")}`;
}

/**
 * What is wrong with a value, in the words of the API: completes "<parameter>: …". For `safeParse(value, { error: issueWords })`; what a
 * schema says itself comes first.
 */
export function issueWords(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? "is required"
        : `must be ${kind(issue.expected)}, not ${issue.expected === "int" ? String(issue.input) : kindOf(issue.input)}`;
    case "invalid_format":
      return formats[issue.format] ? `must be ${formats[issue.format]}` : "has a form that is not accepted";
    case "invalid_value":
      return oneOf(issue.values);
    case "too_big":
      return sizeWords(
        issue.origin,
        issue.maximum,
        issue.exact ? "exactly" : issue.inclusive ? "at most" : "less than",
      );
    case "too_small":
      return sizeWords(
        issue.origin,
        issue.minimum,
        issue.exact ? "exactly" : issue.inclusive ? "at least" : "more than",
      );
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `has no field ${issue.keys.join(", ")}`;
    case "invalid_key":
      return "has a name that is not accepted";
    case "invalid_union":
      return unionWords(issue);
    default:
      return "has a value that is not accepted";
  }
}
