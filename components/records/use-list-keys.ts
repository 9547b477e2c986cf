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
  /** The row that the latest key moved to and that will have the focus: a key pressed before then means this row. */
  const coming = useRef<Active>(null);
  const moves = useRef(0);
  const go = (index: number) => {
    if (count === 0) return;
    moves.current += 1;
    coming.current = { index: Math.max(0, Math.min(count - 1, index)), at: moves.current };
    setActive(coming.current);
  };
  useArrival(active, coming);
  const onRow = () => coming.current?.index ?? focusedRow();
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

/** Forgets the row that keys moved to once it has the focus, or the reader took the focus elsewhere; never a newer one. */
function useArrival(active: Active, coming: RefObject<Active>): void {
  useEffect(() => {
    if (!active) return;
    const forget = () => {
      if (coming.current === active) coming.current = null;
    };
    // A link of another row gets the focus late, from the key before.
    const arrive = () => {
      if (focusedRow() === active.index || !document.activeElement?.matches("[data-row-link]")) forget();
    };
    if (focusedRow() === active.index) forget();
    document.addEventListener("focusin", arrive);
    document.addEventListener("pointerdown", forget);
    return () => {
      document.removeEventListener("focusin", arrive);
      document.removeEventListener("pointerdown", forget);
    };
  }, [active, coming]);
}

function focusedRow(): number | null {
  const row = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row;
  return row === undefined ? null : Number(row);
}
