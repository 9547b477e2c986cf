/** The order of a list and the place of a page in it, as parts of a statement. */

/** A part of a statement with its parameters as `?`, and a value for each. */
export type Piece = { text: string; values: readonly unknown[] };

export type Position = { value: string | number | null; id: string };

/** `nullable`: rows without a value come last when descending and first when ascending; with `nullsLast` always last. */
export type Sort = {
  column: string;
  type: "timestamptz" | "int" | "float8" | "text";
  nullable: boolean;
  descending: boolean;
  nullsLast?: true;
};

/** A function that adds a piece's values to those of a statement, and gives its text with their numbers. */
export const binding = (values: unknown[]) => (piece: Piece) => {
  let next = 0;
  const text = piece.text.replaceAll("?", () => {
    values.push(piece.values[next++]);
    return `$${values.length}`;
  });
  if (next !== piece.values.length) throw new Error(`${piece.values.length} values for ${next} places: ${piece.text}`);
  return text;
};

/** The order of a sort, of a table `p` or of what was read of it. */
export function orderOf(sort: Sort, id = "p.id", value = `p.${sort.column}`): string {
  // An index on a column that is never null does not mention NULLS; an ORDER BY that does would not match it.
  const nulls = sort.nullable ? (endsWithNulls(sort) ? " NULLS LAST" : " NULLS FIRST") : "";
  return sort.descending ? `${value} DESC${nulls}, ${id} DESC` : `${value} ASC${nulls}, ${id} ASC`;
}

const endsWithNulls = ({ nullable, descending, nullsLast }: Sort): boolean =>
  nullable && (descending || nullsLast === true);

/** What comes after a position, in parts that are read one after the other: null values are a part of their own. */
export function partsAfter(sort: Sort, after: Position, bind: ReturnType<typeof binding>): string[] {
  const { column, type, descending } = sort;
  const nullsEnd = endsWithNulls(sort);
  const id = bind({ text: "?::uuid", values: [after.id] });
  const compare = descending ? "<" : ">";
  if (after.value === null)
    return [`p.${column} IS NULL AND p.id ${compare} ${id}`, ...(nullsEnd ? [] : [`p.${column} IS NOT NULL`])];
  const at = bind({ text: `?::${type}`, values: [after.value] });
  return [`(p.${column}, p.id) ${compare} (${at}, ${id})`, ...(nullsEnd ? [`p.${column} IS NULL`] : [])];
}
