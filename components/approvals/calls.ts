import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import { approveChange, getApprovalChanges, listApprovals, rejectChange } from "#components/operations/approvals.ts";
import type * as contract from "#lib/domain/access/approvals/contract.ts";
import { keyOf } from "./pending-count.ts";

export type ApprovalPage = z.output<typeof contract.listApprovals.output>;
export type Changes = z.output<typeof contract.getApprovalChanges.output>;

/** The changes that wait, newest first; `initial` is what the server rendered. */
export const useWaiting = (workspaceId: string, initial: ApprovalPage) =>
  useInfiniteQuery({
    queryKey: keyOf(workspaceId, "waiting"),
    queryFn: ({ pageParam, signal }) =>
      callOperation(
        listApprovals,
        workspaceId,
        { status: "pending", ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    initialData: { pages: [initial], pageParams: [null] },
  });

/** All changes, newest first, also those that wait. */
export const useAll = (workspaceId: string) =>
  useInfiniteQuery({
    queryKey: keyOf(workspaceId, "all"),
    queryFn: ({ pageParam, signal }) =>
      callOperation(listApprovals, workspaceId, pageParam ? { cursor: pageParam } : {}, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });

export const changesKey = (workspaceId: string, id: string) => keyOf(workspaceId, "changes", id);

/** What a change would do to the workspace as it is now. */
export const useChanges = (workspaceId: string, id: string) =>
  useQuery({
    queryKey: changesKey(workspaceId, id),
    queryFn: ({ signal }) => callOperation(getApprovalChanges, workspaceId, { id }, { signal }),
    staleTime: 0,
  });

/** After a decision the lists are fetched again; nothing waits for that. */
function useRefresh(workspaceId: string): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: keyOf(workspaceId) });
}

export const useApprove = (workspaceId: string) =>
  useMutation({
    mutationFn: (decision: { id: string; always: boolean }) => callOperation(approveChange, workspaceId, decision),
    onSettled: useRefresh(workspaceId),
  });

export const useReject = (workspaceId: string) =>
  useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      callOperation(rejectChange, workspaceId, { id, ...(reason.trim() === "" ? {} : { reason }) }),
    onSettled: useRefresh(workspaceId),
  });
