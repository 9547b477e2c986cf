"use client";

import { Archive, ArchiveRestore, Download, ListChecks, X } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { DropdownMenu, DropdownMenuTrigger } from "#components/ui/dropdown-menu.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { StageChoices } from "./stage-menu.tsx";
import type { Stage } from "./stages.ts";

type SelectionBarProps = {
  count: number;
  archived: boolean;
  onStage?: ((stage: Stage) => void) | undefined;
  onArchive: () => void;
  onExport: () => void;
  onClear: () => void;
};

/** The actions on the picked rows; shown at the bottom of the page while there are any. */
export function SelectionBar({ count, archived, onStage, onArchive, onExport, onClear }: SelectionBarProps) {
  return (
    <section
      aria-label="Selection"
      className="fixed bottom-4 left-1/2 z-30 flex max-w-[calc(100vw-1rem)] -translate-x-1/2 items-center gap-1 overflow-x-auto rounded-lg border border-border-strong bg-popover p-1.5 shadow-md md:ml-28"
    >
      <span role="status" className="whitespace-nowrap px-2 font-medium">
        {count} selected
      </span>
      {onStage ? (
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="ghost">
              <ListChecks aria-hidden="true" /> Stage
            </Button>
          </DropdownMenuTrigger>
          <StageChoices onStage={onStage} />
        </DropdownMenu>
      ) : null}
      <Button variant="ghost" onClick={onArchive}>
        {archived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
        {archived ? "Restore" : "Archive"}
      </Button>
      <Button variant="ghost" onClick={onExport}>
        <Download aria-hidden="true" /> <span className="max-sm:sr-only">Export CSV</span>
      </Button>
      <IconButton label="Clear selection" shortcut="esc" onClick={onClear}>
        <X aria-hidden="true" />
      </IconButton>
    </section>
  );
}
