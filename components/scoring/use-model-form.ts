import { useEffect, useRef, useState } from "react";
import { ApiError } from "#components/api.ts";
import { problemOf } from "#components/records/problem.ts";
import { toast } from "#components/ui/toaster.tsx";
import { type Settings, type Signal, useModelChanges, usePreview } from "./calls.ts";
import { draftOf, isSameModel, newSignal, problemsIn, type SignalDraft, signalsOf } from "./draft.ts";

/** How long typing must pause before the preview is made again. */
const PAUSE_MS = 500;

export type ModelForm = ReturnType<typeof useModelForm>;

/** The model being edited: previewed as it changes, and saved as a whole. */
export function useModelForm(workspaceId: string, settings: Settings) {
  const changes = useModelChanges(workspaceId);
  const saved = settings.model?.signals ?? [];
  const [edited, setEdited] = useState<readonly SignalDraft[] | null>(null);
  const [notes, setNotes] = useState<{ builder: "rules" | "llm" | "given"; notes: readonly string[] } | null>(null);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState<"building" | "saving" | null>(null);
  const [failure, setFailure] = useState<{ message: string; noProfile: boolean } | null>(null);
  const list = useRef<HTMLUListElement>(null);

  const drafts = edited ?? saved.map(draftOf);
  const problems = problemsIn(drafts);
  const signals = signalsOf(drafts);
  const isReady = drafts.length > 0 && Object.keys(problems).length === 0;
  const isChanged = edited !== null && !isSameModel(signals, saved);
  const preview = usePreview(workspaceId, usePaused(isChanged && isReady ? signals : null));

  function edit(next: readonly SignalDraft[]): void {
    setFailure(null);
    setEdited(next);
  }

  function settle(): void {
    setEdited(null);
    setNotes(null);
    setTried(false);
    setFailure(null);
  }

  async function build(): Promise<void> {
    setBusy("building");
    setFailure(null);
    try {
      const drafted = await changes.draft();
      setEdited(drafted.signals.map(draftOf));
      setNotes(drafted);
    } catch (error) {
      setFailure({
        message: problemOf(error).message,
        noProfile: error instanceof ApiError && error.code === "no_gtm_context",
      });
    } finally {
      setBusy(null);
    }
  }

  async function save(): Promise<void> {
    setTried(true);
    if (!isReady) {
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
      return;
    }
    setBusy("saving");
    setFailure(null);
    try {
      const version = await changes.save(signals);
      settle();
      toast.success(`Version ${version} is saved. Everyone is being scored again.`);
    } catch (error) {
      setFailure({ message: problemOf(error).message, noProfile: false });
    } finally {
      setBusy(null);
    }
  }

  return {
    list,
    drafts,
    notes,
    preview,
    isChanged,
    busy,
    failure,
    problems: tried ? problems : {},
    build,
    save,
    settle,
    change: (id: string, change: Partial<SignalDraft>) =>
      edit(drafts.map((draft) => (draft.id === id ? { ...draft, ...change } : draft))),
    remove: (id: string) => edit(drafts.filter((draft) => draft.id !== id)),
    add: () => edit([...drafts, newSignal(drafts)]),
    restore: (signals: readonly Signal[]) => {
      setNotes(null);
      edit(signals.map(draftOf));
    },
  };
}

/** The value once it has stayed the same for a moment. */
function usePaused(signals: Signal[] | null): Signal[] | null {
  const text = signals && JSON.stringify(signals);
  const [paused, setPaused] = useState<string | null>(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text !== null && paused !== null ? (JSON.parse(paused) as Signal[]) : null;
}
