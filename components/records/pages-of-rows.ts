import { useCallback } from "react";
import { numeral } from "#components/ui/numbers.ts";
import type { Total } from "./list-kind.ts";

type Endless = { isFetching: boolean; isFetchNextPageError: boolean; fetchNextPage: () => Promise<unknown> };

/**
 * Asks for the next page, unless it has just failed. While the list is fetched, for that page or again, it waits: of two
 * fetches of one list the later ends the earlier. After each fetch it is a new function, so that an effect at the end of the
 * list runs again: a page that was cut short by a refresh is asked for again.
 */
export function useOnEnd({ isFetching, isFetchNextPageError, fetchNextPage }: Endless): () => void {
  return useCallback(() => {
    if (!isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [isFetching, isFetchNextPageError, fetchNextPage]);
}

/** How many rows there are, in words. */
export const countWords = ({ one, many }: { one: string; many: string }, { count, capped }: Total): string =>
  `${numeral(count)}${capped ? "+" : ""} ${count === 1 ? one : many}`;
