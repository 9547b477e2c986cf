/** What is left beside it, so that it is not at the very edge and its neighbour shows. */
const BESIDE = 16;

/** Scrolls a strip to the item that is shown. Not by `scrollIntoView`, after which Tab begins there and not at the top. */
export function showCurrent(strip: HTMLElement): void {
  const current = strip.querySelector("[aria-current], [aria-selected=true]");
  if (!current) return;
  const [box, item] = [strip.getBoundingClientRect(), current.getBoundingClientRect()];
  strip.scrollLeft += Math.max(0, item.right + BESIDE - box.right) - Math.max(0, box.left + BESIDE - item.left);
}
