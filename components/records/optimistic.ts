import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** Which cached data a change is about: that of one key, or of all keys that begin with it. */
export type Scope = { queryKey: QueryKey; exact: boolean };

/** Makes the data what it will be once a change is done. Doing it twice comes to the same as doing it once. */
export type Show<T> = (data: T) => T;

export type Attempt<T, A> = {
  show: Show<T>;
  call: () => Promise<A>;
  /** What the answer makes of the data; without it the data stays as shown until it is read again. */
  settle?: (data: T, answer: A) => T;
};

/** Where the changes under way are kept: they outlive the page that began them. */
export const underWayKey = ({ queryKey }: Scope): QueryKey => ["under way", ...queryKey];

export const shownAs = <T>(data: T, underWay: readonly Show<T>[]): T => underWay.reduce((so, show) => show(so), data);

/**
 * Makes a change that shows before it is done. The cache holds what the server said; a change is shown over it while it
 * is under way. So a refused change leaves nothing behind, whatever was read or changed meanwhile.
 * Throws what `call` throws.
 */
export async function attempt<T, A>(client: QueryClient, scope: Scope, { show, call, settle }: Attempt<T, A>) {
  const key = underWayKey(scope);
  const update = (next: (before: readonly Show<T>[]) => readonly Show<T>[]) =>
    client.setQueryData<readonly Show<T>[]>(key, (before = []) => next(before));
  update((before) => [...before, show]);
  try {
    const answer = await call();
    // A read that began before the change was written would bring back what it replaced.
    await client.cancelQueries(scope);
    client.setQueriesData<T>(scope, (data) =>
      data === undefined ? undefined : settle ? settle(data, answer) : show(data),
    );
    return answer;
  } finally {
    update((before) => before.filter((other) => other !== show));
  }
}
