import { operations } from "#lib/registry.ts";

/** Addresses of operations that are tools too, the longest first: one may begin with another. */
const addresses = operations
  .flatMap(({ contract: { http, tool } }) => (tool ? [[`${http.method} ${http.path}`, tool.name] as const] : []))
  .sort(([a], [b]) => b.length - a.length);

/** Where an address ends: `POST /v2/people` is no part of `POST /v2/people/bulk`. */
const END = "(?![\\w/-])";
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
const pattern = new RegExp(`(?:${addresses.map(([address]) => escaped(address)).join("|")})${END}`, "g");
const names = new Map<string, string>(addresses);

/** An address behind which there is no tool, and others that follow it. */
const other =
  /(?:\b(?:GET|POST|PATCH|DELETE) )(?:\/(?:v2|api)\/[\w/:{}-]*[\w}])(?: or (?:\/(?:v2|api)\/[\w/:{}-]*[\w}]))*/g;

/** A sentence that tells a caller of the API what to call, for a caller of tools. */
export const inToolWords = (sentence: string): string =>
  sentence
    .replaceAll(pattern, (address) => names.get(address) ?? address)
    .replaceAll(other, "the app (no tool does it)");

/** Fields that tell the caller what to do next. */
const ADVICE: ReadonlySet<string> = new Set(["suggested_action", "how"]);

/** An answer in which what is suggested names tools instead of addresses. */
export function namingTools(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(namingTools);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      ADVICE.has(key) && typeof member === "string" ? inToolWords(member) : namingTools(member),
    ]),
  );
}
