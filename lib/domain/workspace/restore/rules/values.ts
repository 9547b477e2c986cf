/** A column of the database: its type as Postgres writes it, and the labels when it is an enumeration. */
export type Column = { name: string; type: string; isOptional: boolean; labels: readonly string[] | null };

type Check = { is(value: unknown): boolean; what: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d(:?\d\d)?)$/;
const isText = (value: unknown): value is string => typeof value === "string";
const integer = (most: number): Check => ({
  is: (value) => Number.isInteger(value) && Math.abs(value as number) <= most,
  what: "a whole number",
});

const checks: Readonly<Record<string, Check>> = {
  uuid: { is: (value) => isText(value) && UUID.test(value), what: "an id" },
  text: { is: (value) => isText(value) && !value.includes("\0"), what: "text without U+0000" },
  integer: integer(2 ** 31 - 1),
  bigint: integer(Number.MAX_SAFE_INTEGER),
  "double precision": { is: (value) => typeof value === "number", what: "a number" },
  boolean: { is: (value) => typeof value === "boolean", what: "true or false" },
  jsonb: { is: (value) => value !== undefined, what: "JSON" },
  bytea: { is: (value) => isText(value) && /^\\x([0-9a-f]{2})*$/i.test(value), what: "bytes as \\x…" },
  "timestamp with time zone": {
    is: (value) => isText(value) && TIME.test(value) && !Number.isNaN(Date.parse(value)),
    what: "a time with an offset",
  },
};

function checkOf({ type, labels }: Column): Check {
  const plain = type.replace(/\(\d+\)/, "");
  if (plain.endsWith("[]")) {
    const item = checkOf({ name: "", type: plain.slice(0, -2), isOptional: false, labels });
    return { is: (value) => Array.isArray(value) && value.every(item.is), what: `a list, each ${item.what}` };
  }
  if (labels) return { is: (value) => isText(value) && labels.includes(value), what: `one of ${labels.join(", ")}` };
  const check = checks[plain];
  if (!check) throw new Error(`no value of the type ${type} can be checked`);
  return check;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Makes the check of a table's rows: what is wrong with one, or null. `ignored`: fields that a row may have and that are
 * not read.
 */
export function rowCheck(columns: readonly Column[], ignored: readonly string[]): (row: Row) => string | null {
  const columnNames = new Set([...columns.map(({ name }) => name), ...ignored]);
  const checked = columns.map((column) => ({ ...column, check: checkOf(column) }));
  return (row) => {
    const strange = Object.keys(row).find((name) => !columnNames.has(name));
    if (strange !== undefined) return `has a field that this release does not know: ${strange}`;
    for (const { name, isOptional, check } of checked) {
      const value = row[name];
      if (value === undefined && !isOptional) return `lacks the field ${name}`;
      if (value === null && !isOptional && !check.is(null)) return `${name} must be ${check.what}, not null`;
      if (value !== undefined && value !== null && !check.is(value)) return `${name} must be ${check.what}`;
    }
    return null;
  };
}
