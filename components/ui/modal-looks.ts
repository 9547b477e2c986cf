export const overlayClasses =
  "fixed inset-0 z-40 bg-overlay data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in";

/** A box in the middle of the window. */
export const boxClasses =
  "fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-1/2 overflow-y-auto rounded-lg border bg-popover shadow-lg outline-none data-[state=closed]:animate-pop-out data-[state=open]:animate-pop-in";
