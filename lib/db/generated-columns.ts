/**
 * A part of SET, for an UPDATE of many rows: the column stays as it is. Where an UPDATE names no column that one of the table's
 * generated columns follows from, Postgres 18 reads the text of all their expressions again for each row, which takes more time than
 * the rest of the update (`ExecInitGenerated` in its nodeModifyTable.c). It must be a column that a generated one follows from.
 */
export const unchanged = (alias: string, column: string): string => `${column} = ${alias}.${column}`;
