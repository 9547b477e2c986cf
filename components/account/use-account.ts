import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useOptimistic } from "#components/records/use-optimistic.ts";
import { type Account, accountKey, callsOf } from "./calls.ts";
import type { Moment } from "./moment.ts";

export type FirstAccount = { account: Account; moment: Moment; readAt: number };

export const recordKey = (workspaceId: string, id: string, moment: Moment) =>
  [...accountKey(workspaceId, id), "record", moment] as const;

/** The record as it is with pending changes, or as it was at the moment; `first` is what the server rendered. */
export function useAccount(workspaceId: string, id: string, moment: Moment, first: FirstAccount) {
  const calls = useMemo(() => callsOf(workspaceId, id), [workspaceId, id]);
  const isFirst = JSON.stringify(first.moment) === JSON.stringify(moment);
  const query = useQuery({
    queryKey: recordKey(workspaceId, id, moment),
    queryFn: ({ signal }) => calls.account(moment, signal),
    // While another moment loads, the previous one stays visible.
    placeholderData: (before) => before ?? first.account,
    ...(isFirst ? { initialData: first.account, initialDataUpdatedAt: first.readAt } : {}),
  });
  const read = query.data ?? first.account;
  const now = useMemo(() => ({ queryKey: recordKey(workspaceId, id, null), exact: true }), [workspaceId, id]);
  const { shown, change } = useOptimistic(now, read);
  return { ...query, calls, account: moment === null ? shown : read, change };
}
