"use client";

import { Archive, ArchiveRestore, Download, Ellipsis, Eraser, Merge, Split } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";

type AccountMenuProps = {
  archived: boolean;
  onMerge: () => void;
  onMerged: () => void;
  onArchived: (archived: boolean) => void;
  /** An admin's actions for a person's right to their data; absent for other members, and for a company. */
  privacy?: { exportAddress: string; onErase: () => void };
};

export function AccountMenu({ archived, onMerge, onMerged, onArchived, privacy }: AccountMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button data-writes size="icon" aria-label="More actions">
          <Ellipsis aria-hidden="true" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem onSelect={onMerge}>
          <Merge aria-hidden="true" /> Merge with…
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={onMerged}>
          <Split aria-hidden="true" /> Undo a merge…
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => onArchived(!archived)}>
          {archived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
          {archived ? "Restore" : "Archive"}
        </DropdownMenuItem>
        {privacy ? (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuItem asChild>
              <a href={privacy.exportAddress} download>
                <Download aria-hidden="true" /> Export all data
              </a>
            </DropdownMenuItem>
            <DropdownMenuItem tone="danger" onSelect={privacy.onErase}>
              <Eraser aria-hidden="true" /> Erase for good…
            </DropdownMenuItem>
          </>
        ) : null}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
