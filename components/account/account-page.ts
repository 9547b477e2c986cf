import { useMemo, useState } from "react";
import type { Plan } from "#lib/core/plans.ts";
import type { TimelinePage } from "./calls.ts";
import { momentOf } from "./moment.ts";
import { type FirstAccount, useAccount } from "./use-account.ts";
import { useChanges } from "./use-changes.ts";
import { useFactChanges } from "./use-fact-changes.ts";
import { useAccountPlace } from "./use-place.ts";

export type AccountViewProps = {
  workspaceId: string;
  origin: string;
  first: FirstAccount;
  timeline: { page: TimelinePage; readAt: number };
  /** The reader may erase and export people. */
  administers: boolean;
  plan: Plan;
};

export type AccountPage = ReturnType<typeof useAccountPage>;

/** What every part of the page works with: the record, the moment it is shown at, and the state in the address. */
export function useAccountPage({ workspaceId, first, administers }: AccountViewProps) {
  const id = first.account.entity_id;
  const [place, setPlace] = useAccountPlace();
  const [openedAt] = useState(first.readAt);
  const moment = useMemo(
    () => momentOf({ as_of: place.as_of, by: place.by }, openedAt),
    [place.as_of, place.by, openedAt],
  );
  const record = useAccount(workspaceId, id, moment, first);
  const { account, calls, change } = record;
  const changes = useChanges({ workspaceId, account, calls, change });
  const facts = useFactChanges({ workspaceId, account, calls, refresh: changes.refresh });
  return {
    workspaceId,
    id,
    administers,
    place,
    setPlace,
    /** Null means now. */
    moment,
    record,
    account,
    calls,
    changes,
    facts,
    isPerson: account.type === "person",
    list: account.type === "company" ? "companies" : "people",
  };
}
