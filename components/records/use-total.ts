import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import type { ListedRecord, ListKind, Query, Total } from "./list-kind.ts";

type CountableKind = Pick<ListKind<ListedRecord, object, string>, "id"> & {
  list: (workspaceId: string, query: Query, signal?: AbortSignal) => Promise<{ total?: Total | undefined }>;
};

/** Asks how many rows a list has. */
export function totalOf(kind: CountableKind, workspaceId: string, { sort: _, ...filters }: Query) {
  return queryOptions({
    // Begins as the key of the list does, so that it is read again with it, and has the shape of its pages.
    queryKey: [kind.id, workspaceId, "count", filters],
    queryFn: async ({ signal }) => {
      const { total } = await kind.list(workspaceId, { ...filters, limit: 1, include: "count" }, signal);
      return { pages: [], pageParams: [], total: total ?? null };
    },
    staleTime: 30_000,
  });
}

/**
 * How many rows a list has. One that is loaded to its end counts itself; of a longer one the server is asked, beside its
 * pages. Until it has answered, the loaded rows are counted.
 */
export function useTotal(kind: CountableKind, workspaceId: string, query: Query, loaded: number, more: boolean): Total {
  const { data } = useQuery({
    ...totalOf(kind, workspaceId, query),
    enabled: more,
    placeholderData: keepPreviousData,
  });
  if (!more) return { count: loaded, capped: false };
  return data?.total ?? { count: loaded, capped: true };
}
