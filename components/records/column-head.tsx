import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { cn } from "#components/ui/cn.ts";
import { TableHead, type TableHeadProps } from "#components/ui/table.tsx";
import { moved, reordered } from "./column-widths.ts";
import type { Arrangement } from "./use-arrangement.ts";

type Arranged = { id: string; label: string; weight: number };

type ColumnHeadProps = TableHeadProps & {
  columns: readonly Arranged[];
  index: number;
  arrangement: Arrangement | undefined;
};

/** A pointer has to move so far before a column is moved: a click sorts. */
const THRESHOLD = 6;

/** The head of a column: dragged to another place, and as wide as the line after it says. The first column stays. */
export function ColumnHead({ columns, index, arrangement, children, className, ...props }: ColumnHeadProps) {
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
          <WidthLine columns={columns} index={index} arrangement={arrangement} />
        ) : null
      }
      {...props}
    >
      <span className="block min-w-0 truncate">{children}</span>
    </TableHead>
  );
}

/** Moves a column by pointer: a line shows where it would be. */
function useReorder(columns: readonly Arranged[], index: number, arrangement: Arrangement | undefined) {
  const ids = columns.slice(1).map(({ id }) => id);
  return (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || event.pointerType === "touch" || !arrangement) return;
    if ((event.target as Element).closest("[role=separator]")) return;
    const cell = event.currentTarget;
    const heads = [...(cell.parentElement?.querySelectorAll<HTMLElement>("[data-column]") ?? [])].slice(1);
    const began = event.clientX;
    let to: number | null = null;
    const done = new AbortController();
    const show = (head: HTMLElement | undefined) => {
      for (const each of heads) each.toggleAttribute("data-dropping", each === head);
    };
    const end = (moves: boolean) => {
      done.abort();
      show(undefined);
      cell.removeAttribute("data-held");
      if (to === null) return;
      // The click that follows does not sort.
      cell.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
      const next = reordered(ids, ids[index - 1] as string, to > index - 1 ? to - 1 : to);
      if (moves && next.join() !== ids.join()) arrangement.onShown(next);
    };
    const { signal } = done;
    window.addEventListener(
      "pointermove",
      ({ clientX }) => {
        if (to === null && Math.abs(clientX - began) < THRESHOLD) return;
        cell.toggleAttribute("data-held", true);
        const after = heads.findIndex((head) => {
          const { left, width } = head.getBoundingClientRect();
          return clientX < left + width / 2;
        });
        to = after < 0 ? heads.length : after;
        show(heads[to]);
      },
      { signal },
    );
    window.addEventListener("pointerup", () => end(true), { signal });
    window.addEventListener("pointercancel", () => end(false), { signal });
    window.addEventListener("keydown", ({ key }) => (key === "Escape" ? end(false) : undefined), { signal });
  };
}

type WidthLineProps = { columns: readonly Arranged[]; index: number; arrangement: Arrangement };

/** How much an arrow key moves the line, in percent of the table. */
const STEP = 1;

/** The line after a column: moved by pointer or with the arrow keys, it gives width to one side and takes it from the other. */
function WidthLine({ columns, index, arrangement }: WidthLineProps) {
  const line = useRef<HTMLDivElement>(null);
  const [left, right] = [columns[index], columns[index + 1]];
  if (!left || !right) return null;
  const total = columns.reduce((sum, { weight }) => sum + weight, 0);
  const set = (by: number) => {
    const [a, b] = moved(left.weight, right.weight, by);
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
    set((by * total) / 100);
  }

  function onPress(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0 || !left || !right) return;
    event.preventDefault();
    event.stopPropagation();
    const table = event.currentTarget.closest("table");
    const cols = [...(table?.querySelectorAll<HTMLElement>("col[data-column]") ?? [])];
    const began = event.clientX;
    const width = cols.reduce((sum, col) => sum + col.getBoundingClientRect().width, 0) || 1;
    let by = 0;
    const done = new AbortController();
    const end = (keeps: boolean) => {
      done.abort();
      if (keeps && by !== 0) set(by);
      else show(0);
    };
    const show = (wanted: number) => {
      const [a, b] = moved(left.weight, right.weight, wanted);
      for (const [col, weight] of [
        [cols[index], a],
        [cols[index + 1], b],
      ] as const)
        if (col) col.style.width = `${(weight / total) * 100}%`;
    };
    const { signal } = done;
    window.addEventListener(
      "pointermove",
      ({ clientX }) => {
        by = ((clientX - began) / width) * total;
        show(by);
      },
      { signal },
    );
    window.addEventListener("pointerup", () => end(true), { signal });
    window.addEventListener("pointercancel", () => end(false), { signal });
    window.addEventListener("keydown", ({ key }) => (key === "Escape" ? end(false) : undefined), { signal });
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that moves is a separator with a value; <hr> cannot have the focus
    <div
      ref={line}
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${left.label}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round((left.weight / total) * 100)}
      tabIndex={0}
      onKeyDown={onKey}
      onPointerDown={onPress}
      className="group/line absolute inset-y-0 right-0 z-1 flex w-6 cursor-col-resize touch-none justify-end focus-visible:outline-offset-0"
    >
      <span className="my-2 w-px bg-border group-hover/line:bg-primary group-focus-visible/line:bg-primary" />
    </div>
  );
}
