import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Account, accountKey, callsOf } from "./calls.ts";
import type { Moment } from "./moment.ts";

export type FirstAccount = { account: Account; moment: Moment; readAt: number };

/** The record as it is, or as it was at the moment; `first` is what the server rendered. */
export function useAccount(workspaceId: string, id: string, moment: Moment, first: FirstAccount) {
  const calls = useMemo(() => callsOf(workspaceId, id), [workspaceId, id]);
  const isFirst = JSON.stringify(first.moment) === JSON.stringify(moment);
  const query = useQuery({
    queryKey: [...accountKey(workspaceId, id), "record", moment],
    queryFn: ({ signal }) => calls.account(moment, signal),
    // While another moment is on its way the one before stays in sight.
    placeholderData: (before) => before ?? first.account,
    ...(isFirst ? { initialData: first.account, initialDataUpdatedAt: first.readAt } : {}),
  });
  return { ...query, calls };
}
