import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { cn } from "#components/ui/cn.ts";
import { TableHead, type TableHeadProps } from "#components/ui/table.tsx";
import { dragColumn, dragLine } from "./column-drag.ts";
import { moved } from "./column-widths.ts";
import type { Arrangement } from "./use-arrangement.ts";

type HeadColumn = { id: string; label: string; weight: number };

type ColumnHeadProps = TableHeadProps & {
  columns: readonly HeadColumn[];
  index: number;
  arrangement: Arrangement | undefined;
  /** Of the line after it. */
  lineClassName?: string | undefined;
};

/** The head of a column: dragged to another place, and as wide as the line after it says. The first column stays. */
export function ColumnHead({
  columns,
  index,
  arrangement,
  children,
  className,
  lineClassName,
  ...props
}: ColumnHeadProps) {
  const movable = arrangement !== undefined && index > 0;
  const onPress = useReorder(columns, index, arrangement);
  const column = columns[index];
  return (
    <TableHead
      data-column={column?.id}
      aria-label={column?.label}
      onPointerDown={movable ? onPress : undefined}
      className={cn(
        movable && "select-none",
        "data-dropping:before:absolute data-dropping:before:inset-y-0 data-dropping:before:left-0 data-dropping:before:w-0.5 data-dropping:before:bg-primary data-held:bg-selected",
        className,
      )}
      after={
        arrangement && index < columns.length - 1 ? (
          <WidthLine columns={columns} index={index} arrangement={arrangement} className={lineClassName} />
        ) : null
      }
      {...props}
    >
      <span className="block min-w-0 truncate">{children}</span>
    </TableHead>
  );
}

/** Moves a column by pointer. */
function useReorder(columns: readonly HeadColumn[], index: number, arrangement: Arrangement | undefined) {
  const ids = columns.slice(1).map(({ id }) => id);
  return (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || event.pointerType === "touch" || !arrangement) return;
    if ((event.target as Element).closest("[role=separator]")) return;
    dragColumn(event, ids, index, arrangement.onShown);
  };
}

type WidthLineProps = {
  columns: readonly HeadColumn[];
  index: number;
  arrangement: Arrangement;
  className?: string | undefined;
};

/** How much an arrow key moves the line, in percent of the table. */
const STEP = 1;

/** The line after a column: moved by pointer or with the arrow keys, it gives width to one side and takes it from the other. */
function WidthLine({ columns, index, arrangement, className }: WidthLineProps) {
  // Keys may come faster than the table is drawn: each one goes on from where the one before came to.
  const reached = useRef<[number, number] | null>(null);
  const [left, right] = [columns[index], columns[index + 1]];
  if (!left || !right) return null;
  const total = columns.reduce((sum, { weight }) => sum + weight, 0);
  const set = (by: number, [from, beside] = [left.weight, right.weight]) => {
    const [a, b] = moved(from, beside, by);
    reached.current = [a, b];
    arrangement.onWidths(
      new Map([
        [left.id, a],
        [right.id, b],
      ]),
    );
  };

  function onKey(event: KeyboardEvent) {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set((by * total) / 100, reached.current ?? undefined);
  }

  function onPress(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (left && right) dragLine(event, { index, left: left.weight, right: right.weight }, (by) => set(by));
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that moves is a separator with a value; <hr> cannot have the focus
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${left.label}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round((left.weight / total) * 100)}
      tabIndex={0}
      onKeyDown={onKey}
      onBlur={() => {
        reached.current = null;
      }}
      onPointerDown={onPress}
      className={cn(
        "group/line absolute inset-y-0 right-0 z-1 flex w-6 cursor-col-resize touch-none justify-end focus-visible:outline-offset-0",
        className,
      )}
    >
      <span className="my-2 w-px bg-border group-hover/line:bg-primary group-focus-visible/line:bg-primary" />
    </div>
  );
}
