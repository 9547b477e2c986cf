"use client";

import { Download, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { numeral } from "#components/ui/numbers.ts";

type SelectionBarProps = {
  count: number;
  /** The offer to pick all that match, and what is picked then, in words; left out where there is none. */
  whole?: { picked: boolean; offer: string; words: string; onPick: () => void } | undefined;
  /** The list's own actions. */
  children: ReactNode;
  onExport: () => void;
  onClear: () => void;
};

/** The actions on the picked rows; shown at the bottom of the page while there are any. */
export function SelectionBar({ count, whole, children, onExport, onClear }: SelectionBarProps) {
  return (
    <section
      aria-label="Selection"
      className="fixed bottom-4 left-1/2 z-30 flex max-w-[calc(100vw-1rem)] -translate-x-1/2 items-center gap-1 overflow-x-auto rounded-lg border border-border-strong bg-popover p-1.5 shadow-md md:ml-28"
    >
      <span role="status" className="whitespace-nowrap px-2 font-medium">
        {whole?.picked ? whole.words : `${numeral(count)} selected`}
      </span>
      {whole && !whole.picked ? (
        <Button variant="ghost" className="text-primary-text" onClick={whole.onPick}>
          {whole.offer}
        </Button>
      ) : null}
      {children}
      <Button variant="ghost" onClick={onExport}>
        <Download aria-hidden="true" /> <span className="max-sm:sr-only">Export CSV</span>
      </Button>
      <IconButton label="Clear selection" shortcut="esc" onClick={onClear}>
        <X aria-hidden="true" />
      </IconButton>
    </section>
  );
}
