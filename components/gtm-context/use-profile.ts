import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { ApiError } from "#components/api.ts";
import { problemOf } from "#components/records/problem.ts";
import { toast, toastWithUndo } from "#components/ui/toaster.tsx";
import type { Fact, FactVersion } from "#lib/domain/facts/contract.ts";
import { callsOf, factsKey } from "./calls.ts";
import { type Draft, type Drafts, draftOf, isDirty } from "./drafts.ts";
import { type Changes, useChanges } from "./use-changes.ts";
import { useDrafts } from "./use-drafts.ts";

const refreshMs = 15_000;

type Options = {
  workspaceId: string;
  initial: readonly FactVersion[];
  /** When `initial` was read, in milliseconds. */
  readAt: number;
  opened: () => Draft[];
};

/** The profile as it is now, the open editors, and what the reader can do with both. */
export function useProfile({ workspaceId, initial, readAt, opened }: Options) {
  const client = useQueryClient();
  const calls = useMemo(() => callsOf(workspaceId), [workspaceId]);
  const query = useQuery({
    queryKey: factsKey(workspaceId),
    queryFn: ({ signal }) => calls.listFacts(signal),
    initialData: initial as FactVersion[],
    initialDataUpdatedAt: readAt,
    staleTime: refreshMs / 2,
    refetchInterval: refreshMs,
    refetchOnWindowFocus: "always",
  });
  const facts = query.data;
  const [drafts, open] = useDrafts(workspaceId, facts, opened);
  const changes = useChanges(facts);
  const [said, say] = useState("");
  const actions = actionsOn({ client, calls, workspaceId, drafts, own: changes.own, say });
  return {
    facts,
    drafts,
    open,
    changes,
    said,
    problem: query.error ? problemOf(query.error) : null,
    refresh: query.refetch,
    actions,
  };
}

export type Actions = ReturnType<typeof actionsOn>;

type Means = {
  client: QueryClient;
  calls: ReturnType<typeof callsOf>;
  workspaceId: string;
  drafts: Drafts;
  own: Changes["own"];
  say: (news: string) => void;
};

function actionsOn({ client, calls, workspaceId, drafts, own, say }: Means) {
  const queryKey = factsKey(workspaceId);
  const patch = (change: (facts: FactVersion[]) => FactVersion[]) =>
    client.setQueryData<FactVersion[]>(queryKey, (facts) => change(facts ?? []));
  const refresh = () => client.invalidateQueries({ queryKey });
  const written = (fact: Fact, supersedes: string | null) => {
    own([fact.id]);
    patch((facts) => [asWritten(fact, supersedes), ...facts.filter(({ id }) => id !== supersedes && id !== fact.id)]);
    void refresh();
  };

  /** Puts the draft where the entry stands and sends it; what fails opens the editor again with the text in it. */
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
      written(fact, draft.id);
      drafts.close(key);
      say(`${draft.category} saved.`);
    } catch (error) {
      const gone = error instanceof ApiError && /^fact_(changed|already_superseded)$/.test(error.code) ? error : null;
      const failed = { state: "editing", focus: true } as const;
      if (!gone) return drafts.change(key, { ...failed, problem: problemOf(error) });
      const conflict = await findTheirs(gone, draft).catch(problemOf);
      drafts.change(key, "theirs" in conflict ? { ...failed, conflict } : { ...failed, problem: conflict });
    }
  }

  /** What stands now in the place of the entry the draft started from. */
  async function findTheirs(refusal: ApiError, draft: Draft): Promise<NonNullable<Draft["conflict"]>> {
    const facts = await calls.listFacts();
    patch(() => facts);
    const id = refusal.code === "fact_changed" ? draft.id : refusal.extras.current_id;
    return { theirs: facts.find((fact) => fact.id === id) ?? null };
  }

  /** Closes an editor; text that is lost by it can be taken back. */
  function cancel(key: string): void {
    const draft = drafts.get(key);
    drafts.close(key);
    if (draft && isDirty(draft) && draft.text.trim() !== "") {
      toastWithUndo("Changes discarded", () => drafts.open({ ...draft, focus: true, problem: null, conflict: null }));
    }
  }

  /** Does something the page shows at once and takes back when it fails. */
  async function attempt(
    change: (facts: FactVersion[]) => FactVersion[],
    call: () => Promise<unknown>,
  ): Promise<boolean> {
    await client.cancelQueries({ queryKey });
    const before = client.getQueryData<FactVersion[]>(queryKey);
    patch(change);
    try {
      await call();
      return true;
    } catch (error) {
      client.setQueryData(queryKey, before);
      toast.error(problemOf(error).message);
      return false;
    } finally {
      void refresh();
    }
  }

  return {
    save,
    cancel,
    edit: (fact: FactVersion) => drafts.open(draftOf({ category: fact.category, entry: fact, focus: true })),
    add: (category: string) => drafts.open(draftOf({ category, focus: true })),
    /** Starts over from the entry as it is now: nothing of the writer's is lost by it. */
    rebase: (key: string, fact: FactVersion) =>
      drafts.change(key, { id: fact.id, seen: fact.content, text: fact.content }),
    compare: (key: string, fact: FactVersion) => drafts.change(key, { conflict: { theirs: fact } }),
    /** Saves the draft over what someone else wrote. */
    replaceTheirs(key: string): void {
      const conflict = drafts.get(key)?.conflict;
      if (!conflict) return;
      const { theirs } = conflict;
      drafts.change(key, { id: theirs?.id ?? null, seen: theirs?.content ?? "" });
      void save(key);
    },
    async retire(fact: FactVersion): Promise<void> {
      const without = (facts: FactVersion[]) => facts.filter(({ id }) => id !== fact.id);
      if (!(await attempt(without, () => calls.retireEntry(fact.id)))) return;
      toastWithUndo(`${fact.category} entry retired`, async () => void (await restore(fact)));
    },
    async confirm(fact: FactVersion): Promise<void> {
      const confirmed = {
        freshness: "fresh",
        epistemic_class: "asserted",
        last_observed_at: new Date().toISOString(),
      } as const;
      const done = await attempt(
        (facts) => facts.map((each) => (each.id === fact.id ? { ...each, ...confirmed } : each)),
        () => calls.confirmEntry(fact.id),
      );
      if (done) say(`${fact.category} confirmed.`);
    },
    restore,
  };

  /** Makes an old wording current again. */
  async function restore(version: Pick<FactVersion, "id" | "content">): Promise<boolean> {
    try {
      const { fact } = await calls.restoreEntry(version.id, version.content);
      own([fact.id]);
      await refresh();
      return true;
    } catch (error) {
      toast.error(problemOf(error).message, { action: { label: "Try again", onClick: () => void restore(version) } });
      return false;
    }
  }
}

/** A fact as it stands right after it was written. */
const asWritten = (fact: Fact, supersedes: string | null): FactVersion => ({
  ...fact,
  confidence: 0.95,
  freshness: "fresh",
  epistemic_class: "asserted",
  last_observed_at: fact.recorded_at,
  supersedes,
});
