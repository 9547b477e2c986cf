/** What is asked of a list, and what is listed. */
import type { Piece, Position, Sort } from "./list-order.ts";

/** A condition of a list; the table's columns are those of `p`. */
export type Condition = Piece & {
  /** whether to look its value up or to walk the list depends on the value, so the plan is made for each query */
  rare?: boolean;
  /** each row takes so long that a count tries only so many */
  slow?: true;
  /** nearly all rows meet it */
  usual?: true;
  /** the same for one row that is at hand */
  probe?: Piece;
  /**
   * The same as alternatives, an index beginning with each. Where a page with one of them is a walk, the page is merged
   * from as many walks, so that it costs no more than a page of each, whatever the values are.
   */
  arms?: Arms;
  /** The same in a form that takes a look-up first: for when the first rows do not fill the page, and for counts. */
  instead?: () => Promise<Condition>;
};

/**
 * `one`: the condition for one of the values, which it calls `arm.value`; `of`: where they come from, a part of FROM with one
 * column; `many`: how many there are, null when that is not known and the walks are long: then pages are made of them where
 * nothing else fills a page.
 */
export type Arms = { one: Condition; of: Condition; many: number | null };

export type ListRequest<C extends Condition = Condition> = {
  conditions: readonly C[];
  sort: Sort;
  limit: number;
  offset: number;
  after: Position | null;
};

/** What is listed: the table, each row as its JSON, and how its indexes serve it. */
export type ListedTable<C extends Condition> = {
  table: string;
  row: string;
  /** The indexes hold what pages are filtered and sorted by, so that a page is found in one before its rows are read. */
  keysFirst?: true;
  /**
   * True when a page is a walk along one index, whatever its values are. Then the limit is a literal in the text: knowing
   * it, Postgres keeps one plan, where it would make a new one at each call, which takes half as long as the page.
   * Otherwise the best plan depends on how rare a value is.
   */
  isWalk(request: ListRequest<C>): boolean;
};
