/**
 * A column of rows that a statement gets as arrays, one array a column: the name, the type of an element, and its value
 * in a row. `as` is the type that the selected value is cast to, `from` the selected expression when it is more than that,
 * `merged` the value that an existing row gets. `required`: every row has a value, so one can stand for all when they are equal.
 */
export type Column<Row> = readonly [
  name: string,
  type: string,
  value: (row: Row) => unknown,
  other?: { as?: string; from?: string; merged?: string; required?: true },
];

/** A column with the same value for all rows: `from` is one of the statement's own parameters. */
export type SharedColumn = { readonly name: string; readonly from: string };

/** The parts of a statement that follow from its columns, each a list in their order, and the values to bind. */
export type Columns<Row> = {
  /** all columns, as INSERT names them */
  names: string;
  /** what is selected of them */
  selected: string;
  /** the arrays, as parameters */
  arrays: string;
  /** the columns that come in arrays */
  given: string;
  /** what `ON CONFLICT` sets */
  merged: string;
  /** that this changes the row there is, of the table with this alias: the condition that leaves equal rows unwritten */
  changes(alias: string): string;
  /** an array for each given column */
  values(rows: readonly Row[]): unknown[][];
};

/**
 * Numbers the arrays of these columns from `first`. `alias` goes before a selected column; `keys` are the conflict's
 * columns, which stay unchanged.
 */
export function columnsOf<Row>(
  columns: readonly (Column<Row> | SharedColumn)[],
  { alias, first = 1, keys = [] }: { alias?: string; first?: number; keys?: readonly string[] } = {},
): Columns<Row> {
  const perRow = columns.filter((column): column is Column<Row> => !isShared(column));
  const nameOf = (column: Column<Row> | SharedColumn) => (isShared(column) ? column.name : column[0]);
  const prefix = alias === undefined ? "" : `${alias}.`;
  const arrayOf = (column: Column<Row>) => `$${first + perRow.indexOf(column)}::${column[1]}[]`;
  const selectedOf = (column: Column<Row> | SharedColumn): string => {
    if (isShared(column)) return column.from;
    const [name, , , { as, from, required } = {}] = column;
    const value = required ? `coalesce(${prefix}${name}, (${arrayOf(column)})[1])` : `${prefix}${name}`;
    return from ?? (as === undefined ? value : `${value}::${as}`);
  };
  const written = perRow
    .filter(([name]) => !keys.includes(name))
    .map(([name, , , other]) => ({ name, value: other?.merged ?? `excluded.${name}` }));
  return {
    names: columns.map(nameOf).join(", "),
    selected: columns.map(selectedOf).join(", "),
    arrays: perRow.map(arrayOf).join(", "),
    given: perRow.map(nameOf).join(", "),
    merged: written.map(({ name, value }) => `${name} = ${value}`).join(", "),
    changes: (table) =>
      `(${written.map(({ name }) => `${table}.${name}`).join(", ")}) IS DISTINCT FROM (${written.map(({ value }) => value).join(", ")})`,
    values: (rows) => perRow.map((column) => arrayFor(column, rows)),
  };
}

/** Shorter than the rows are many where that says as much: `unnest` fills it up with nulls. */
function arrayFor<Row>([, , value, other]: Column<Row>, rows: readonly Row[]): unknown[] {
  const values = rows.map((row) => value(row));
  const [first] = values;
  if (other?.required) return values.every((one) => one === first) ? values.slice(0, 1) : values;
  return values.some((one) => one !== null && one !== undefined) ? values : [];
}

const isShared = <Row>(column: Column<Row> | SharedColumn): column is SharedColumn => "from" in column;
