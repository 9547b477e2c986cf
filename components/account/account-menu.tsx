"use client";

import { Archive, ArchiveRestore, Ellipsis, Merge } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";

type AccountMenuProps = { archived: boolean; onMerge: () => void; onArchived: (archived: boolean) => void };

export function AccountMenu({ archived, onMerge, onArchived }: AccountMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button size="icon" aria-label="More actions">
          <Ellipsis aria-hidden="true" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem onSelect={onMerge}>
          <Merge aria-hidden="true" /> Merge with…
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => onArchived(!archived)}>
          {archived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
          {archived ? "Restore" : "Archive"}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
