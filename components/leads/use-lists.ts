import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type * as contract from "#lib/domain/crm/leads/contract.ts";
import { listsPage } from "./calls.ts";

export type ListsPage = z.output<typeof contract.listLeadLists.output>;

export const listsKey = (workspaceId: string) => ["lead-lists", workspaceId];

/** The lead lists, newest first, page by page. */
export function useLists(workspaceId: string, first?: { page: ListsPage; readAt: number }) {
  const query = useInfiniteQuery({
    queryKey: listsKey(workspaceId),
    queryFn: ({ pageParam, signal }) => listsPage(workspaceId, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last: ListsPage) => last.next_cursor,
    ...(first
      ? {
          initialData: { pages: [first.page], pageParams: [null] } satisfies InfiniteData<ListsPage, string | null>,
          initialDataUpdatedAt: first.readAt,
        }
      : {}),
  });
  return { ...query, lists: query.data?.pages.flatMap((page) => page.lead_lists) ?? [] };
}
