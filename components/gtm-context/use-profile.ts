import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { problemOf } from "#components/records/problem.ts";
import { useOptimistic } from "#components/records/use-optimistic.ts";
import type { EntryVersion } from "#lib/domain/records/facts/contract.ts";
import { callsOf, factsKey } from "./calls.ts";
import { draftActions } from "./draft-actions.ts";
import type { Draft } from "./drafts.ts";
import { entryActions } from "./entry-actions.ts";
import type { Means } from "./means.ts";
import { useChanges } from "./use-changes.ts";
import { useDrafts } from "./use-drafts.ts";
import { useOrder } from "./use-order.ts";

type Options = {
  workspaceId: string;
  initial: readonly EntryVersion[];
  /** What the reader is called. */
  writer: string;
  /** When `initial` was read, in milliseconds. */
  readAt: number;
  opened: () => Draft[];
};

/** The profile as it is now, the open editors, and what the reader can do with both. */
export function useProfile({ workspaceId, initial, readAt, writer, opened }: Options) {
  const client = useQueryClient();
  const calls = useMemo(() => callsOf(workspaceId), [workspaceId]);
  const scope = useMemo(() => ({ queryKey: factsKey(workspaceId), exact: true }), [workspaceId]);
  const query = useQuery({
    queryKey: scope.queryKey,
    queryFn: ({ signal }) => calls.listEntries(signal),
    initialData: initial as EntryVersion[],
    initialDataUpdatedAt: readAt,
    // What others write is told by the live stream.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: "always",
  });
  const { shown, change } = useOptimistic(scope, query.data);
  const facts = useOrder(shown);
  const [drafts, open] = useDrafts(workspaceId, facts, opened);
  const changes = useChanges(facts);
  const [said, say] = useState("");
  const means: Means = {
    calls,
    drafts,
    own: changes.own,
    writer,
    say,
    change,
    patch: (next) => void client.setQueryData<EntryVersion[]>(scope.queryKey, (before = []) => next(before)),
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
