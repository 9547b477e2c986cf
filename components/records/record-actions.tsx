import { Archive, ArchiveRestore, ListChecks, UserRound } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { DropdownMenu, DropdownMenuTrigger } from "#components/ui/dropdown-menu.tsx";
import type { Owner } from "./members.ts";
import { OwnerChoices } from "./owner-choices.tsx";
import { StageChoices } from "./stage-menu.tsx";
import type { Stage } from "./stages.ts";

type RecordActionsProps = {
  archived: boolean;
  onStage?: ((stage: Stage) => void) | undefined;
  workspaceId: string;
  onOwner: (owner: Owner) => void;
  onArchive: () => void;
};

/** What can be done with picked people or companies. */
export function RecordActions({ archived, workspaceId, onStage, onOwner, onArchive }: RecordActionsProps) {
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
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button data-writes variant="ghost">
            <UserRound aria-hidden="true" /> Owner
          </Button>
        </DropdownMenuTrigger>
        <OwnerChoices workspaceId={workspaceId} onOwner={onOwner} />
      </DropdownMenu>
      <Button data-writes variant="ghost" onClick={onArchive}>
        {archived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
        {archived ? "Restore" : "Archive"}
      </Button>
    </>
  );
}
