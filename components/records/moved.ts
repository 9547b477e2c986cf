import { toastWithUndo } from "#components/ui/toaster.tsx";
import { type Stage, stageLabels } from "./stages.ts";

/** "Anna Smith moved to Aware" */
export const movedWords = (who: string, stage: Stage): string => `${who} moved to ${stageLabels[stage]}`;

type Move = {
  name: string;
  before: Stage | null | undefined;
  stage: Stage;
  /** Sets the stage and reports its own failure; false: it did not. */
  set: (stage: Stage) => Promise<boolean>;
};

/** Moves someone to a stage, and offers the way back. */
export async function moveWithUndo({ name, before, stage, set }: Move): Promise<void> {
  if (await set(stage)) toastWithUndo(movedWords(name, stage), async () => void (before && (await set(before))));
}
