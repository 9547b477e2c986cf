import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import type { ListedRecord } from "./list-kind.ts";
import type { Active } from "./use-list-keys.ts";

export type List<Row extends ListedRecord> = {
  rows: readonly Row[];
  hasMore: boolean;
  /** Called when the end comes into view. */
  onEnd: () => void;
  /** The row that the keys `j` and `k` have moved to. */
  active: Active;
};

type Looks = {
  rowHeight: number;
  overscan: number;
  /** The height on the server, where there is no window. */
  firstView: { width: number; height: number };
  /** The space covered at the window's edges, for scrolling to a row. */
  scrollPaddingStart?: number;
  scrollPaddingEnd?: number;
};

/**
 * The visible rows of a list of any length; the document scrolls. `box` is the element around them, each with
 * `data-row` and its link with `data-row-link`; `top` is where it begins in the document.
 */
export function useRowsInView<Box extends HTMLElement>(
  { rows, hasMore, onEnd, active }: List<ListedRecord>,
  { rowHeight, firstView, ...looks }: Looks,
) {
  const box = useRef<Box>(null);
  const [top, setTop] = useState(0);
  useEffect(() => setTop(box.current ? box.current.getBoundingClientRect().top + window.scrollY : 0), []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    scrollMargin: top,
    initialRect: firstView,
    getItemKey: (index) => rows[index]?.id ?? index,
    ...looks,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - 20) onEnd();
  }, [hasMore, last, rows.length, onEnd]);
  useEffect(() => {
    if (!active) return;
    virtual.scrollToIndex(active.index, { align: "auto" });
    // The link of a row gets the focus, so Enter opens it.
    const link = `[data-row="${active.index}"] [data-row-link]`;
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(link)?.focus({ preventScroll: true }));
  }, [active, virtual]);
  return { box, top, items, height: virtual.getTotalSize() };
}
