"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Download, ScrollText } from "lucide-react";
import { useState } from "react";
import type { z } from "zod";
import { callOperation, workspaceAddress } from "#components/api.ts";
import { listAudit } from "#components/operations/audit.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { ShowOlder } from "#components/records/show-older.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { queryOf } from "#lib/core/operation.ts";
import type * as audit from "#lib/domain/records/audit/contract.ts";
import { type AuditFilter, auditQuery, EVERYTHING, isEverything } from "./audit-filter.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { auditActor, auditSentence } from "./audit-words.ts";

type AuditLogProps = { workspaceId: string; initial: z.output<typeof audit.listAudit.output> };

export function AuditLog({ workspaceId, initial }: AuditLogProps) {
  const [filter, setFilter] = useState<AuditFilter>(EVERYTHING);
  const asked = auditQuery(filter);
  const query = useInfiniteQuery({
    queryKey: [workspaceId, "audit-log", asked],
    queryFn: ({ pageParam, signal }) =>
      callOperation(listAudit, workspaceId, { ...asked, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    ...(isEverything(filter)
      ? { initialData: { pages: [initial], pageParams: [null] } }
      : { placeholderData: keepPreviousData }),
  });
  const entries = (query.data?.pages ?? []).flatMap((page) => page.entries);

  return (
    <Card aria-labelledby="audit-log">
      <CardHeader
        titleId="audit-log"
        title="Audit log"
        description="Who did what to the workspace itself, newest first. It cannot be changed."
        actions={
          <Button asChild>
            <a href={exportAddress(workspaceId, asked)} download>
              <Download aria-hidden="true" /> Export
            </a>
          </Button>
        }
      />
      <div className="flex flex-wrap items-center gap-2 px-4 pb-3">
        <AuditFilters
          workspaceId={workspaceId}
          filter={filter}
          onFilter={(change) => setFilter({ ...filter, ...change })}
        />
      </div>
      {entries.length === 0 ? (
        <EmptyState icon={<ScrollText />} className="border-t">
          {isEverything(filter)
            ? "Nothing yet. Sign-ins and changes to members, keys and settings appear here."
            : "Nothing matches. Choose another kind, person or date."}
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
        title={entries.length === 0 ? "The entries could not be loaded" : "Older entries could not be loaded"}
        query={{
          error: query.error,
          isFetching: query.isFetching,
          refetch: entries.length === 0 ? query.refetch : query.fetchNextPage,
        }}
        className="border-t"
      />
      <ShowOlder query={query} />
    </Card>
  );
}

const exportAddress = (workspaceId: string, asked: ReturnType<typeof auditQuery>): string =>
  workspaceAddress(workspaceId, `${listAudit.http.path}${queryOf({ ...asked, format: "ndjson" })}`);
