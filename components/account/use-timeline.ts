import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useOptimistic } from "#components/records/use-optimistic.ts";
import { accountKey, type Calls, type Event, type TimelinePage } from "./calls.ts";
import { isWithin, type Moment } from "./moment.ts";

type Options = {
  workspaceId: string;
  id: string;
  calls: Calls;
  type: string | null;
  moment: Moment;
  /** The first page without a type, as the server rendered it. */
  first: { page: TimelinePage; readAt: number };
};

const timelineKey = (workspaceId: string, id: string) => [...accountKey(workspaceId, id), "timeline"] as const;

/** The pages of a timeline, as the cache holds them. */
export type Pages = InfiniteData<TimelinePage>;

/** What happened, page by page; for a moment in the past only what had happened by then. */
export function useTimeline({ workspaceId, id, calls, type, moment, first }: Options) {
  const query = useInfiniteQuery({
    queryKey: [...timelineKey(workspaceId, id), type],
    queryFn: ({ pageParam, signal }) => calls.timeline(type, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    ...(type === null
      ? { initialData: { pages: [first.page], pageParams: [null] }, initialDataUpdatedAt: first.readAt }
      : {}),
  });
  const scope = useMemo(() => ({ queryKey: timelineKey(workspaceId, id), exact: false }), [workspaceId, id]);
  const { shown, change } = useOptimistic(scope, query.data);
  const events = useMemo<Event[]>(
    () =>
      (shown?.pages ?? [])
        .flatMap((page) => page.events)
        .filter((event) => isWithin(moment, event.observed_at, event.recorded_at)),
    [shown, moment],
  );
  return { ...query, events, change };
}
