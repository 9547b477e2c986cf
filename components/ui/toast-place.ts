export type Box = { left: number; top: number; right: number; bottom: number };
export type ToastPlace = "bottom-right" | "top-right" | "top-center";

/** The room that a few toasts take, with their distance from the edge; on a phone they are as wide as the screen. */
const ROOM = { width: 396, height: 180 };
const PHONE = 600;

const meet = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function roomAt(place: ToastPlace, { width, height }: { width: number; height: number }): Box {
  const wide = width <= PHONE ? width : ROOM.width;
  const left = place === "top-center" ? (width - wide) / 2 : width - wide;
  const top = place === "bottom-right" ? height - ROOM.height : 0;
  return { left, right: left + wide, top, bottom: top + ROOM.height };
}

/** Where a toast does not cover the action that it reports on: below on the right, else above. */
export function toastPlace(action: Box | null, screen: { width: number; height: number }): ToastPlace {
  if (action === null) return "bottom-right";
  const places = ["bottom-right", "top-right", "top-center"] as const;
  return places.find((place) => !meet(action, roomAt(place, screen))) ?? "bottom-right";
}
