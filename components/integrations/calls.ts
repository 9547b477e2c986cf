import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import {
  cancelBackfill,
  listBackfillContacts,
  listBackfills,
  resumeBackfill,
  startBackfill,
} from "#components/operations/bookings.ts";
import {
  checkIntegration,
  connectIntegration,
  disconnectIntegration,
  getIntegration,
  registerAgain,
  testIntegration,
} from "#components/operations/connections.ts";
import { FALLBACK_MS } from "#components/records/refetching.ts";
import type * as bookings from "#lib/domain/integrations/bookings/contract.ts";
import type * as contract from "#lib/domain/integrations/connections/contract.ts";

export type { Backfill, BackfillContact } from "#lib/domain/integrations/bookings/contract.ts";
export type { IntegrationDetail } from "#lib/domain/integrations/connections/contract.ts";
export type BackfillList = z.output<typeof bookings.listBackfills.output>;

type IntegrationInput = z.input<typeof contract.testIntegration.input>;

const keyOf = (workspaceId: string, provider?: contract.Provider) =>
  provider ? ["integrations", workspaceId, provider] : ["integrations", workspaceId];
const backfillsOf = (workspaceId: string) => ["backfills", workspaceId];

/** One integration, kept up to date; `initial` is what the server rendered. */
export const useIntegration = (workspaceId: string, initial: contract.IntegrationDetail) =>
  useQuery({
    queryKey: keyOf(workspaceId, initial.provider),
    queryFn: ({ signal }) => callOperation(getIntegration, workspaceId, { provider: initial.provider }, { signal }),
    initialData: initial,
    refetchInterval: FALLBACK_MS,
  });

/** After a change everything about integrations is fetched again; nothing waits for that. */
function useRefresh(workspaceId: string): () => void {
  const queries = useQueryClient();
  return () => {
    void queries.invalidateQueries({ queryKey: keyOf(workspaceId) });
    void queries.invalidateQueries({ queryKey: backfillsOf(workspaceId) });
  };
}

export const useTest = (workspaceId: string) =>
  useMutation({ mutationFn: (input: IntegrationInput) => callOperation(testIntegration, workspaceId, input) });

/** Asks with the credentials that are kept. */
export const useCheck = (workspaceId: string) =>
  useMutation({
    mutationFn: (provider: contract.Provider) => callOperation(checkIntegration, workspaceId, { provider }),
    onSettled: useRefresh(workspaceId),
  });

export const useConnect = (workspaceId: string) =>
  useMutation({
    mutationFn: (input: IntegrationInput) => callOperation(connectIntegration, workspaceId, input),
    onSettled: useRefresh(workspaceId),
  });

export const useDisconnect = (workspaceId: string) =>
  useMutation({
    mutationFn: (provider: contract.Provider) => callOperation(disconnectIntegration, workspaceId, { provider }),
    onSettled: useRefresh(workspaceId),
  });

export const useRegisterAgain = (workspaceId: string) =>
  useMutation({
    mutationFn: (provider: contract.Provider) => callOperation(registerAgain, workspaceId, { provider }),
    onSettled: useRefresh(workspaceId),
  });

/** The latest backfills; `initial` is what the server rendered. */
export const useBackfills = (workspaceId: string, initial: BackfillList) =>
  useQuery({
    queryKey: backfillsOf(workspaceId),
    queryFn: ({ signal }) => callOperation(listBackfills, workspaceId, { limit: 1 }, { signal }),
    initialData: initial,
    refetchInterval: FALLBACK_MS,
  });

/** The actions on backfills: start one, stop or resume one. */
export const useBackfillAction = (workspaceId: string) =>
  useMutation({
    mutationFn: ({ wish, id = "" }: { wish: "start" | "cancel" | "resume"; id?: string }) => {
      if (wish === "start") return callOperation(startBackfill, workspaceId, {});
      return callOperation(wish === "cancel" ? cancelBackfill : resumeBackfill, workspaceId, { id });
    },
    onSettled: useRefresh(workspaceId),
  });

export const useBackfillContacts = (workspaceId: string, id: string, offset: number) =>
  useQuery({
    queryKey: [...backfillsOf(workspaceId), id, offset],
    queryFn: ({ signal }) => callOperation(listBackfillContacts, workspaceId, { id, limit: 50, offset }, { signal }),
  });
