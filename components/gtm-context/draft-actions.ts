import { ApiError } from "#components/api.ts";
import { problemOf } from "#components/records/problem.ts";
import { toastWithUndo } from "#components/ui/toaster.tsx";
import type { EntryVersion, Fact } from "#lib/domain/records/facts/contract.ts";
import { ASSERTED_CONFIDENCE } from "#lib/domain/records/facts/words.ts";
import { type Draft, draftOf, isDirty } from "./drafts.ts";
import type { Means } from "./means.ts";

/** What a writer does with the open editors. */
export function draftActions(means: Means) {
  const { calls, drafts, say } = means;

  /** Sends the draft; if that fails, the editor opens again with the text in it. */
  async function save(key: string): Promise<void> {
    const draft = drafts.get(key);
    const content = draft?.text.trim();
    if (!draft || !content || draft.state === "saving") return;
    if (draft.id !== null && content === draft.seen) return drafts.close(key);
    drafts.change(key, { state: "saving", problem: null, conflict: null, focus: false });
    try {
      const { fact } = await (draft.id === null
        ? calls.addEntry(draft.category, content)
        : calls.editEntry(draft.id, content, draft.seen));
      showWritten(means, fact, draft.id);
      drafts.close(key);
      say(`${draft.category} saved.`);
    } catch (error) {
      const gone = error instanceof ApiError && /^fact_(changed|already_superseded)$/.test(error.code) ? error : null;
      const failed = { state: "editing", focus: true } as const;
      if (!gone) return drafts.change(key, { ...failed, problem: problemOf(error) });
      const conflict = await findTheirs(means, gone, draft).catch(problemOf);
      drafts.change(key, "theirs" in conflict ? { ...failed, conflict } : { ...failed, problem: conflict });
    }
  }

  return {
    save,
    /** Closes an editor; text that this discards can be restored. */
    cancel(key: string): void {
      const draft = drafts.get(key);
      drafts.close(key);
      if (draft && isDirty(draft) && draft.text.trim() !== "") {
        toastWithUndo("Changes discarded", () => drafts.open({ ...draft, focus: true, problem: null, conflict: null }));
      }
    },
    edit: (fact: EntryVersion) => drafts.open(draftOf({ category: fact.category, entry: fact, focus: true })),
    add: (category: string) => drafts.open(draftOf({ category, focus: true })),
    /** Starts over from the current entry; used when the writer has changed nothing. */
    rebase: (key: string, fact: EntryVersion) =>
      drafts.change(key, { id: fact.id, seen: fact.content, text: fact.content }),
    compare: (key: string, fact: EntryVersion) => drafts.change(key, { conflict: { theirs: fact } }),
    /** Saves the draft over what someone else wrote. */
    replaceTheirs(key: string): void {
      const conflict = drafts.get(key)?.conflict;
      if (!conflict) return;
      const { theirs } = conflict;
      drafts.change(key, { id: theirs?.id ?? null, seen: theirs?.content ?? "" });
      void save(key);
    },
  };
}

function showWritten({ own, patch, refresh, writer }: Means, fact: Fact, supersedes: string | null): void {
  own([fact.id]);
  patch((facts) => [
    asWritten(fact, supersedes, writer),
    ...facts.filter(({ id }) => id !== supersedes && id !== fact.id),
  ]);
  void refresh();
}

/** The current entry in place of the one the draft started from. */
async function findTheirs(
  { calls, patch }: Means,
  refusal: ApiError,
  draft: Draft,
): Promise<NonNullable<Draft["conflict"]>> {
  const facts = await calls.listEntries();
  patch(() => facts);
  const id = refusal.code === "fact_changed" ? draft.id : refusal.extras.current_id;
  return { theirs: facts.find((fact) => fact.id === id) ?? null };
}

/** A fact as it is right after it was written. */
const asWritten = (fact: Fact, supersedes: string | null, writer: string): EntryVersion => ({
  ...fact,
  confidence: ASSERTED_CONFIDENCE,
  freshness: "fresh",
  epistemic_class: "asserted",
  last_observed_at: fact.recorded_at,
  supersedes,
  author: writer,
  client: null,
});
