import { useQuery } from "@tanstack/react-query";
import { callOperation } from "#components/api.ts";
import { listApprovals } from "#components/operations/approvals.ts";

/** The key of a query about the approvals of a workspace. */
export const keyOf = (workspaceId: string, ...rest: string[]) => ["approvals", workspaceId, ...rest];

/** How many changes wait; `initial` is what the server rendered. */
export const usePendingCount = (workspaceId: string, initial?: number): number =>
  useQuery({
    queryKey: keyOf(workspaceId, "count"),
    queryFn: async ({ signal }) =>
      (await callOperation(listApprovals, workspaceId, { status: "pending", limit: 1 }, { signal })).pending,
    ...(initial === undefined ? {} : { initialData: initial }),
  }).data ?? 0;
