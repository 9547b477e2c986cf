import type pg from "pg";
import type { Statement } from "#lib/core/context.ts";

/**
 * Declares a prepared statement; `name` is unique in the process. An empty name is planned anew each time, for a
 * condition (a search pattern) whose best plan depends on its value.
 */
export const sql = (name: string, text: string): Statement => ({ name, text });

/** A statement over rows that are given as arrays: one form for a single row, one for many. */
export type RowsStatement = { readonly one: Statement; readonly many: Statement };

/**
 * Declares a statement over rows given as arrays; `text` puts its argument after the subquery that unnests them. The
 * planner thinks an array it cannot see holds ten rows, so its plan for any array looks dearer than one made for the array
 * at hand, and it plans anew at each call, which for a single row costs more than running it. Told of one row it does not.
 */
export const sqlOfRows = (name: string, text: (limit: string) => string): RowsStatement =>
  inForms(name, text("LIMIT 1"), text(""));

/**
 * Declares a statement about those whose ids are its first parameter; `these` follows the column. One form is for a single
 * id, one for many, for the reason that `sqlOfRows` gives.
 */
export const sqlOfIds = (name: string, text: (these: string) => string): RowsStatement =>
  inForms(name, text("= ($1::uuid[])[1]"), text("= ANY($1::uuid[])"));

const inForms = (name: string, one: string, many: string): RowsStatement => ({
  one: sql(`${name}_one`, one),
  many: sql(name, many),
});

/** The form for so many rows. */
export const formFor = ({ one, many }: RowsStatement, rows: number): Statement => (rows === 1 ? one : many);

/** What pg sends for a statement. */
export const queryOf = ({ name, text }: Statement, values: readonly unknown[]): pg.QueryConfig => ({
  ...(name === "" ? {} : { name }),
  text,
  values: values as unknown[],
});

/** What a statement is called in the log. */
export const calledInLog = ({ name, text }: Statement): string => name || text.slice(0, 60);
