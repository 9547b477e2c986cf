"use client";

import { Columns3 } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";

type Choosable = { id: string; label: string };
type ColumnMenuProps = {
  columns: readonly Choosable[];
  shown: readonly string[];
  onShown: (ids: readonly string[] | null) => void;
};

/** Which columns the table shows; the first one, the name, always does. */
export function ColumnMenu({ columns, shown, onShown }: ColumnMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button className="max-md:hidden">
          <Columns3 aria-hidden="true" /> Columns
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        {columns.slice(1).map(({ id, label }) => (
          <DropdownMenuCheckboxItem
            key={id}
            checked={shown.includes(id)}
            onSelect={(event) => event.preventDefault()}
            onCheckedChange={(on) => onShown(on ? [...shown, id] : shown.filter((each) => each !== id))}
          >
            {label}
          </DropdownMenuCheckboxItem>
        ))}
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => onShown(null)}>Standard columns</DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
