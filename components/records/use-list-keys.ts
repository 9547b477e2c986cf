import { ArrowDown, ArrowUp, Download, Search, SquareCheck } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { type Command, useCommands } from "#components/frame/commands.ts";
import type { Selection } from "./use-selection.ts";

export type Active = { index: number; at: number } | null;

type Means = {
  group: string;
  count: number;
  /** Left out: the list has no search. */
  search?: RefObject<HTMLInputElement | null>;
  selection: Selection;
  onExport: () => void;
};

/** `j` and `k` move through the rows, `x` picks, `/` searches the list; Enter opens, since a row's link has the focus. */
export function useListKeys({ group, count, search, selection, onExport }: Means): [Active, (index: number) => void] {
  const [active, setActive] = useState<Active>(null);
  /** The row that a key selected and that will have the focus soon: a key typed before then means this row. */
  const coming = useRef<number | null>(null);
  const go = (index: number) => {
    if (count === 0) return;
    const asked = Math.max(0, Math.min(count - 1, index));
    coming.current = asked;
    setActive((before) => ({ index: asked, at: (before?.at ?? 0) + 1 }));
  };
  useEffect(() => {
    if (!active) return;
    // The list's own effect, run before this one, focuses the row in the next frame or, if it had to be drawn, the one after.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        coming.current = null;
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [active]);
  const onRow = () => coming.current ?? focusedRow();
  const here = () => onRow() ?? active?.index ?? -1;
  const commands: Command[] = [
    { id: "list-next", label: "Next row", group, icon: ArrowDown, keys: "j", hidden: true, run: () => go(here() + 1) },
    {
      id: "list-back",
      label: "Previous row",
      group,
      icon: ArrowUp,
      keys: "k",
      hidden: true,
      run: () => go(here() - 1),
    },
    {
      id: "list-pick",
      label: "Select row",
      group,
      icon: SquareCheck,
      keys: "x",
      hidden: true,
      run: () => {
        const index = onRow();
        if (index !== null) selection.toggle(index, false);
      },
    },
    {
      id: "list-unpick",
      label: "Clear selection",
      group,
      keys: "escape",
      hidden: true,
      run: selection.clear,
    },
    ...(search
      ? [
          {
            id: "list-search",
            label: "Search this list",
            group,
            icon: Search,
            keys: "/",
            run: () => search.current?.focus(),
          },
        ]
      : []),
    {
      id: "list-export",
      label: "Export this list as CSV",
      group,
      icon: Download,
      keywords: ["download"],
      run: onExport,
    },
  ];
  useCommands(commands);
  return [active, go];
}

function focusedRow(): number | null {
  const row = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row;
  return row === undefined ? null : Number(row);
}
