import { useCallback } from "react";
import { numeral } from "#components/ui/numbers.ts";
import type { Total } from "./list-kind.ts";

type Endless = { isFetchingNextPage: boolean; isFetchNextPageError: boolean; fetchNextPage: () => Promise<unknown> };

/** Asks for the next page, unless it is on its way or has just failed. */
export function useOnEnd({ isFetchingNextPage, isFetchNextPageError, fetchNextPage }: Endless): () => void {
  return useCallback(() => {
    if (!isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
}

/** How many rows there are, in words. */
export const countWords = ({ one, many }: { one: string; many: string }, { count, capped }: Total): string =>
  `${numeral(count)}${capped ? "+" : ""} ${count === 1 ? one : many}`;
