import { Archive, ArchiveRestore, ListChecks } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { DropdownMenu, DropdownMenuTrigger } from "#components/ui/dropdown-menu.tsx";
import { StageChoices } from "./stage-menu.tsx";
import type { Stage } from "./stages.ts";

type RecordActionsProps = {
  archived: boolean;
  onStage?: ((stage: Stage) => void) | undefined;
  onArchive: () => void;
};

/** What can be done with picked people or companies. */
export function RecordActions({ archived, onStage, onArchive }: RecordActionsProps) {
  return (
    <>
      {onStage ? (
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button data-writes variant="ghost">
              <ListChecks aria-hidden="true" /> Stage
            </Button>
          </DropdownMenuTrigger>
          <StageChoices onStage={onStage} />
        </DropdownMenu>
      ) : null}
      <Button data-writes variant="ghost" onClick={onArchive}>
        {archived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
        {archived ? "Restore" : "Archive"}
      </Button>
    </>
  );
}
