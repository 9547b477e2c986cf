import { callOperation } from "#components/api.ts";
import { browseActivities } from "#components/operations/feed.ts";
import type { FeedPlace } from "./address.ts";
import { FEED_PAGE, filtersOf } from "./filters.ts";

export type FeedPage = Awaited<ReturnType<typeof readFeed>>;

/** A page of what happened in a workspace. */
export const readFeed = (workspaceId: string, place: FeedPlace, cursor: string | null, signal: AbortSignal) =>
  callOperation(
    browseActivities,
    workspaceId,
    { limit: FEED_PAGE, ...filtersOf(place), ...(cursor ? { cursor } : {}) },
    { signal },
  );

export const feedKey = (workspaceId: string, place: FeedPlace) => ["feed", workspaceId, place] as const;
