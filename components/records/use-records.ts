import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useMemo } from "react";
import { toast, toastWithUndo } from "#components/ui/toaster.tsx";
import type { Change, ListedRecord, ListKind, Query, RecordPage } from "./list-kind.ts";
import { problemOf } from "./problem.ts";
import { type MakeChange, useOptimistic } from "./use-optimistic.ts";

const PAGE = 100;
/** Changes sent at the same time, when many records change. */
const SIDE_BY_SIDE = 4;

/** The first page, as the server rendered it for `query`. */
export type FirstPage<Row> = { query: Query; page: RecordPage<Row>; readAt: number };

type Pages<Row> = InfiniteData<RecordPage<Row>>;

type RecordSource<Row extends ListedRecord, C extends object> = Pick<
  ListKind<Row, C, string>,
  "id" | "list" | "change"
>;

export type Records<Row extends ListedRecord> = ReturnType<typeof useRecords<Row, Change>>;

/** The list for one request, page by page; `apply` changes its records. */
export function useRecords<Row extends ListedRecord, C extends object = Change>(
  kind: RecordSource<Row, C>,
  workspaceId: string,
  query: Query,
  first: FirstPage<Row> | null,
  enabled = true,
) {
  const isFirst = first !== null && JSON.stringify(first.query) === JSON.stringify(query);
  const result = useInfiniteQuery({
    queryKey: [kind.id, workspaceId, query],
    queryFn: ({ pageParam, signal }) =>
      kind.list(workspaceId, { ...query, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    enabled,
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    ...(isFirst
      ? { initialData: { pages: [first.page], pageParams: [null] }, initialDataUpdatedAt: first.readAt }
      : {}),
    // Otherwise a long list would be fetched again from the start.
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= 3,
  });
  const scope = useMemo(() => ({ queryKey: [kind.id, workspaceId], exact: false }), [kind, workspaceId]);
  const { shown, change } = useOptimistic<Pages<Row> | undefined>(scope, result.data);
  const rows = useMemo(() => uniqueRows(shown?.pages ?? []), [shown]);
  const client = useQueryClient();
  const apply = useMemo(() => applying(kind, workspaceId, change, client), [kind, workspaceId, change, client]);
  return { ...result, rows, apply };
}

/** A record that moved up between two pages is listed once. */
function uniqueRows<Row extends ListedRecord>(pages: readonly RecordPage<Row>[]): readonly Row[] {
  const byId = new Map<string, Row>();
  for (const row of pages.flatMap((page) => page.rows)) if (!byId.has(row.id)) byId.set(row.id, row);
  return [...byId.values()];
}

/**
 * Makes the same change to rows. `backOf` gives the change that undoes it for one row; `words` describes what was done.
 */
export type Apply<Row, C extends object = Change> = (
  rows: readonly Row[],
  wanted: C,
  backOf: (row: Row) => C,
  words: (done: readonly Row[]) => string,
) => Promise<void>;

/** The result for several records: those that changed, as the server has them now, and why others did not. */
type ChangeResult<Row> = { changed: Map<string, Row>; failure?: unknown };

/** Changes that are shown at once, are reverted when refused, and can be undone. */
function applying<Row extends ListedRecord, C extends object>(
  kind: RecordSource<Row, C>,
  workspaceId: string,
  make: MakeChange<Pages<Row>>,
  client: QueryClient,
): Apply<Row, C> {
  async function send(wishes: ReadonlyMap<string, C>): Promise<ChangeResult<Row>> {
    const outcome: ChangeResult<Row> = { changed: new Map() };
    const waiting = [...wishes];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        try {
          outcome.changed.set(next[0], await kind.change(workspaceId, ...next));
        } catch (error) {
          outcome.failure ??= error;
        }
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
    return outcome;
  }

  /** Returns the ids of the records that changed. */
  async function change(wishes: ReadonlyMap<string, C>): Promise<ReadonlySet<string>> {
    let outcome: ChangeResult<Row> = { changed: new Map() };
    await make({
      show: (pages) => mapRows(pages, (row) => (wishes.has(row.id) ? { ...row, ...wishes.get(row.id) } : row)),
      call: async () => {
        outcome = await send(wishes);
      },
      settle: (pages) => mapRows(pages, (row) => outcome.changed.get(row.id) ?? row),
    });
    const { changed, failure } = outcome;
    if (failure !== undefined) toast.error(refusalWords(problemOf(failure).message, wishes.size - changed.size));
    return new Set(changed.keys());
  }

  return async (rows, wanted, backOf, words) => {
    const refresh = () => void client.invalidateQueries({ queryKey: [kind.id, workspaceId] });
    const changed = await change(new Map(rows.map(({ id }) => [id, wanted])));
    const done = rows.filter(({ id }) => changed.has(id));
    if ("status" in wanted) refresh();
    if (done.length === 0) return;
    toastWithUndo(words(done), async () => {
      await change(new Map(done.map((row) => [row.id, backOf(row)])));
      refresh();
    });
  };
}

const mapRows = <Row extends ListedRecord>(data: Pages<Row>, next: (row: Row) => Row): Pages<Row> => ({
  ...data,
  pages: data.pages.map((page) => ({ ...page, rows: page.rows.map(next) })),
});

const refusalWords = (message: string, count: number): string =>
  count > 1 ? `${count} records could not be changed. ${message}` : message;
