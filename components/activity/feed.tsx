"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import { useQueryStates } from "nuqs";
import { EventDays } from "#components/account/event-days.tsx";
import { TimelineSkeleton } from "#components/account/timeline-skeleton.tsx";
import { ExportButton } from "#components/exports/export-button.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { wordsOf } from "#components/records/names.ts";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
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

/** Every activity of the workspace, the latest first; new ones appear by themselves. */
export function Feed({ workspaceId, first, example }: FeedProps) {
  const [{ type }, setPlace] = useQueryStates(feedAddress, { history: "push" });
  const feed = useInfiniteQuery({
    queryKey: feedKey(workspaceId, type),
    queryFn: ({ pageParam, signal }) => readFeed(workspaceId, type, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    ...(type === first.type
      ? { initialData: { pages: [first.page], pageParams: [null] }, initialDataUpdatedAt: first.readAt }
      : {}),
  });
  const activities = (feed.data?.pages ?? []).flatMap((page) => page.activities);

  if (feed.error && !feed.isFetchNextPageError)
    return <LoadProblem card title="The activity could not be loaded" query={feed} />;
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <div className="flex items-center justify-between gap-2">
        <Select
          aria-label="Type of activity"
          size="sm"
          className="w-48"
          value={type ?? EVERY}
          onValueChange={(next) =>
            void setPlace({ type: next === EVERY ? null : (next as (typeof feedTypes)[number]) })
          }
          options={[
            { value: EVERY, label: "Every activity" },
            ...feedTypes.map((each) => ({ value: each, label: wordsOf(each) })),
          ]}
        />
        <ExportButton
          workspaceId={workspaceId}
          wanted={{ what: "activities", filters: type ? { type } : {} }}
          disabled={activities.length === 0}
          className="max-md:hidden"
        />
      </div>
      {feed.isPending ? <TimelineSkeleton /> : null}
      {!feed.isPending && activities.length === 0 ? (
        <Card>
          <EmptyState icon={<Activity />} example={{ label: "What an agent sends", code: example }} sample={!type}>
            {type
              ? `Nothing of this kind was reported yet: ${wordsOf(type).toLowerCase()}.`
              : "E-mails, meetings, calls and visits appear here the moment agents and integrations report them."}
          </EmptyState>
        </Card>
      ) : null}
      <EventDays
        workspaceId={workspaceId}
        events={activities}
        by="recorded_at"
        pages={feed}
        skeleton={<TimelineSkeleton />}
      />
    </div>
  );
}
