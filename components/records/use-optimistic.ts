import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { type Attempt, attempt, type Pending, type Scope, shownAs, underWayKey } from "./optimistic.ts";
import { toastProblem } from "./toast-problem.ts";

const none: readonly never[] = [];

/**
 * `shown` is the data with every pending change. `change` makes one: it is shown at once, and undone with a toast when
 * it is refused. It returns whether it was done, and works after the page is left. The scope is a stable object.
 */
export function useOptimistic<T>(scope: Scope, data: T) {
  type ShownAs = NonNullable<T>;
  const client = useQueryClient();
  const { data: underWay = none } = useQuery<readonly Pending<ShownAs>[]>({
    queryKey: underWayKey(scope),
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const shown = useMemo(() => (data === undefined || data === null ? data : shownAs(data, underWay)), [data, underWay]);
  const change = useCallback(
    async <A>(wish: Attempt<ShownAs, A>): Promise<boolean> => {
      try {
        await attempt(client, scope, wish);
        return true;
      } catch (error) {
        toastProblem(error);
        return false;
      }
    },
    [client, scope],
  );
  return { shown, change };
}

export type MakeChange<T> = <A>(wish: Attempt<T, A>) => Promise<boolean>;
