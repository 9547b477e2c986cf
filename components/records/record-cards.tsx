"use client";

import { Checkbox } from "#components/ui/checkbox.tsx";
import { cn } from "#components/ui/cn.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { ListedRecord } from "./list-kind.ts";
import type { RowsProps } from "./record-table.tsx";
import { useRowsInView } from "./use-rows-in-view.ts";

const CARD = 84;
const looks = { rowHeight: CARD, overscan: 6, firstHeight: 844 };

/** The same list on a narrow screen. */
export function RecordCards<Row extends ListedRecord>(props: RowsProps<Row>) {
  const { kind, rows, context, selection, hasMore, dimmed } = props;
  const { box, first, end } = useRowsInView<HTMLUListElement>(props, looks);
  return (
    <>
      <ul
        ref={box}
        aria-label={kind.many}
        className={cn("relative rounded-lg border bg-card", dimmed && "opacity-60")}
        style={{ height: rows.length * CARD }}
      >
        {rows.slice(first, end).map((row, place) => {
          const index = first + place;
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
              style={{ height: CARD, transform: `translateY(${index * CARD}px)` }}
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
