import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import { changeConnectedClient, listConnectedClients, revokeConnectedClient } from "#components/operations/oauth.ts";
import type * as contract from "#lib/domain/access/oauth/contract.ts";

export type ConnectedClients = z.output<typeof contract.listConnectedClients.output>;

const keyOf = (workspaceId: string) => ["connected-clients", workspaceId];

/** The connected clients that the reader may see; `initialData` is what the server rendered. */
export const useConnectedClients = (workspaceId: string, initialData: ConnectedClients) =>
  useQuery({
    queryKey: keyOf(workspaceId),
    queryFn: ({ signal }) => callOperation(listConnectedClients, workspaceId, {}, { signal }),
    initialData,
  });

export function useChangeConnectedClient(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: z.input<typeof contract.changeConnectedClient.input>) =>
      callOperation(changeConnectedClient, workspaceId, change),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(workspaceId) }),
  });
}

export function useRevokeConnectedClient(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callOperation(revokeConnectedClient, workspaceId, { id }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(workspaceId) }),
  });
}
