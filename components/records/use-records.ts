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

const PAGE = 100;
/** At once, when many records change. */
const SIDE_BY_SIDE = 4;

/** The first page, as the server rendered it for `query`. */
export type FirstPage<Row> = { query: Query; page: RecordPage<Row>; readAt: number };

type Pages<Row> = InfiniteData<RecordPage<Row>, string | null>;

/** The list for one request, page after page. */
export function useRecords<Row extends ListedRecord>(
  kind: ListKind<Row>,
  workspaceId: string,
  query: Query,
  first: FirstPage<Row> | null,
) {
  const isFirst = first !== null && JSON.stringify(first.query) === JSON.stringify(query);
  const result = useInfiniteQuery({
    queryKey: [kind.id, workspaceId, query],
    queryFn: ({ pageParam, signal }) =>
      kind.list(workspaceId, { ...query, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    ...(isFirst
      ? { initialData: { pages: [first.page], pageParams: [null] }, initialDataUpdatedAt: first.readAt }
      : {}),
    // A long list would be fetched again from its start.
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= 3,
  });
  const rows = useMemo(() => uniqueRows(result.data?.pages ?? []), [result.data]);
  return { ...result, rows };
}

/** A record that moved up between two pages is listed once. */
function uniqueRows<Row extends ListedRecord>(pages: readonly RecordPage<Row>[]): readonly Row[] {
  const byId = new Map<string, Row>();
  for (const row of pages.flatMap((page) => page.rows)) if (!byId.has(row.id)) byId.set(row.id, row);
  return [...byId.values()];
}

type Undo<Row> = { row: Row; back: Change };

/** Changes that show at once, are taken back when refused, and can be undone. */
export function useRecordChanges<Row extends ListedRecord>(kind: ListKind<Row>, workspaceId: string) {
  const client = useQueryClient();
  return useMemo(() => changesOf(kind, workspaceId, client), [kind, workspaceId, client]);
}

function changesOf<Row extends ListedRecord>(kind: ListKind<Row>, workspaceId: string, client: QueryClient) {
  const key = [kind.id, workspaceId];
  const replace = (id: string, next: (row: Row) => Row) =>
    client.setQueriesData<Pages<Row>>({ queryKey: key }, (data) => (data ? mapRows(data, id, next) : data));
  const refresh = () => void client.invalidateQueries({ queryKey: key });

  /** What could not be changed is put back; answers the records that changed. */
  async function change(steps: readonly { row: Row; change: Change }[]): Promise<readonly Row[]> {
    await client.cancelQueries({ queryKey: key });
    for (const step of steps) replace(step.row.id, (row) => ({ ...row, ...step.change }));
    const done: Row[] = [];
    let failure: unknown;
    const waiting = [...steps];
    const work = async () => {
      for (let step = waiting.shift(); step; step = waiting.shift()) {
        const { row } = step;
        try {
          const changed = await kind.change(workspaceId, row.id, step.change);
          replace(row.id, () => changed);
          done.push(row);
        } catch (error) {
          failure ??= error;
          replace(row.id, () => row);
        }
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
    if (failure !== undefined) toast.error(refusalWords(problemOf(failure).message, steps.length - done.length));
    return done;
  }

  return {
    refresh,
    /** `words` tells what was done to how many. */
    async apply(
      rows: readonly Row[],
      wanted: Change,
      backOf: (row: Row) => Change,
      words: (done: readonly Row[]) => string,
    ): Promise<void> {
      const done = await change(rows.map((row) => ({ row, change: wanted })));
      if (wanted.status) refresh();
      if (done.length === 0) return;
      const undos: Undo<Row>[] = done.map((row) => ({ row, back: backOf(row) }));
      toastWithUndo(words(done), async () => {
        await change(undos.map(({ row, back }) => ({ row: { ...row, ...wanted }, change: back })));
        refresh();
      });
    },
  };
}

const mapRows = <Row extends ListedRecord>(data: Pages<Row>, id: string, next: (row: Row) => Row): Pages<Row> => ({
  ...data,
  pages: data.pages.map((page) => ({ ...page, rows: page.rows.map((row) => (row.id === id ? next(row) : row)) })),
});

const refusalWords = (message: string, count: number): string =>
  count > 1 ? `${count} records could not be changed. ${message}` : message;
