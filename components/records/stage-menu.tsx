"use client";

import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { afterPaint } from "#components/ui/after-paint.ts";
import { Badge } from "#components/ui/badge.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { isStage, type Stage, stageLabels, stages, stageTones } from "./stages.ts";

export type StageMenuProps = { stage: Stage; name: string; onStage: (stage: Stage) => void };

/** The stage of a row, changed in place. The menu is rendered only once it is opened: a list has many rows. */
export function StageMenu({ stage, name, onStage }: StageMenuProps) {
  const [wanted, setWanted] = useState<"pointer" | "key" | null>(null);
  const badge = (
    <button
      type="button"
      data-writes="shown"
      aria-label={`Stage of ${name}: ${stageLabels[stage]}. Change`}
      aria-haspopup="menu"
      onClick={wanted ? undefined : (event) => setWanted(event.detail > 0 ? "pointer" : "key")}
      className="group/stage relative z-1 inline-flex h-7 max-w-full items-center gap-1 rounded-xs"
    >
      <Badge tone={stageTones[stage]}>{stageLabels[stage]}</Badge>
      <ChevronDown
        aria-hidden="true"
        className="size-3.5 shrink-0 text-muted-foreground opacity-0 group-hover/stage:opacity-100 group-focus-visible/stage:opacity-100 pointer-coarse:opacity-100"
      />
    </button>
  );
  if (!wanted) return badge;
  return (
    <DropdownMenu defaultOpen byPointer={wanted === "pointer"}>
      <DropdownMenuTrigger asChild>{badge}</DropdownMenuTrigger>
      <StageChoices stage={stage} onStage={onStage} />
    </DropdownMenu>
  );
}

/** All stages, as the content of a menu. */
export function StageChoices({ stage, onStage }: { stage?: Stage; onStage: (stage: Stage) => void }) {
  return (
    <DropdownMenuContent align="start" className="min-w-40">
      <DropdownMenuRadioGroup
        value={stage ?? ""}
        onValueChange={(next) => (isStage(next) && next !== stage ? afterPaint(() => onStage(next)) : undefined)}
      >
        {stages.map((each) => (
          <DropdownMenuRadioItem key={each} value={each}>
            {stageLabels[each]}
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
    </DropdownMenuContent>
  );
}
