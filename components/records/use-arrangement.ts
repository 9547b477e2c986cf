import { useEffect, useMemo, useRef } from "react";
import { widthsIn, widthsText } from "./column-widths.ts";
import type { Place } from "./list-kind.ts";
import type { SetPlace } from "./use-place.ts";

/** How the columns of a table are arranged by its reader. */
export type Arrangement = {
  /** Which columns are shown, in this order; null: the standard ones. */
  onShown: (ids: readonly string[] | null) => void;
  /** New widths of some columns. */
  onWidths: (widths: ReadonlyMap<string, number>) => void;
};

/**
 * Columns, their order and their widths are in the address, and with it in a saved view. Without a view they are also kept in
 * the browser, and taken from there when the address has none.
 */
export function useArrangement(list: string, workspaceId: string, place: Place, setPlace: SetPlace): Arrangement {
  const key = `rapport-columns-${list}-${workspaceId}`;
  const isPlain = place.view === null && place.cols === null && place.widths === null;
  const set = useRef(setPlace);
  set.current = setPlace;
  useEffect(() => {
    if (!isPlain) return;
    const kept = read(key);
    if (kept) set.current(kept, "replace");
  }, [isPlain, key]);
  return useMemo(() => {
    const arrange = (change: ArrangementChange) => {
      const next = {
        cols: place.cols as ArrangementChange["cols"],
        widths: place.widths as ArrangementChange["widths"],
        ...change,
      };
      if (place.view === null) keep(key, next);
      set.current(change, "replace");
    };
    return {
      onShown: (ids) => (ids ? arrange({ cols: [...ids] }) : arrange({ cols: null, widths: null })),
      onWidths: (widths) => arrange({ widths: widthsText(new Map([...widthsIn(place.widths), ...widths])) }),
    };
  }, [key, place]);
}

type ArrangementChange = { cols?: string[] | null; widths?: string[] | null };

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

function read(key: string): ArrangementChange | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "null") as ArrangementChange | null;
    if (!kept) return null;
    return { cols: isTexts(kept.cols) ? kept.cols : null, widths: isTexts(kept.widths) ? kept.widths : null };
  } catch {
    return null; // not ours, or the browser keeps nothing
  }
}

function keep(key: string, { cols, widths }: ArrangementChange): void {
  try {
    if (cols || widths) localStorage.setItem(key, JSON.stringify({ cols, widths }));
    else localStorage.removeItem(key);
  } catch {
    // The browser keeps nothing: the address still has it.
  }
}
