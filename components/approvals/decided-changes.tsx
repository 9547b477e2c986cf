"use client";

import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { ShowOlder } from "#components/records/show-older.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import type { Approval } from "#lib/domain/access/approvals/contract.ts";
import { ApprovalsSkeleton } from "./approvals-skeleton.tsx";
import { useAll } from "./calls.ts";
import { askerOf, statusLooks } from "./words.ts";

/** The changes that wait no longer. */
export function DecidedChanges({ workspaceId }: { workspaceId: string }) {
  const query = useAll(workspaceId);
  const decided = (query.data?.pages ?? [])
    .flatMap((page) => page.approvals)
    .filter(({ status }) => status !== "pending");
  if (query.isPending) return <ApprovalsSkeleton />;
  return (
    <Card aria-label="Decided changes" className="w-full">
      {decided.length > 0 ? (
        <ul>
          {decided.map((approval) => (
            <DecidedChange key={approval.id} approval={approval} />
          ))}
        </ul>
      ) : query.error ? null : (
        <p className="px-4 py-3 text-muted-foreground">No change was decided in the last 90 days.</p>
      )}
      <LoadProblem
        title="Decided changes could not be loaded"
        query={{ error: query.error, isFetching: query.isFetching, refetch: query.refetch }}
      />
      <ShowOlder query={query} />
    </Card>
  );
}

function DecidedChange({ approval }: { approval: Approval }) {
  const { summary, status, decided_by, decided_at, reason, requested_at } = approval;
  const { label, tone } = statusLooks[status];
  return (
    <li className="flex items-start justify-between gap-4 border-t px-4 py-2.5 first:border-t-0">
      <div className="min-w-0">
        <p className="wrap-anywhere">{summary}</p>
        <p className="wrap-anywhere text-muted-foreground text-sm">
          {askerOf(approval)} asked, {decided_by ? `${decided_by} decided ` : null}
          <RelativeTime value={decided_at ?? requested_at} />
          {reason ? `: ${reason}` : null}
        </p>
      </div>
      <Badge tone={tone}>{label}</Badge>
    </li>
  );
}
