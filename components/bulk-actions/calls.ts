import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { callOperation } from "#components/api.ts";
import {
  cancelBulkAction,
  createBulkAction,
  listBulkActions,
  undoBulkAction,
} from "#components/operations/bulk-actions.ts";
import type { BulkAction, BulkList } from "#lib/domain/crm/bulk-actions/contract.ts";
import { isUnderWay } from "./words.ts";

export type { BulkAction, BulkList } from "#lib/domain/crm/bulk-actions/contract.ts";

/** What to do with all that match. */
export type BulkRequest = Pick<BulkAction, "action"> & {
  pipeline_stage?: NonNullable<BulkAction["pipeline_stage"]>;
  owner?: string;
  list_id?: string;
};

/** `LiveUpdates` reads the keys that begin like this again while a bulk action goes on. */
const keyOf = (workspaceId: string) => ["bulk-actions", workspaceId] as const;

/** A bulk action that goes on is also asked for, should its announcements not arrive. */
const FALLBACK_MS = 3_000;
/** More are hardly under way at once. */
const SHOWN = 10;

/** The latest bulk actions of a list, kept up to date. When one ends, the list is read again. */
export function useBulkActions(workspaceId: string, what: BulkList): readonly BulkAction[] {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: keyOf(workspaceId),
    queryFn: async ({ signal }) =>
      (await callOperation(listBulkActions, workspaceId, { limit: SHOWN }, { signal })).bulk_actions,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? FALLBACK_MS : false),
  });
  const wasUnderWay = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const actions = data ?? [];
    if (actions.some((action) => !isUnderWay(action) && wasUnderWay.current.has(action.id)))
      for (const list of ["people", "companies", "home"])
        void client.invalidateQueries({ queryKey: [list, workspaceId] });
    wasUnderWay.current = new Set(actions.filter(isUnderWay).map(({ id }) => id));
  }, [data, client, workspaceId]);
  return (data ?? []).filter((action) => action.what === what);
}

/** The requests about bulk actions; each shows its result at once. */
export function useBulkCalls(workspaceId: string) {
  const client = useQueryClient();
  const put = useCallback(
    async (request: Promise<{ bulk_action: BulkAction }>): Promise<BulkAction> => {
      const { bulk_action: next } = await request;
      // A read that began before would bring back the old state.
      await client.cancelQueries({ queryKey: keyOf(workspaceId) });
      client.setQueryData<BulkAction[]>(keyOf(workspaceId), (before = []) =>
        before.some(({ id }) => id === next.id)
          ? before.map((each) => (each.id === next.id ? next : each))
          : [next, ...before],
      );
      void client.invalidateQueries({ queryKey: keyOf(workspaceId) });
      return next;
    },
    [client, workspaceId],
  );
  return {
    begin: (what: BulkList, filters: BulkAction["filters"], wanted: BulkRequest) =>
      put(callOperation(createBulkAction, workspaceId, { what, filters, ...wanted })),
    cancel: ({ id }: BulkAction) => put(callOperation(cancelBulkAction, workspaceId, { id })),
    undo: ({ id }: BulkAction) => put(callOperation(undoBulkAction, workspaceId, { id })),
  };
}
