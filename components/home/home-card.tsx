"use client";

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";

/** How long an answer is used before it is fetched again. */
export const freshMs = 60_000;

/** A card's data: what the server rendered, kept fresh while the page is open. */
export const useCard = <T,>(
  workspaceId: string,
  name: string,
  initial: T,
  readAt: number,
  call: (signal: AbortSignal) => Promise<T>,
): UseQueryResult<T> & { data: T } => {
  const query = useQuery({
    queryKey: ["home", workspaceId, name],
    queryFn: ({ signal }) => call(signal),
    initialData: () => initial,
    initialDataUpdatedAt: readAt,
    refetchInterval: freshMs,
  });
  return query as UseQueryResult<T> & { data: T };
};

type HomeCardProps = {
  title: string;
  aside?: ReactNode;
  actions?: ReactNode;
  query: UseQueryResult<unknown>;
  children: ReactNode;
};

/** A card of the home page. A failed refresh is shown, and the old data stays. */
export function HomeCard({ title, aside, actions, query, children }: HomeCardProps) {
  return (
    <Card>
      <CardHeader title={title} aside={aside} actions={actions} />
      <LoadProblem title="This could not be refreshed" query={query} className="border-t" />
      <div className="border-t">{children}</div>
    </Card>
  );
}
