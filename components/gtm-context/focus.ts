import { useState } from "react";

/** For `onOpenAutoFocus`: the panel itself takes the focus, so that no tooltip opens over it and Escape closes it. */
export function focusPanel(event: Event): void {
  event.preventDefault();
  (event.currentTarget as HTMLElement).focus();
}

/**
 * For `onCloseAutoFocus` of a panel that no trigger opened: the focus goes back to where the reader was, or to that
 * section, unless something else has taken it meanwhile.
 */
export function useReturnFocus(): (event: Event) => void {
  const [from] = useState(() => {
    const element = document.activeElement;
    return { element, section: element?.closest("[data-section]") };
  });
  return (event) => {
    event.preventDefault();
    if (document.activeElement !== document.body) return;
    const target = from.element?.isConnected ? from.element : from.section;
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  };
}
