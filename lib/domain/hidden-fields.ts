/** Takes fields out of answers that a caller must not see, and finds them in what it sends. Both work on JSON, whatever the operation. */
import { Fault } from "#lib/core/errors.ts";
import { aliasesOf, type Limits } from "#lib/core/limits.ts";

/** Fields whose value is the name of a property. */
const NAMING: readonly string[] = ["property", "kind", "field"];
/** What a score says in words and numbers of single signals, which follow from properties. */
const REASONS: ReadonlySet<string> = new Set(["reason", "contributions"]);

type Json = unknown;
type Fields = Readonly<Record<string, Json>>;

const hiddenBy = (limits: Limits): ReadonlySet<string> | null =>
  limits.hiddenFields.length > 0 ? new Set(limits.hiddenFields.flatMap(aliasesOf)) : null;

/** The same without the fields that are hidden from the caller. */
export function withoutHidden<T>(limits: Limits, output: T): T {
  const hidden = hiddenBy(limits);
  return hidden === null ? output : (visible(output, hidden) as T);
}

/** As `withoutHidden`, of an answer that is text already. */
export function textWithoutHidden(limits: Limits, text: string): string {
  const hidden = hiddenBy(limits);
  return hidden === null || text === "" ? text : JSON.stringify(visible(JSON.parse(text), hidden));
}

const namesHidden = (value: Json, hidden: ReadonlySet<string>): boolean =>
  isFields(value) &&
  (NAMING.some((name) => hidden.has(String(value[name]))) || ("samples" in value && hidden.has(String(value.name))));

const isFields = (value: Json): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

function visible(value: Json, hidden: ReadonlySet<string>): Json {
  if (Array.isArray(value))
    return value.filter((item) => !namesHidden(item, hidden)).map((item) => visible(item, hidden));
  if (!isFields(value) || value instanceof Date) return value;
  const isScore = "tier" in value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, held]) => {
      if (isScore && REASONS.has(name)) return [];
      if (!hidden.has(name)) return [[name, visible(held, hidden)]];
      // A field that every record has stays, without its value.
      return "entity_id" in value && "source" in value ? [[name, null]] : [];
    }),
  );
}

/** Throws 403 `beyond_limits` when what the caller sends names a field that is hidden from it: a filter would tell its value. */
export function requireVisible(limits: Limits, input: Json): void {
  const hidden = hiddenBy(limits);
  const named = hidden && namedIn(input, hidden);
  if (named)
    throw new Fault(
      "beyond_limits",
      { hidden_fields: [named] },
      `${named} is hidden from this credential, so it cannot be named.`,
    );
}

/** A hidden field that the input names: as a key, or as the property it is about. */
function namedIn(value: Json, hidden: ReadonlySet<string>): string | null {
  if (Array.isArray(value)) return value.map((item) => namedIn(item, hidden)).find((name) => name !== null) ?? null;
  if (!isFields(value)) return null;
  for (const [key, held] of Object.entries(value)) {
    const name = key.slice(key.lastIndexOf(".") + 1);
    if (hidden.has(name)) return name;
    if ((NAMING.includes(key) || key === "name") && typeof held === "string" && hidden.has(held)) return held;
    const inside = namedIn(held, hidden);
    if (inside !== null) return inside;
  }
  return null;
}
