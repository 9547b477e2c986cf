"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { cn } from "#components/ui/cn.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { ListedRecord } from "./list-kind.ts";
import { focusRow, type RowsProps } from "./record-table.tsx";

const CARD = 84;
const FIRST_VIEW = { width: 390, height: 844 };

/** The same list on a narrow screen. */
export function RecordCards<Row extends ListedRecord>(props: RowsProps<Row>) {
  const { kind, rows, context, selection, hasMore, onEnd, dimmed, active } = props;
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useEffect(() => setTop(list.current ? list.current.getBoundingClientRect().top + window.scrollY : 0), []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => CARD,
    overscan: 6,
    scrollMargin: top,
    initialRect: FIRST_VIEW,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - 20) onEnd();
  }, [hasMore, last, rows.length, onEnd]);
  useEffect(() => {
    if (!active) return;
    virtual.scrollToIndex(active.index, { align: "auto" });
    requestAnimationFrame(() => focusRow(list.current, active.index));
  }, [active, virtual]);

  return (
    <>
      <ul
        ref={list}
        aria-label={kind.many}
        className={cn("relative rounded-lg border bg-card", dimmed && "opacity-60")}
        style={{ height: virtual.getTotalSize() }}
      >
        {items.map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <li
              key={row.id}
              data-row={index}
              aria-setsize={hasMore ? -1 : rows.length}
              aria-posinset={index + 1}
              className={cn(
                "absolute inset-x-0 flex items-start gap-3 overflow-hidden border-b px-3 py-2.5",
                selection.has(row.id) && "bg-selected",
                !hasMore && index === rows.length - 1 && "border-b-0",
              )}
              style={{ height: CARD, transform: `translateY(${start - top}px)` }}
            >
              <span className="flex h-6 items-center">
                <Checkbox
                  aria-label={`Select ${kind.nameOf(row)}`}
                  checked={selection.has(row.id)}
                  onClick={(event) => selection.toggle(index, event.shiftKey)}
                  className="z-1"
                />
              </span>
              <div className="min-w-0 flex-1">{kind.card(row, context)}</div>
            </li>
          );
        })}
      </ul>
      {hasMore ? <Skeleton className="mx-3 mt-3 w-40" /> : null}
    </>
  );
}
