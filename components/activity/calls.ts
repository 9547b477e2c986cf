import { callOperation, operationAt } from "#components/api.ts";
import type * as feed from "#lib/domain/feed/contract.ts";

const list = operationAt<typeof feed.listActivities>("GET /v2/activities");

export type FeedPage = Awaited<ReturnType<typeof readFeed>>;

/** A page of what was reported in a workspace. */
export const readFeed = (workspaceId: string, type: string | null, cursor: string | null, signal: AbortSignal) =>
  callOperation(list, workspaceId, { limit: 50, ...(type ? { type } : {}), ...(cursor ? { cursor } : {}) }, { signal });

export const feedKey = (workspaceId: string, type: string | null) => ["feed", workspaceId, type] as const;
