import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import {
  getInboundDays,
  getInboundDelivery,
  listInboundDeliveries,
  replayInboundDelivery,
  sendTestDelivery,
  setInboundRetention,
} from "#components/operations/inbound.ts";
import { FALLBACK_MS, refetchPages } from "#components/records/refetching.ts";
import type * as contract from "#lib/domain/integrations/inbound/contract.ts";

export type DeliveryPage = z.output<typeof contract.listInboundDeliveries.output>;
export type DeliveryFilter = { provider?: contract.InboundProvider; status?: contract.Status; without_contact?: true };
export type {
  Delivery,
  DeliverySummary,
  InboundProvider,
  Refusal,
  Retention,
  Status,
} from "#lib/domain/integrations/inbound/contract.ts";

const keyOf = (workspaceId: string) => ["inbound-deliveries", workspaceId];

type Listing = { filter: DeliveryFilter; limit: number; initial?: DeliveryPage | undefined };

/** Deliveries by day, of a provider or of all. */
export const useInboundDays = (workspaceId: string, provider: contract.InboundProvider | null) =>
  useQuery({
    queryKey: [...keyOf(workspaceId), "days", provider],
    queryFn: ({ signal }) => callOperation(getInboundDays, workspaceId, provider ? { provider } : {}, { signal }),
    refetchInterval: FALLBACK_MS,
  });

/** The log, newest first; `initial` is what the server rendered. */
export const useDeliveries = (workspaceId: string, { filter, limit, initial }: Listing) =>
  useInfiniteQuery({
    queryKey: [...keyOf(workspaceId), "list", filter, limit],
    queryFn: ({ pageParam, signal }) =>
      callOperation(
        listInboundDeliveries,
        workspaceId,
        { ...filter, limit, ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: refetchPages,
    ...(initial ? { initialData: { pages: [initial], pageParams: [null] } } : {}),
  });

export const useDelivery = (workspaceId: string, id: string) =>
  useQuery({
    queryKey: [...keyOf(workspaceId), "one", id],
    queryFn: ({ signal }) => callOperation(getInboundDelivery, workspaceId, { id }, { signal }),
  });

/** After a change the log is fetched again; nothing waits for that. */
function useRefresh(workspaceId: string): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: keyOf(workspaceId) });
}

export const useReplay = (workspaceId: string) =>
  useMutation({
    mutationFn: (id: string) => callOperation(replayInboundDelivery, workspaceId, { id }),
    onSettled: useRefresh(workspaceId),
  });

export const useSendTest = (workspaceId: string) =>
  useMutation({
    mutationFn: (provider: contract.InboundProvider) => callOperation(sendTestDelivery, workspaceId, { provider }),
    onSettled: useRefresh(workspaceId),
  });

const retentionOf = (workspaceId: string) => ["inbound-retention", workspaceId];

/** How long the log is kept; `initial` is what the server rendered. */
export const useRetention = (workspaceId: string, initial: contract.Retention) =>
  useQuery({
    queryKey: retentionOf(workspaceId),
    queryFn: async ({ signal }) =>
      (await callOperation(listInboundDeliveries, workspaceId, { limit: 1 }, { signal })).retention,
    initialData: initial,
  });

/** Null: as long as the server's default. */
export function useSetRetention(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (days: number | null) => callOperation(setInboundRetention, workspaceId, { days }),
    onSuccess: ({ retention }) => queries.setQueryData(retentionOf(workspaceId), retention),
  });
}

/** The provider of an integration that delivers: those of bookings and of recordings do. */
export const deliveringOf = ({ provider }: { provider: string }): contract.InboundProvider =>
  provider as contract.InboundProvider;
