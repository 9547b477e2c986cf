/** What the reader pressed last. */
let pressed: Element | null = null;

/** Where that is; null once it is gone, as the button of a dialog that has closed. */
export function lastAction(): DOMRect | null {
  const box = pressed?.isConnected ? pressed.getBoundingClientRect() : null;
  return box && box.width > 0 ? box : null;
}

const controls = "button, a, input, select, textarea, [role]";

/** For `pointerdown` and `keydown`. */
export function notePress({ target }: Event): void {
  pressed = target instanceof Element ? (target.closest(controls) ?? target) : null;
}
