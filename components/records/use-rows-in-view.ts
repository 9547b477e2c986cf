import { useEffect, useRef, useState } from "react";
import type { ListedRecord } from "./list-kind.ts";
import { rowsInView, scrollTo } from "./rows-in-view.ts";
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
  /** The height of the window on the server, where there is none. */
  firstHeight: number;
  /** The space covered at the window's edges, for scrolling to a row. */
  covered?: { start: number; end: number };
};

const nothing = { start: 0, end: 0 };

/**
 * The visible rows of a list of any length, all of one height; the document scrolls. `box` is the element around them,
 * each with `data-row` and its link with `data-row-link`. The rows `first` to before `end` are drawn.
 */
export function useRowsInView<Box extends HTMLElement>(
  { rows, hasMore, onEnd, active }: List<ListedRecord>,
  { rowHeight, overscan, firstHeight, covered = nothing }: Looks,
) {
  const box = useRef<Box>(null);
  const count = rows.length;
  const [range, setRange] = useState(() =>
    rowsInView({ top: 0, from: 0, to: firstHeight, rowHeight, count, overscan }),
  );

  useEffect(() => {
    function look() {
      const next = rowsInView({ ...sightOf(box.current), rowHeight, count, overscan });
      setRange((now) => (now.first === next.first && now.end === next.end ? now : next));
    }
    look();
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look, { passive: true });
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [rowHeight, count, overscan]);

  // A list that became shorter is drawn before the effect above has looked again.
  const first = Math.min(range.first, count);
  const end = Math.min(range.end, count);

  useEffect(() => {
    if (hasMore && end > count - 20) onEnd();
  }, [hasMore, end, count, onEnd]);

  useEffect(() => {
    if (!active) return;
    const by = scrollTo({ ...sightOf(box.current), index: active.index, rowHeight, covered });
    if (by !== 0) window.scrollBy({ top: by, behavior: "instant" });
    // The link of a row gets the focus, so Enter opens it. A row that was scrolled to is drawn one frame later.
    const link = `[data-row="${active.index}"] [data-row-link]`;
    const find = () => box.current?.querySelector<HTMLElement>(link);
    const focus = () => find()?.focus({ preventScroll: true });
    requestAnimationFrame(() => (find() ? focus() : requestAnimationFrame(focus)));
  }, [active, rowHeight, covered]);

  return { box, first, end };
}

/** The part of the document that is seen, and where the rows begin. */
function sightOf(box: HTMLElement | null) {
  const from = window.scrollY;
  return { top: (box?.getBoundingClientRect().top ?? 0) + from, from, to: from + window.innerHeight };
}
