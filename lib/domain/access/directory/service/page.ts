import type { Span } from "../queries.ts";

/** Which rows of a list: from the `start`-th on, which begins at 1, at most `count`. */
export type PageRequest = { start: number; count: number };

export type Page<T> = { total: number; start: number; items: T[] };

/** A page of rows that match a filter of the database, or of those that pass `test`. */
export async function pageOf<T>(
  { start, count }: PageRequest,
  test: ((item: T) => boolean) | null,
  find: (span?: Span) => Promise<T[]>,
  total: () => Promise<number>,
): Promise<Page<T>> {
  const skip = start - 1;
  if (test === null)
    return { total: await total(), start, items: count === 0 ? [] : await find({ skip, take: count }) };
  const all = (await find()).filter(test);
  return { total: all.length, start, items: all.slice(skip, skip + count) };
}
