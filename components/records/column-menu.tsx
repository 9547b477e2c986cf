"use client";

import { Columns3 } from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { isLeftOut } from "./column-room.ts";
import { reordered } from "./column-widths.ts";

type Choosable = { id: string; label: string };
type ColumnMenuProps = {
  columns: readonly Choosable[];
  shown: readonly string[];
  onShown: (ids: readonly string[] | null) => void;
  /** The menu is about to be opened. */
  onNear?: (() => void) | undefined;
};

/** Which columns the table shows, and in which order; the first one, the name, is always first. */
export function ColumnMenu({ columns, shown, onShown, onNear }: ColumnMenuProps) {
  const chosen = columns.slice(1).flatMap(({ id }) => (shown.includes(id) ? [id] : []));

  function onKey(event: KeyboardEvent, id: string) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    keepFocus(event.currentTarget as HTMLElement);
    if (chosen.includes(id)) onShown(reordered(chosen, id, chosen.indexOf(id) + step));
  }

  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button className="max-list:hidden" onPointerEnter={onNear} onFocus={onNear}>
          <Columns3 aria-hidden="true" /> Columns
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        {columns.slice(1).map(({ id, label }) => (
          <DropdownMenuCheckboxItem
            key={id}
            checked={shown.includes(id)}
            aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
            onKeyDown={(event) => onKey(event, id)}
            onSelect={(event) => {
              event.preventDefault();
              keepFocus(event.target as HTMLElement);
            }}
            onCheckedChange={(on) => onShown(on ? [...chosen, id] : chosen.filter((each) => each !== id))}
          >
            {label}
            {shown.includes(id) ? <NoRoom id={id} /> : null}
          </DropdownMenuCheckboxItem>
        ))}
        <DropdownMenuSeparator />
        <p className="max-w-56 px-2 py-1 text-muted-foreground text-xs">
          Alt with ↑ or ↓ moves a column. A narrow window leaves out the last.
        </p>
        <DropdownMenuItem onSelect={() => onShown(null)}>Standard columns</DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** Says that a column was chosen for which the table has no room. */
function NoRoom({ id }: { id: string }) {
  const [leftOut, setLeftOut] = useState(false);
  useEffect(() => setLeftOut(isLeftOut(id)));
  return leftOut ? <span className="ml-auto pl-3 text-muted-foreground text-xs">no room</span> : null;
}

/** An item that moves in the menu would lose the focus. */
function keepFocus(item: HTMLElement): void {
  requestAnimationFrame(() => item.focus());
}
