import { ArrowRightLeft } from "lucide-react";
import Link from "next/link";
import { memo, type PointerEvent } from "react";
import { personName } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Score } from "#components/records/score.tsx";
import { StageChoices } from "#components/records/stage-menu.tsx";
import type { Stage } from "#components/records/stages.ts";
import { cn } from "#components/ui/cn.ts";
import { DropdownMenu, DropdownMenuTrigger } from "#components/ui/dropdown-menu.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import type { Person } from "#lib/domain/crm/people/contract.ts";

type BoardCardProps = {
  person: Person;
  workspaceId: string;
  isHeld: boolean;
  onPress: (event: PointerEvent<HTMLElement>, id: string, from: Stage) => void;
  onMove: (person: Person, to: Stage) => void;
};

/** A person on the board. Not rendered again while others are dragged. */
export const BoardCard = memo(function BoardCard({ person, workspaceId, isHeld, onPress, onMove }: BoardCardProps) {
  const name = personName(person);
  return (
    <li
      data-card={person.id}
      onPointerDown={(event) => onPress(event, person.id, person.pipeline_stage)}
      className={cn(
        "group/card relative cursor-grab select-none rounded-md border bg-card p-3 [contain-intrinsic-size:auto_5.5rem] [content-visibility:auto] focus-within:border-border-strong hover:border-border-strong",
        isHeld && "border-primary border-dashed bg-selected",
      )}
    >
      <CardFace person={person} href={`/${workspaceId}/accounts/${person.id}`} />
      <span
        data-no-drag
        className="absolute top-2 right-2 z-1 rounded-xs bg-card opacity-0 group-focus-within/card:opacity-100 group-hover/card:opacity-100 pointer-coarse:opacity-100"
      >
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <IconButton data-writes label={`Move ${name} to a stage`} className="size-7">
              <ArrowRightLeft aria-hidden="true" />
            </IconButton>
          </DropdownMenuTrigger>
          <StageChoices stage={person.pipeline_stage} onStage={(stage) => onMove(person, stage)} />
        </DropdownMenu>
      </span>
    </li>
  );
});

/** What a card says; without an address its name is no link. */
export function CardFace({ person, href }: { person: Person; href?: string }) {
  const name = personName(person);
  const work = [person.job_title, person.company].filter(Boolean).join(" · ") || person.email;
  return (
    <>
      <div className="flex min-w-0 items-center gap-2 pr-7">
        {href ? (
          <Link
            href={href}
            prefetch={false}
            draggable={false}
            aria-describedby="board-keys"
            className="min-w-0 truncate font-medium after:absolute after:inset-0"
          >
            {name}
          </Link>
        ) : (
          <span className="min-w-0 truncate font-medium">{name}</span>
        )}
      </div>
      {work ? <p className="truncate text-muted-foreground text-sm">{work}</p> : null}
      <div className="mt-1.5 flex items-center justify-between gap-2 text-muted-foreground text-xs">
        {person.last_activity_at ? <RelativeTime value={person.last_activity_at} /> : <span>No activity</span>}
        {person.icp_score === null ? null : <Score score={person.icp_score} />}
      </div>
    </>
  );
}
