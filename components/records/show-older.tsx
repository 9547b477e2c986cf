import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Button } from "#components/ui/button.tsx";
import { CardFooter } from "#components/ui/card.tsx";

type ShowOlderProps = {
  query: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
};

/** The end of a card whose list goes on: fetches the next page. Nothing when this is all. */
export function ShowOlder({ query }: ShowOlderProps) {
  if (!query.hasNextPage) return null;
  return (
    <CardFooter>
      <Button size="sm" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        Show older
      </Button>
    </CardFooter>
  );
}
