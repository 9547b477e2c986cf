"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import { EventDays } from "#components/account/event-days.tsx";
import { TimelineSkeleton } from "#components/account/timeline-skeleton.tsx";
import { ExportButton } from "#components/exports/export-button.tsx";
import { ExactTime } from "#components/records/exact-time.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { SampleOffer } from "#components/sample-data/sample-offer.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { useQueryStates } from "#components/ui/use-query-state.ts";
import { type FeedPlace, feedAddress } from "./address.ts";
import { type FeedPage, feedKey, readFeed } from "./calls.ts";
import { FeedFilters } from "./feed-filters.tsx";
import { filtersOf, isFiltered } from "./filters.ts";

type FeedProps = {
  workspaceId: string;
  /** The first page of the place in the address, as the server rendered it; null when it could not. */
  first: { place: FeedPlace; page: FeedPage; readAt: number } | null;
  example: string;
};

/** Every activity of the workspace by when it happened, the latest first; new ones appear automatically. */
export function Feed({ workspaceId, first, example }: FeedProps) {
  const [place, setPlace] = useQueryStates(feedAddress, { history: "push" });
  const isFirst = first !== null && JSON.stringify(first.place) === JSON.stringify(place);
  const feed = useInfiniteQuery({
    queryKey: feedKey(workspaceId, place),
    queryFn: ({ pageParam, signal }) => readFeed(workspaceId, place, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    ...(isFirst
      ? { initialData: { pages: [first.page], pageParams: [null] }, initialDataUpdatedAt: first.readAt }
      : {}),
  });
  const pages = feed.data?.pages ?? [];
  const activities = pages.flatMap((page) => page.activities);
  const reached = pages.at(-1)?.reached ?? null;
  const failed = feed.error !== null && !feed.isFetchNextPageError;
  return (
    <div className="flex flex-col gap-4">
      <search aria-label="Filters" className="flex flex-wrap items-center gap-2">
        <FeedFilters
          workspaceId={workspaceId}
          place={place}
          sources={new Set(activities.map(({ source }) => source))}
          onPlace={(change) => setPlace(change)}
        />
        <ExportButton
          workspaceId={workspaceId}
          wanted={{ what: "activities", filters: filtersOf(place) }}
          disabled={activities.length === 0}
          className="ml-auto max-md:hidden"
        />
      </search>
      {failed ? <LoadProblem card title="The activity could not be loaded" query={feed} /> : null}
      {feed.isPending ? <TimelineSkeleton /> : null}
      {feed.isSuccess && activities.length === 0 && !feed.hasNextPage ? (
        <Card>
          <EmptyState
            icon={<Activity />}
            {...(isFiltered(place)
              ? {}
              : { also: <SampleOffer />, example: { label: "What an agent sends", code: example } })}
          >
            {isFiltered(place)
              ? "Nothing that happened matches these filters."
              : "E-mails, meetings, calls and visits appear here the moment agents and integrations report them."}
          </EmptyState>
        </Card>
      ) : null}
      {failed ? null : (
        <div className="flex flex-col gap-4">
          <EventDays workspaceId={workspaceId} events={activities} pages={feed} skeleton={<TimelineSkeleton />} />
        </div>
      )}
      {isFiltered(place) && feed.hasNextPage && reached ? (
        <p role="status" className="text-muted-foreground text-sm">
          Searched back to <ExactTime value={reached} />…
        </p>
      ) : null}
    </div>
  );
}
