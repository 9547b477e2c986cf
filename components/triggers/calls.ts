import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import {
  changeTrigger,
  createTrigger,
  deleteTrigger,
  getTrigger,
  getTriggerDays,
  getTriggerDelivery,
  listTriggerDeliveries,
  listTriggerEvents,
  listTriggers,
  replayTriggerDeliveries,
  replayTriggerDelivery,
  resumeTrigger,
  rotateTriggerSecret,
  skipTriggerDelivery,
  testTrigger,
} from "#components/operations/triggers.ts";
import { FALLBACK_MS, refetchPages } from "#components/records/refetching.ts";
import type * as contract from "#lib/domain/integrations/triggers/contract.ts";

export type TriggerList = z.output<typeof contract.listTriggers.output>;
export type DeliveryPage = z.output<typeof contract.listTriggerDeliveries.output>;
export type TriggerInput = z.input<typeof contract.createTrigger.input>;
export type {
  Delivery,
  DeliveryStatus,
  DeliverySummary,
  Filters,
  Trigger,
  TriggerEvent,
  TriggerSummary,
} from "#lib/domain/integrations/triggers/contract.ts";

const keyOf = (workspaceId: string) => ["triggers", workspaceId];

/** All triggers; `initial` is what the server rendered. */
export const useTriggers = (workspaceId: string, initial: TriggerList) =>
  useQuery({
    queryKey: [...keyOf(workspaceId), "list"],
    queryFn: ({ signal }) => callOperation(listTriggers, workspaceId, {}, { signal }),
    initialData: initial,
    refetchInterval: FALLBACK_MS,
  });

export const useTrigger = (workspaceId: string, initial: contract.TriggerSummary) =>
  useQuery({
    queryKey: [...keyOf(workspaceId), "one", initial.id],
    queryFn: ({ signal }) => callOperation(getTrigger, workspaceId, { id: initial.id }, { signal }),
    initialData: { trigger: initial },
    refetchInterval: FALLBACK_MS,
  });

/** Read again with the trigger, by the same announcements. */
export const useTriggerDays = (workspaceId: string, id: string) =>
  useQuery({
    queryKey: [...keyOf(workspaceId), "days", id],
    queryFn: ({ signal }) => callOperation(getTriggerDays, workspaceId, { id }, { signal }),
    refetchInterval: FALLBACK_MS,
  });

export const useEvents = (workspaceId: string) =>
  useQuery({
    queryKey: ["trigger-events", workspaceId],
    queryFn: ({ signal }) => callOperation(listTriggerEvents, workspaceId, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useDeliveries = (
  workspaceId: string,
  id: string,
  status: contract.DeliveryStatus | null,
  initial: DeliveryPage | undefined,
) =>
  useInfiniteQuery({
    queryKey: [...keyOf(workspaceId), "deliveries", id, status],
    queryFn: ({ pageParam, signal }) =>
      callOperation(
        listTriggerDeliveries,
        workspaceId,
        { id, ...(status ? { status } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: refetchPages,
    ...(initial ? { initialData: { pages: [initial], pageParams: [null] } } : {}),
  });

export const useDelivery = (workspaceId: string, id: string) =>
  useQuery({
    queryKey: [...keyOf(workspaceId), "delivery", id],
    queryFn: ({ signal }) => callOperation(getTriggerDelivery, workspaceId, { id }, { signal }),
  });

/** A change, after which everything about triggers is read again; nothing waits for that. */
function useChange<I, O>(workspaceId: string, call: (input: I) => Promise<O>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () => void queries.invalidateQueries({ queryKey: keyOf(workspaceId) }),
  });
}

export const useCreate = (workspaceId: string) =>
  useChange(workspaceId, (input: TriggerInput) => callOperation(createTrigger, workspaceId, input));

export const useEdit = (workspaceId: string) =>
  useChange(workspaceId, (input: z.input<typeof contract.changeTrigger.input>) =>
    callOperation(changeTrigger, workspaceId, input),
  );

export const useDelete = (workspaceId: string) =>
  useChange(workspaceId, (id: string) => callOperation(deleteTrigger, workspaceId, { id }));

export const useResume = (workspaceId: string) =>
  useChange(workspaceId, (input: { id: string; skip_waiting?: boolean }) =>
    callOperation(resumeTrigger, workspaceId, input),
  );

export const useRotate = (workspaceId: string) =>
  useChange(workspaceId, (input: { id: string; overlap_hours: number }) =>
    callOperation(rotateTriggerSecret, workspaceId, input),
  );

export const useTest = (workspaceId: string) =>
  useChange(workspaceId, (id: string) => callOperation(testTrigger, workspaceId, { id }));

export const useReplay = (workspaceId: string) =>
  useChange(workspaceId, (id: string) => callOperation(replayTriggerDelivery, workspaceId, { id }));

export const useSkip = (workspaceId: string) =>
  useChange(workspaceId, (id: string) => callOperation(skipTriggerDelivery, workspaceId, { id }));

export const useReplayAll = (workspaceId: string) =>
  useChange(workspaceId, (input: z.input<typeof contract.replayTriggerDeliveries.input>) =>
    callOperation(replayTriggerDeliveries, workspaceId, input),
  );
