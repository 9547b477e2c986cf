import type { PointerEvent } from "react";
import { columnWidth } from "./column-room.ts";
import { moved, reordered } from "./column-widths.ts";

/** A pointer has to move so far before a column is moved: a click sorts. */
const THRESHOLD = 6;

/** Moves the column at `index` by pointer, from the second on: a line shows where it would be. `ids` are the movable ones. */
export function dragColumn(
  event: PointerEvent<HTMLElement>,
  ids: readonly string[],
  index: number,
  onShown: (ids: readonly string[]) => void,
): void {
  const cell = event.currentTarget;
  const heads = [...(cell.parentElement?.querySelectorAll<HTMLElement>("[data-column]") ?? [])].slice(1);
  const began = event.clientX;
  let to: number | null = null;
  const show = (head: HTMLElement | undefined) => {
    for (const each of heads) each.toggleAttribute("data-dropping", each === head);
  };
  const move = (x: number) => {
    if (to === null && Math.abs(x - began) < THRESHOLD) return;
    cell.toggleAttribute("data-held", true);
    const after = heads.findIndex((head) => {
      const { left, width } = head.getBoundingClientRect();
      return x < left + width / 2;
    });
    to = after < 0 ? heads.length : after;
    show(heads[to]);
  };
  followPointer(move, (moves) => {
    show(undefined);
    cell.removeAttribute("data-held");
    if (to === null) return;
    // The click that follows does not sort.
    cell.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
    const next = reordered(ids, ids[index - 1] as string, to > index - 1 ? to - 1 : to);
    if (moves && next.join() !== ids.join()) onShown(next);
  });
}

type Line = { index: number; left: number; right: number };

/** Moves the line after the column at `index` by pointer. `left` and `right`: the weights of its neighbours. */
export function dragLine(
  event: PointerEvent<HTMLElement>,
  { index, left, right }: Line,
  onMoved: (by: number) => void,
): void {
  const table = event.currentTarget.closest("table");
  const cols = [...(table?.querySelectorAll<HTMLElement>("col[data-column]") ?? [])];
  const began = event.clientX;
  const ofOne = (cols[index]?.getBoundingClientRect().width || 1) / left;
  let by = 0;
  const show = (wanted: number) => {
    const [a, b] = moved(left, right, wanted);
    for (const [col, weight] of [
      [cols[index], a],
      [cols[index + 1], b],
    ] as const)
      if (col) col.style.width = columnWidth(weight);
  };
  const move = (x: number) => {
    by = (x - began) / ofOne;
    show(by);
  };
  followPointer(move, (keeps) => {
    if (keeps && by !== 0) onMoved(by);
    else show(0);
  });
}

/** Until the pointer is let go; Escape gives up. */
function followPointer(move: (x: number) => void, end: (kept: boolean) => void): void {
  const done = new AbortController();
  const { signal } = done;
  const stop = (kept: boolean) => {
    done.abort();
    end(kept);
  };
  window.addEventListener("pointermove", ({ clientX }) => move(clientX), { signal });
  window.addEventListener("pointerup", () => stop(true), { signal });
  window.addEventListener("pointercancel", () => stop(false), { signal });
  window.addEventListener("keydown", ({ key }) => (key === "Escape" ? stop(false) : undefined), { signal });
}
