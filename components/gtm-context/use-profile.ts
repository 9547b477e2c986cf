import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { problemOf } from "#components/records/problem.ts";
import { useOptimistic } from "#components/records/use-optimistic.ts";
import type { FactVersion } from "#lib/domain/facts/contract.ts";
import { callsOf, factsKey } from "./calls.ts";
import { draftActions } from "./draft-actions.ts";
import type { Draft } from "./drafts.ts";
import { entryActions } from "./entry-actions.ts";
import type { Means } from "./means.ts";
import { useChanges } from "./use-changes.ts";
import { useDrafts } from "./use-drafts.ts";

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
  const scope = useMemo(() => ({ queryKey: factsKey(workspaceId), exact: true }), [workspaceId]);
  const query = useQuery({
    queryKey: scope.queryKey,
    queryFn: ({ signal }) => calls.listFacts(signal),
    initialData: initial as FactVersion[],
    initialDataUpdatedAt: readAt,
    // What others write is told by the live stream.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: "always",
  });
  const { shown: facts, change } = useOptimistic(scope, query.data);
  const [drafts, open] = useDrafts(workspaceId, facts, opened);
  const changes = useChanges(facts);
  const [said, say] = useState("");
  const means: Means = {
    calls,
    drafts,
    own: changes.own,
    say,
    change,
    patch: (next) => void client.setQueryData<FactVersion[]>(scope.queryKey, (before = []) => next(before)),
    refresh: () => client.invalidateQueries({ queryKey: scope.queryKey }),
  };
  return {
    facts,
    drafts,
    open,
    changes,
    said,
    problem: query.error ? problemOf(query.error) : null,
    refresh: query.refetch,
    actions: { ...draftActions(means), ...entryActions(means) },
  };
}

export type Actions = ReturnType<typeof useProfile>["actions"];
