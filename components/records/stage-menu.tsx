"use client";

import { afterPaint } from "#components/ui/after-paint.ts";
import { ChipChoices, ChipMenu } from "./chip-menu.tsx";
import { isStage, type Stage, stageLabels, stages, stageTones } from "./stages.ts";

export type StageMenuProps = { stage: Stage; name: string; onStage: (stage: Stage) => void };

const choices = stages.map((value) => ({ value, label: stageLabels[value] }));

const chosen = (onStage: (stage: Stage) => void) => (value: string) =>
  isStage(value) ? afterPaint(() => onStage(value)) : undefined;

/** The stage of a row, changed in place. */
export const StageMenu = ({ stage, name, onStage }: StageMenuProps) => (
  <ChipMenu
    label={`Stage of ${name}`}
    chip={{ label: stageLabels[stage], tone: stageTones[stage] }}
    value={stage}
    choices={choices}
    onValue={chosen(onStage)}
  />
);

/** All stages, as the content of a menu. */
export const StageChoices = ({ stage, onStage }: { stage?: Stage; onStage: (stage: Stage) => void }) => (
  <ChipChoices {...(stage ? { value: stage } : {})} choices={choices} onValue={chosen(onStage)} />
);
