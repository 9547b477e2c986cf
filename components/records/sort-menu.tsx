"use client";

import { ArrowUpDown } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { sortsOf } from "./sort-words.ts";

type SortMenuProps = {
  columns: Parameters<typeof sortsOf>[0];
  sort: string;
  onSort: (sort: string) => void;
  className?: string | undefined;
};

/** Sorts a list that shows no heads of columns: as cards, or as a board. */
export function SortMenu({ columns, sort, onSort, className }: SortMenuProps) {
  const sorts = sortsOf(columns);
  const now = sorts.find(({ value }) => value === sort)?.label;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button aria-label={now ? `Sort: ${now}` : "Sort"} className={className}>
          <ArrowUpDown aria-hidden="true" /> Sort
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start">
        <DropdownMenuRadioGroup value={sort} onValueChange={onSort}>
          {sorts.map(({ value, label }) => (
            <DropdownMenuRadioItem key={value} value={value}>
              {label}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
