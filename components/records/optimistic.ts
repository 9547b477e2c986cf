import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** Which cached data a change affects: that of one key, or of all keys that begin with it. */
export type Scope = { queryKey: QueryKey; exact: boolean };

/** Applies a change to the data before it is done. Applying it twice gives the same result as once. */
export type Show<T> = (data: T) => T;

export type Attempt<T, A> = {
  show: Show<T>;
  call: () => Promise<A>;
  /** Applies the answer to the data; without it the data stays as shown until it is fetched again. */
  settle?: (data: T, answer: A) => T;
};

/** A change that is shown and not answered yet. `over`: it was answered. */
export type Pending<T> = { show: Show<T>; over: Promise<void> };

/** The key under which pending changes are kept: they outlive the page that began them. */
export const underWayKey = ({ queryKey }: Scope): QueryKey => ["under way", ...queryKey];

export const shownAs = <T>(data: T, underWay: readonly Pending<T>[]): T =>
  underWay.reduce((so, { show }) => show(so), data);

/**
 * Makes a change that is shown before it is done. The cache holds the server's data; a pending change is applied on top
 * of it. So a refused change leaves nothing behind, whatever else was read or changed meanwhile. Changes of one scope are
 * sent in order, each after the answer to the one before: the last one made is the last one written. Throws what `call`
 * throws.
 */
export async function attempt<T, A>(client: QueryClient, scope: Scope, { show, call, settle }: Attempt<T, A>) {
  const key = underWayKey(scope);
  const update = (next: (before: readonly Pending<T>[]) => readonly Pending<T>[]) =>
    client.setQueryData<readonly Pending<T>[]>(key, (before = []) => next(before));
  const before = client.getQueryData<readonly Pending<T>[]>(key)?.at(-1);
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  update((others) => [...others, { show, over }]);
  try {
    await before?.over;
    const answer = await call();
    // A read that began before the change was written would bring back the old value. It begins again below.
    const cut = new Set(client.getQueryCache().findAll({ ...scope, fetchStatus: "fetching" }));
    await client.cancelQueries(scope);
    client.setQueriesData<T>(scope, (data) =>
      data === undefined ? undefined : settle ? settle(data, answer) : show(data),
    );
    if (cut.size > 0) void client.invalidateQueries({ predicate: (query) => cut.has(query) });
    return answer;
  } finally {
    update((others) => others.filter((other) => other.over !== over));
    end();
  }
}
