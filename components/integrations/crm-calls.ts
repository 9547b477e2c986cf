import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import { cancelCrmRun, configureCrmSync, getCrmRun, getCrmSync, syncCrmNow } from "#components/operations/crm-sync.ts";
import { FALLBACK_MS } from "#components/records/refetching.ts";
import type * as contract from "#lib/domain/integrations/crm-sync/contract.ts";

export type { CrmConfig, CrmRun, CrmRunRow, CrmSync } from "#lib/domain/integrations/crm-sync/contract.ts";
export type CrmSyncs = z.output<typeof contract.getCrmSync.output>;
export type RowOutcome = NonNullable<contract.CrmRunRow["outcome"]>;

const keyOf = (workspaceId: string) => ["crm-sync", workspaceId];

/** How the workspace syncs with each CRM; `initial` is what the server rendered. */
export const useCrmSync = (workspaceId: string, initial: CrmSyncs) =>
  useQuery({
    queryKey: keyOf(workspaceId),
    queryFn: ({ signal }) => callOperation(getCrmSync, workspaceId, {}, { signal }),
    initialData: initial,
    refetchInterval: FALLBACK_MS,
  });

function useRefresh(workspaceId: string): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: keyOf(workspaceId) });
}

export const useConfigure = (workspaceId: string) =>
  useMutation({
    mutationFn: (input: z.input<typeof contract.configureCrmSync.input>) =>
      callOperation(configureCrmSync, workspaceId, input),
    onSettled: useRefresh(workspaceId),
  });

export const useSyncNow = (workspaceId: string) =>
  useMutation({
    mutationFn: (input: z.input<typeof contract.syncCrmNow.input>) => callOperation(syncCrmNow, workspaceId, input),
    onSettled: useRefresh(workspaceId),
  });

export const useCancelRun = (workspaceId: string) =>
  useMutation({
    mutationFn: (id: string) => callOperation(cancelCrmRun, workspaceId, { id }),
    onSettled: useRefresh(workspaceId),
  });

/** A page of a run's rows. */
export const useCrmRows = (workspaceId: string, id: string, outcome: RowOutcome | null, cursor: string | null) =>
  useQuery({
    queryKey: [...keyOf(workspaceId), id, outcome, cursor],
    queryFn: ({ signal }) =>
      callOperation(
        getCrmRun,
        workspaceId,
        { id, limit: 50, ...(outcome ? { outcome } : {}), ...(cursor ? { cursor } : {}) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
