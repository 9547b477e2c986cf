import { isStage, stageLabels } from "#components/records/stages.ts";
import { toastProblem } from "#components/records/toast-problem.ts";
import type { MakeChange } from "#components/records/use-optimistic.ts";
import { toastWithUndo } from "#components/ui/toaster.tsx";
import type { Calls, Event } from "./calls.ts";
import type { Pages } from "./use-timeline.ts";

type Options = { calls: Calls; change: MakeChange<Pages>; refresh: () => Promise<void> };

/** What a reader corrects on a timeline. */
export function useEventChanges({ calls, change, refresh }: Options) {
  return {
    /** Throws when it is refused; the dialog says why. */
    async correct(event: Event, description: string | null, at: string): Promise<void> {
      const { activity_id, replaces } = await calls.correct(event.id, { description, occurred_at: at });
      await refresh();
      if (replaces === null) return;
      toastWithUndo("Activity corrected", async () => {
        const before = { description: event.summary, occurred_at: event.observed_at };
        await calls.correct(activity_id, before).then(refresh, showProblem);
      });
    },
    async remove(event: Event): Promise<void> {
      let moved = "";
      const done = await change({
        show: (pages) => without(pages, event.id),
        call: async () => {
          const { stage_after } = await calls.remove(event.id);
          if (isStage(stage_after)) moved = `, and the stage is ${stageLabels[stage_after]} again`;
        },
      });
      if (!done) return;
      await refresh();
      toastWithUndo(`Activity removed${moved}`, () => calls.restore(event.id).then(refresh, showProblem));
    },
  };
}

const showProblem = (error: unknown): void => {
  toastProblem(error);
};

const without = (pages: Pages, id: string): Pages => ({
  ...pages,
  pages: pages.pages.map((page) => ({ ...page, events: page.events.filter((event) => event.id !== id) })),
});
