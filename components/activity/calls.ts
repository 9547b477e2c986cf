import { callOperation } from "#components/api.ts";
import { listActivities } from "#components/operations/feed.ts";

export type FeedPage = Awaited<ReturnType<typeof readFeed>>;

/** A page of what was reported in a workspace. */
export const readFeed = (workspaceId: string, type: string | null, cursor: string | null, signal: AbortSignal) =>
  callOperation(
    listActivities,
    workspaceId,
    { limit: 50, ...(type ? { type } : {}), ...(cursor ? { cursor } : {}) },
    { signal },
  );

export const feedKey = (workspaceId: string, type: string | null) => ["feed", workspaceId, type] as const;
