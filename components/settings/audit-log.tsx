"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import { listAudit } from "#components/operations/audit.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { ShowOlder } from "#components/records/show-older.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type * as audit from "#lib/domain/records/audit/contract.ts";
import { auditActor, auditSentence } from "./audit-words.ts";

type AuditLogProps = { workspaceId: string; initial: z.output<typeof audit.listAudit.output> };

export function AuditLog({ workspaceId, initial }: AuditLogProps) {
  const query = useInfiniteQuery({
    queryKey: [workspaceId, "audit-log"],
    queryFn: ({ pageParam, signal }) =>
      callOperation(listAudit, workspaceId, pageParam ? { cursor: pageParam } : {}, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    initialData: { pages: [initial], pageParams: [null] },
  });
  const entries = query.data.pages.flatMap((page) => page.entries);

  return (
    <Card aria-labelledby="audit-log">
      <CardHeader
        titleId="audit-log"
        title="Audit log"
        description="Who did what to the workspace itself, newest first. It cannot be changed."
      />
      {entries.length === 0 ? (
        <EmptyState icon={<ScrollText />} className="border-t">
          Nothing yet. Sign-ins and changes to members, keys and settings appear here.
        </EmptyState>
      ) : (
        <ol>
          {entries.map((entry) => (
            <li key={entry.id} className="flex min-h-10 items-start justify-between gap-4 border-t px-4 py-2.5">
              <p className="wrap-anywhere min-w-0">
                <span className="font-medium">{auditActor(entry)}</span> {auditSentence(entry)}
              </p>
              <RelativeTime value={entry.at} className="shrink-0 text-muted-foreground text-sm leading-5" />
            </li>
          ))}
        </ol>
      )}
      <LoadProblem
        title="Older entries could not be loaded"
        query={{ error: query.error, isFetching: query.isFetching, refetch: query.fetchNextPage }}
        className="border-t"
      />
      <ShowOlder query={query} />
    </Card>
  );
}
