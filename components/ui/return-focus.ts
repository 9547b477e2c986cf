import { type RefObject, useInsertionEffect, useRef } from "react";

type Handlers = {
  onOpenAutoFocus?: ((event: Event) => void) | undefined;
  onCloseAutoFocus?: ((event: Event) => void) | undefined;
};

type From = RefObject<HTMLElement | null>;

/** The focused element before any dialog: a dialog may have opened another one and be closed by now. */
let origin: HTMLElement | null = null;

function remember(from: From): void {
  const active = document.activeElement;
  from.current = active instanceof HTMLElement && active !== document.body ? active : null;
  if (!from.current?.closest("[role=dialog], [role=alertdialog]")) origin = from.current;
}

/**
 * For the content of a dialog: when it closes, the focus goes back to where it was when it opened. Radix returns it
 * only to a DialogTrigger, and ours are mostly opened by something else: a menu, a key, an address. Put a `FocusOrigin`
 * with `from` inside the content.
 */
export function useReturnFocus({ onOpenAutoFocus, onCloseAutoFocus }: Handlers): {
  from: From;
  handlers: Required<Handlers>;
} {
  const from = useRef<HTMLElement>(null);
  return {
    from,
    handlers: {
      onOpenAutoFocus(event) {
        remember(from);
        onOpenAutoFocus?.(event);
      },
      onCloseAutoFocus(event) {
        onCloseAutoFocus?.(event);
        const target = from.current?.isConnected ? from.current : origin;
        if (event.defaultPrevented || !target) return;
        event.preventDefault();
        if (document.activeElement === document.body) target.focus();
        else origin = target;
      },
    },
  };
}

/**
 * Remembers where the focus is before an `autoFocus` of the content takes it; Radix has no event for that. Insertion
 * effects run before React focuses anything.
 */
export function FocusOrigin({ from }: { from: From }): null {
  useInsertionEffect(() => remember(from), [from]);
  return null;
}
