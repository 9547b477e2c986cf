/** The name of a new operation in every form that is needed. */
import type { Table } from "./table.ts";

/** `list` pages the table, `get` reads one row, `act` locks one row and leaves an entry in the audit log. */
export type Shape = "list" | "get" | "act";
export const shapes: readonly Shape[] = ["list", "get", "act"];

/** The operation's name in each of its forms. */
export type Names = {
  /** the area of the domain that the slice is in, e.g. crm */
  area: string;
  /** the slice, e.g. saved-views */
  noun: string;
  verb: string;
  shape: Shape;
  table: Table;
  /** the contract's name, e.g. listSavedViews */
  operation: string;
  method: "GET" | "POST";
  path: string;
  /** the code of an id that is not there */
  missing: string;
};

/** What a file takes from a module: names, or `* as name`. */
export type Import = readonly [module: string, ...names: string[]];

/** Imports and statements to add to a file; the formatter sorts the imports. */
export type Part = { imports: readonly Import[]; body: string };

/** in words, e.g. saved view of SavedView */
export const wordsOf = (model: string): string =>
  model.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
export const snakeOf = (text: string): string => wordsOf(text).replaceAll(/[ -]/g, "_");
export const camelOf = (kebab: string): string =>
  kebab.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function namesOf({ area, noun }: Pick<Names, "area" | "noun">, verb: string, shape: Shape, table: Table): Names {
  const collection = `/v2/${noun}`;
  const base = shape === "list" ? collection : `${collection}/:id`;
  return {
    area,
    noun,
    verb,
    shape,
    table,
    operation: verb + (shape === "list" ? upperFirst(camelOf(noun)) : table.model),
    method: shape === "act" ? "POST" : "GET",
    path: verb === shape ? base : `${base}/${verb}`,
    missing: `${snakeOf(table.model)}_not_found`,
  };
}
