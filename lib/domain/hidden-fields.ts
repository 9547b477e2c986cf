/** Takes fields out of answers that a caller must not see, and finds them in what it sends. Both work on JSON, whatever the operation. */
import { Fault } from "#lib/core/errors.ts";
import { inputSchema } from "#lib/core/json-schema.ts";
import { aliasesOf, HIDEABLE, type Limits } from "#lib/core/limits.ts";
import type { Contract } from "#lib/core/operation.ts";

/** Fields whose value is the name of a property. */
const NAMING: readonly string[] = ["property", "field"];
/**
 * Fields that hold properties, or what callers sent, under names of their own. Elsewhere a name is ours, and a custom property may be called
 * the same: `items`, `people`, `value`.
 */
const OPEN: ReadonlySet<string> = new Set(["properties", "property", "fields", "filters", "metadata", "value"]);
/** As those, but what is kept under each name has names of ours again. */
const BY_PROPERTY = "claims";
/** What a score says in words and numbers of single signals, which follow from properties. */
const REASONS: ReadonlySet<string> = new Set(["reason", "contributions"]);

type Json = unknown;
type Fields = Readonly<Record<string, Json>>;
type Hidden = ReadonlySet<string>;

/** The properties that are hidden from a caller, by each of their names. */
export const hiddenNames = (limits: Limits | undefined): readonly string[] =>
  limits ? limits.hiddenFields.flatMap(aliasesOf) : [];

const hiddenBy = (limits: Limits): Hidden | null =>
  limits.hiddenFields.length > 0 ? new Set(hiddenNames(limits)) : null;

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

/** Those about properties that the caller may see, for what makes words or counts of them. */
export function ofVisible<T extends { readonly property: string }>(limits: Limits, items: T[]): T[] {
  const hidden = hiddenBy(limits);
  return hidden === null ? items : items.filter(({ property }) => !hidden.has(property));
}

const standard: ReadonlySet<string> = new Set(aliasesOf(HIDEABLE));
/** Whether it is the name of the standard field that can be hidden, which names nothing else of ours. */
const isStandard = (name: string, hidden: Hidden): boolean => standard.has(name) && hidden.has(name);

const namesHidden = (value: Json, hidden: Hidden): boolean =>
  isFields(value) &&
  (NAMING.some((name) => hidden.has(String(value[name]))) ||
    isStandard(String(value.kind), hidden) ||
    ("samples" in value && hidden.has(String(value.name))));

const isFields = (value: Json): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

/** `open`: the names in it are callers'. */
function visible(value: Json, hidden: Hidden, open = false): Json {
  if (Array.isArray(value))
    return value.filter((item) => !namesHidden(item, hidden)).map((item) => visible(item, hidden));
  if (!isFields(value) || value instanceof Date) return value;
  const isScore = "tier" in value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, held]) => {
      if (isScore && REASONS.has(name)) return [];
      if (isStandard(name, hidden))
        // A field that every record has stays, without its value.
        return "entity_id" in value && "source" in value ? [[name, null]] : [];
      if (open && hidden.has(name)) return [];
      if (name === BY_PROPERTY && isFields(held)) return [[name, ofProperties(held, hidden)]];
      return [[name, visible(held, hidden, open || OPEN.has(name))]];
    }),
  );
}

const ofProperties = (held: Fields, hidden: Hidden): Fields =>
  Object.fromEntries(
    Object.entries(held).flatMap(([name, claim]) => (hidden.has(name) ? [] : [[name, visible(claim, hidden)]])),
  );

type AskedOperation = Pick<Contract, "input"> & { http: Pick<Contract["http"], "path"> };

/** Throws 403 `beyond_limits` when what the caller sends names a field that is hidden from it: a filter would tell its value. */
export function requireVisible(contract: AskedOperation, limits: Limits, input: Json): void {
  const hidden = hiddenBy(limits);
  if (hidden === null) return;
  const isOfProperty = contract.http.path.startsWith("/v2/properties/:name");
  const named = (isOfProperty && ownName(input, hidden)) || namedIn(input, hidden, namesOf(contract));
  if (named)
    throw new Fault(
      "beyond_limits",
      { hidden_fields: [named] },
      `${named} is hidden from this credential, so it cannot be named.`,
    );
}

const ownName = (input: Json, hidden: Hidden): string | null =>
  isFields(input) && hidden.has(String(input.name)) ? String(input.name) : null;

/** A hidden field that the input names: as a key that the operation has no field for, or as the property it is about. */
function namedIn(value: Json, hidden: Hidden, ours: ReadonlySet<string>, open = false): string | null {
  if (Array.isArray(value))
    return value.map((item) => namedIn(item, hidden, ours)).find((name) => name !== null) ?? null;
  if (!isFields(value)) return null;
  for (const [key, held] of Object.entries(value)) {
    const name = key.slice(key.lastIndexOf(".") + 1);
    if (hidden.has(name) && (open || name !== key || standard.has(name) || !ours.has(name))) return name;
    if (
      typeof held === "string" &&
      (NAMING.includes(key) ? hidden.has(held) : key === "kind" && isStandard(held, hidden))
    )
      return held;
    const inside = namedIn(held, hidden, ours, open || OPEN.has(key));
    if (inside !== null) return inside;
  }
  return null;
}

const names = new WeakMap<object, ReadonlySet<string>>();

/** The names of the fields that an operation takes, at any depth. Limits are rare, so they are looked up when the first caller has some. */
function namesOf(contract: Pick<Contract, "input">): ReadonlySet<string> {
  const known = names.get(contract.input);
  if (known) return known;
  const found = new Set<string>();
  collect(inputSchema(contract), found);
  names.set(contract.input, found);
  return found;
}

function collect(schema: Json, found: Set<string>): void {
  if (Array.isArray(schema)) for (const each of schema) collect(each, found);
  if (!isFields(schema)) return;
  if (isFields(schema.properties)) for (const name of Object.keys(schema.properties)) found.add(name);
  for (const each of Object.values(schema)) collect(each, found);
}
