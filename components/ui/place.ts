export type Side = "top" | "right" | "bottom" | "left";
export type Align = "start" | "center" | "end";

type Size = { width: number; height: number };
type Edges = { top: number; right: number; bottom: number; left: number };

export type Placing = { anchor: Edges; box: Size; view: Size; side: Side; align: Align };

/** Distance between the box and its anchor. */
const gap = 6;
/** Distance between the box and the edge of the window. */
const margin = 8;

const opposite = { top: "bottom", bottom: "top", left: "right", right: "left" } as const;

/** Where a box beside an anchor goes: on the requested side or else the opposite one, and inside the window. */
export function place({ anchor, box, view, side, align }: Placing): { x: number; y: number } {
  const upright = side === "top" || side === "bottom";
  const needed = (upright ? box.height : box.width) + gap + margin;
  const room = {
    top: anchor.top,
    bottom: view.height - anchor.bottom,
    left: anchor.left,
    right: view.width - anchor.right,
  };
  const at = room[side] < needed && room[opposite[side]] > room[side] ? opposite[side] : side;
  const along = upright
    ? aligned(anchor.left, anchor.right, box.width, align)
    : aligned(anchor.top, anchor.bottom, box.height, align);
  const across = {
    top: anchor.top - gap - box.height,
    bottom: anchor.bottom + gap,
    left: anchor.left - gap - box.width,
    right: anchor.right + gap,
  }[at];
  const [x, y] = upright ? [along, across] : [across, along];
  return { x: within(x, box.width, view.width), y: within(y, box.height, view.height) };
}

function aligned(start: number, end: number, size: number, align: Align): number {
  if (align === "start") return start;
  return align === "end" ? end - size : (start + end - size) / 2;
}

function within(position: number, size: number, room: number): number {
  return Math.round(Math.max(margin, Math.min(position, room - size - margin)));
}
