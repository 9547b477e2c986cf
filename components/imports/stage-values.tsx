"use client";

import { ChevronDown } from "lucide-react";
import { type Stage, stageLabels, stages, stageTones } from "#components/records/stages.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import type { Import } from "./calls.ts";
import type { ChangeImport } from "./use-import-changes.ts";

const NONE = "none";

/** Which stage each word of the file means. None sets one before someone has said so. */
export function StageValues({ record, patch }: { record: Import; patch: ChangeImport }) {
  const { stages_seen } = record;
  const open = stages_seen.filter(({ stage, proposed }) => proposed !== null && proposed !== stage);

  function set(wish: ReadonlyMap<string, Stage | null>) {
    const seen = stages_seen.map((each) => ({
      ...each,
      stage: wish.get(each.value) ?? (wish.has(each.value) ? null : each.stage),
    }));
    const stage_values = Object.fromEntries(seen.map(({ value, stage }) => [value, stage]));
    patch({ stage_values }, { stages_seen: seen, stage_values });
  }

  return (
    <Card aria-labelledby="import-stages">
      <CardHeader
        titleId="import-stages"
        title="Stages"
        description="Choose a stage for each word in the file. A word without one sets no stage."
        actions={
          open.length > 0 ? (
            <Button size="sm" onClick={() => set(new Map(open.map(({ value, proposed }) => [value, proposed])))}>
              Use {open.length === 1 ? "the proposal" : `all ${open.length} proposals`}
            </Button>
          ) : null
        }
      />
      <ul aria-labelledby="import-stages" className="divide-y border-t">
        {stages_seen.map(({ value, stage, proposed }) => (
          <li key={value} className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5">
            <span className="wrap-anywhere min-w-0 flex-1">{value}</span>
            {stage === null && proposed !== null ? (
              <span className="text-muted-foreground text-sm">Proposed: {stageLabels[proposed]}</span>
            ) : null}
            <StageChoice value={value} stage={stage} onStage={(next) => set(new Map([[value, next]]))} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

type StageChoiceProps = { value: string; stage: Stage | null; onStage: (stage: Stage | null) => void };

function StageChoice({ value, stage, onStage }: StageChoiceProps) {
  const label = stage === null ? "Sets no stage" : stageLabels[stage];
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button size="sm" aria-label={`“${value}”: ${label}. Change`} className="w-36 justify-between font-normal">
          {stage === null ? (
            <span className="text-muted-foreground">{label}</span>
          ) : (
            <Badge tone={stageTones[stage]}>{label}</Badge>
          )}
          <ChevronDown aria-hidden="true" className="text-muted-foreground" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="min-w-36">
        <DropdownMenuRadioGroup
          value={stage ?? NONE}
          onValueChange={(next) => onStage(stages.find((each) => each === next) ?? null)}
        >
          {stages.map((each) => (
            <DropdownMenuRadioItem key={each} value={each}>
              {stageLabels[each]}
            </DropdownMenuRadioItem>
          ))}
          <DropdownMenuRadioItem value={NONE}>Sets no stage</DropdownMenuRadioItem>
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
