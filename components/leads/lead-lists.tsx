"use client";

import { ListTodo } from "lucide-react";
import Link from "next/link";
import { curlOf } from "#components/curl.ts";
import { createLeadList } from "#components/operations/leads.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { sourceWords } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { ShowOlder } from "#components/records/show-older.tsx";
import { SampleOffer } from "#components/sample-data/sample-offer.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { numeral } from "#components/ui/numbers.ts";
import type { LeadList } from "./calls.ts";
import { ListMenu } from "./list-menu.tsx";
import { NewListButton } from "./new-list-button.tsx";
import { StatusBar } from "./status-bar.tsx";
import { type ListsPage, useLists } from "./use-lists.ts";

type LeadListsProps = { workspaceId: string; origin: string; first: { page: ListsPage; readAt: number } };

/** The lead lists of the workspace, newest first. */
export function LeadLists({ workspaceId, origin, first }: LeadListsProps) {
  const query = useLists(workspaceId, first);
  if (query.lists.length === 0)
    return (
      <Card>
        {query.error ? (
          <LoadProblem title="The lists could not be loaded" query={query} />
        ) : (
          <EmptyState
            icon={<ListTodo />}
            also={<SampleOffer />}
            action={<NewListButton workspaceId={workspaceId} variant="secondary" />}
            example={{
              label: "What an agent sends",
              code: curlOf(origin, createLeadList, { body: { name: "Fintech CFOs, DACH" } }),
            }}
          >
            Lists of people to write to: who was written to, who replied, and what they said.
          </EmptyState>
        )}
      </Card>
    );
  return (
    <Card aria-label="Lead lists">
      <LoadProblem title="What you see may be out of date" query={query} />
      <ul>
        {query.lists.map((list, index) => (
          <li key={list.id} className={index > 0 ? "border-t" : undefined}>
            <ListLine workspaceId={workspaceId} list={list} />
          </li>
        ))}
      </ul>
      <ShowOlder query={query} />
    </Card>
  );
}

const ListLine = ({ workspaceId, list }: { workspaceId: string; list: LeadList }) => (
  <div className="relative flex items-center gap-x-4 gap-y-1.5 px-4 py-2.5 hover:bg-hover/60 max-sm:flex-wrap">
    <div className="min-w-0 flex-1">
      <Link
        href={`/${workspaceId}/leads/${list.id}`}
        prefetch={false}
        className="block truncate font-medium after:absolute after:inset-0"
      >
        {list.name}
      </Link>
      <p className="truncate text-muted-foreground text-sm">
        {numeral(list.lead_count)} {list.lead_count === 1 ? "lead" : "leads"} · {sourceWords(list.source)} ·{" "}
        <RelativeTime value={list.created_at} />
      </p>
    </div>
    <div className="w-2/5 max-w-80 max-sm:order-last max-sm:w-full max-sm:max-w-none">
      <StatusBar list={list} />
    </div>
    <ListMenu workspaceId={workspaceId} list={list} />
  </div>
);
