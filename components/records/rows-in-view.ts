export type RowsView = {
  /** Where the first row begins, and what part of the document is seen, in pixels from its start. */
  top: number;
  from: number;
  to: number;
  rowHeight: number;
  count: number;
  /** Rows drawn beyond each edge, so that none is missing while the reader scrolls. */
  overscan: number;
};

/** The rows to draw, `first` to before `end`, of a list whose rows all have one height. */
export function rowsInView({ top, from, to, rowHeight, count, overscan }: RowsView): { first: number; end: number } {
  const first = Math.floor((from - top) / rowHeight) - overscan;
  const end = Math.ceil((to - top) / rowHeight) + overscan;
  return { first: within(first, count), end: within(end, count) };
}

const within = (index: number, count: number): number => Math.max(0, Math.min(index, count));

export type RowPlace = Pick<RowsView, "top" | "from" | "to" | "rowHeight"> & {
  index: number;
  /** What covers the edges of the window: a header that stays, a bar at the bottom. */
  covered: { start: number; end: number };
};

/** How far to scroll so that the whole row is seen: 0 when it is, negative for up. */
export function scrollTo({ index, top, from, to, rowHeight, covered }: RowPlace): number {
  const start = top + index * rowHeight;
  const above = start - (from + covered.start);
  if (above < 0) return above;
  return Math.max(0, start + rowHeight - (to - covered.end));
}
