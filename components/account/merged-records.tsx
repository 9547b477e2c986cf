"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useMemo } from "react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { memberName, membersOf } from "#components/records/members.ts";
import { shortLinkedin } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { toastProblem } from "#components/records/toast-problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { accountKey, mergeCallsOf } from "./calls.ts";

export type MergedRecordsProps = {
  workspaceId: string;
  id: string;
  /** Absent when the page shows the past. */
  onUndo?: (mergeId: string) => Promise<void>;
};

/** The records that are part of this one since a merge; each can be made a record of its own again. */
export function MergedRecords({ workspaceId, id, onUndo }: MergedRecordsProps) {
  const calls = useMemo(() => mergeCallsOf(workspaceId), [workspaceId]);
  const client = useQueryClient();
  const queryKey = [...accountKey(workspaceId, id), "merges"];
  const query = useQuery({ queryKey, queryFn: ({ signal }) => calls.into(id, signal), staleTime: 0 });
  const { data } = useQuery({ ...membersOf(workspaceId), enabled: (query.data?.merges.length ?? 0) > 0 });
  const undo = useMutation({
    mutationFn: async (mergeId: string) => onUndo?.(mergeId),
    onError: toastProblem,
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  const byWhom = (actor: string) => {
    const member = data?.members.find(({ user_id }) => actor === `user:${user_id}`);
    return member ? ` by ${memberName(member)}` : "";
  };
  if (query.error) return <LoadProblem title="The merges could not be loaded" query={query} className="px-0" />;
  if (!query.data)
    return (
      <Loading label="Loading the merges">
        <SkeletonText lines={2} />
      </Loading>
    );
  if (query.data.merges.length === 0)
    return <p className="text-muted-foreground">No record was merged into this one.</p>;
  return (
    <ul aria-label="Merged records" className="flex flex-col divide-y">
      {query.data.merges.map(({ merge_id, record, identifiers, merged_at, merged_by }) => {
        const [first, ...more] = identifiers.map(({ value }) => shortLinkedin(value) ?? value);
        const name = record.name ?? first ?? "A record without a name";
        return (
          <li key={merge_id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <span className="min-w-40 flex-1">
              <span className="wrap-anywhere block font-medium">{name}</span>
              <span className="wrap-anywhere block text-muted-foreground text-sm">
                {[...(record.name && first ? [first] : []), ...more].join(", ")}
              </span>
              <span className="block text-muted-foreground text-sm">
                Merged <RelativeTime value={merged_at} />
                {byWhom(merged_by)}
              </span>
            </span>
            {onUndo ? (
              <Button
                data-writes
                size="sm"
                loading={undo.isPending && undo.variables === merge_id}
                disabled={undo.isPending}
                onClick={() => undo.mutate(merge_id)}
                aria-label={`Undo the merge of ${name}`}
              >
                <Undo2 aria-hidden="true" /> Undo merge
              </Button>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
