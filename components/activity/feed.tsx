"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useEffect, useRef } from "react";
import { dayOf, daysOf } from "#components/account/days.ts";
import { EventRow } from "#components/account/event-row.tsx";
import { TimelineSkeleton } from "#components/account/timeline.tsx";
import { useZone } from "#components/account/use-zone.ts";
import { wordsOf } from "#components/records/names.ts";
import { problemOf } from "#components/records/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { Select } from "#components/ui/select.tsx";
import { feedAddress, feedTypes } from "./address.ts";
import { type FeedPage, feedKey, readFeed } from "./calls.ts";

const EVERY = "every";

type FeedProps = {
  workspaceId: string;
  /** The first page of the type in the address, as the server rendered it. */
  first: { type: string | null; page: FeedPage; readAt: number };
  example: string;
};

/** Everything that is reported in the workspace, the latest first; what comes in appears by itself. */
export function Feed({ workspaceId, first, example }: FeedProps) {
  const [{ type }, setPlace] = useQueryStates(feedAddress, { history: "push" });
  const zone = useZone();
  const end = useRef<HTMLDivElement>(null);
  const feed = useInfiniteQuery({
    queryKey: feedKey(workspaceId, type),
    queryFn: ({ pageParam, signal }) => readFeed(workspaceId, type, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    ...(type === first.type
      ? { initialData: { pages: [first.page], pageParams: [null] }, initialDataUpdatedAt: first.readAt }
      : {}),
  });
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = feed;
  const activities = (feed.data?.pages ?? []).flatMap((page) => page.activities);

  useEffect(() => {
    if (!end.current || !hasNextPage || isFetchingNextPage || isFetchNextPageError) return;
    const seen = new IntersectionObserver(([entry]) => (entry?.isIntersecting ? void fetchNextPage() : undefined), {
      rootMargin: "400px",
    });
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  if (feed.error && !isFetchNextPageError) {
    const problem = problemOf(feed.error);
    return (
      <Card>
        <ErrorState
          title="The activity could not be loaded"
          onRetry={() => void feed.refetch()}
          retrying={feed.isFetching}
          {...(problem.requestId ? { requestId: problem.requestId } : {})}
        >
          {problem.message}
        </ErrorState>
      </Card>
    );
  }
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <Select
        aria-label="Type of activity"
        size="sm"
        className="w-48"
        value={type ?? EVERY}
        onValueChange={(next) => void setPlace({ type: next === EVERY ? null : (next as (typeof feedTypes)[number]) })}
        options={[
          { value: EVERY, label: "Every activity" },
          ...feedTypes.map((each) => ({ value: each, label: wordsOf(each) })),
        ]}
      />
      {feed.isPending ? <TimelineSkeleton /> : null}
      {!feed.isPending && activities.length === 0 ? (
        <Card>
          <EmptyState icon={<Activity />} example={{ label: "What an agent sends", code: example }}>
            {type
              ? `Nothing of this kind was reported yet: ${wordsOf(type).toLowerCase()}.`
              : "E-mails, meetings, calls and visits stand here the moment agents and integrations report them."}
          </EmptyState>
        </Card>
      ) : null}
      {daysOf(activities, zone, new Date(), (activity) => activity.recorded_at).map(({ day, label, items }) => (
        <section key={day} aria-label={label}>
          <h2 className="sticky top-(--sticky-top) z-1 bg-background py-1 font-medium text-muted-foreground text-sm">
            {label}
          </h2>
          <ol className="mt-1">
            {items.map((activity) => (
              <EventRow
                key={activity.id}
                event={activity}
                workspaceId={workspaceId}
                zone={zone}
                day={dayOf(activity.recorded_at, zone)}
              />
            ))}
          </ol>
        </section>
      ))}
      {isFetchNextPageError ? (
        <Button className="self-start" onClick={() => void fetchNextPage()} loading={isFetchingNextPage}>
          The rest could not be loaded. Try again
        </Button>
      ) : null}
      <div ref={end}>{hasNextPage && !isFetchNextPageError ? <TimelineSkeleton /> : null}</div>
    </div>
  );
}
