"use client";

import { Check } from "lucide-react";
import { isStage, type Stage, stageLabels, stages } from "#components/records/stages.ts";
import { cn } from "#components/ui/cn.ts";

type StageStepperProps = {
  stage: string | undefined;
  /** Absent while the page shows the past. */
  onStage?: ((stage: Stage) => void) | undefined;
};

/** The ladder with the steps taken; a click moves the person there. */
export function StageStepper({ stage, onStage }: StageStepperProps) {
  const at = isStage(stage) ? stages.indexOf(stage) : 0;
  return (
    <ol aria-label="Stage" className="flex w-full max-w-2xl gap-1 max-sm:gap-0.5">
      {stages.map((each, step) => {
        const current = step === at;
        const look = cn(
          "flex h-7 w-full items-center justify-center gap-1 rounded-xs px-1 font-medium text-xs max-sm:px-0.5 transition-colors",
          step < at && "bg-primary-soft text-primary-text",
          current && "bg-primary text-primary-foreground",
          step > at && "bg-muted text-muted-foreground",
          onStage && !current && "hover:bg-selected hover:text-foreground",
        );
        const label = (
          <>
            {step < at ? <Check aria-hidden="true" className="size-3 shrink-0 max-sm:hidden" /> : null}
            <span className="truncate">{stageLabels[each]}</span>
          </>
        );
        return (
          <li key={each} className="min-w-0 flex-1 max-sm:flex-auto" aria-current={current ? "step" : undefined}>
            {onStage && !current ? (
              <button type="button" data-writes="shown" className={look} onClick={() => onStage(each)}>
                <span className="sr-only">Move to </span>
                {label}
              </button>
            ) : (
              <span className={look}>{label}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
