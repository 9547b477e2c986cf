import { type FormEvent, useRef, useState } from "react";
import { problemOf } from "#components/records/problem.ts";
import { numeral } from "#components/ui/numbers.ts";
import { toast } from "#components/ui/toaster.tsx";
import { type StageSettings, type StageTable, UnfinishedMove, useRuleChanges } from "./stage-calls.ts";
import { draftOf, isSameTable, problemsIn, type StageDraft, tableOf } from "./stage-draft.ts";

export type StageForm = ReturnType<typeof useStageForm>;

/** The rules being edited: previewed before they are saved, and saved as a whole. */
export function useStageForm(workspaceId: string, settings: StageSettings) {
  const changes = useRuleChanges(workspaceId);
  const [edited, edit] = useState<StageDraft | null>(null);
  const [tried, setTried] = useState(false);
  const [movePeople, setMovePeople] = useState(false);
  const [asked, setAsked] = useState<StageTable | null>(null);
  /** How many people have moved so far; null while nothing is being saved. */
  const [moved, setMoved] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);

  const draft = edited ?? draftOf(settings);
  const table = tableOf(draft);
  const isChanged = !isSameTable(table, settings);
  const problems = problemsIn(draft);

  /** True when the rules can be sent; else the first wrong field gets the focus. */
  function isReady(): boolean {
    setFailure(null);
    setTried(true);
    if (!problems) return true;
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    return false;
  }

  /** Restores what the server has. */
  function settle(): void {
    edit(null);
    setTried(false);
    setMovePeople(false);
    setAsked(null);
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    if (moved !== null || !(isChanged || movePeople) || !isReady()) return;
    setMoved(0);
    try {
      const all = await changes.save(table, movePeople, setMoved);
      settle();
      toast.success(movePeople ? `The rules are saved. ${peopleWords(all)} moved.` : "The rules are saved.");
    } catch (problem) {
      setFailure(failureWords(problem));
    } finally {
      setMoved(null);
    }
  }

  return {
    form,
    draft,
    edit,
    isChanged,
    problems: tried ? problems : null,
    failure,
    movePeople,
    setMovePeople,
    isSaving: moved !== null,
    progress: moved ? `${peopleWords(moved)} moved so far…` : null,
    save,
    settle,
    preview: () => (isReady() ? setAsked(table) : undefined),
    /** The rules to preview, until something in them is changed. */
    previewed: asked && isSameTable(asked, table) ? asked : null,
    async reset(): Promise<void> {
      await changes.reset();
      settle();
      toast.success("Back to the standard rules.");
    },
  };
}

const failureWords = (problem: unknown): string =>
  problem instanceof UnfinishedMove
    ? `The rules are saved and ${peopleWords(problem.moved)} moved, then it stopped: ${problemOf(problem.cause).message} Save again to move the rest.`
    : problemOf(problem).message;

const peopleWords = (count: number): string =>
  count === 0 ? "No one" : count === 1 ? "1 person" : `${numeral(count)} people`;
