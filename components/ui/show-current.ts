/** Scrolls a strip to what is shown of it. Not by `scrollIntoView`, after which Tab begins there and not at the top. */
export function showCurrent(strip: HTMLElement): void {
  const current = strip.querySelector("[aria-current], [aria-selected=true]");
  if (!current) return;
  const [box, item] = [strip.getBoundingClientRect(), current.getBoundingClientRect()];
  strip.scrollLeft += Math.max(0, item.right - box.right) - Math.max(0, box.left - item.left);
}
