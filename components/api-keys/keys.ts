import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import { changeApiKey, listApiKeys, mintApiKey, revokeApiKey, rotateApiKey } from "#components/operations/api-keys.ts";
import type * as contract from "#lib/domain/access/api-keys/contract.ts";

export type KeyList = z.output<typeof contract.listApiKeys.output>;

const keyOf = (workspaceId: string) => ["api-keys", workspaceId];

/** The workspace's keys; `initial` is what the server rendered. */
export const useKeys = (workspaceId: string, initial: KeyList) =>
  useQuery({
    queryKey: keyOf(workspaceId),
    queryFn: ({ signal }) => callOperation(listApiKeys, workspaceId, {}, { signal }),
    initialData: initial,
  });

/** After a change the list is fetched again; nothing waits for that. */
function useRefresh(workspaceId: string): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: keyOf(workspaceId) });
}

export const useMintKey = (workspaceId: string) =>
  useMutation({
    mutationFn: (input: z.input<typeof contract.mintApiKey.input>) => callOperation(mintApiKey, workspaceId, input),
    onSuccess: useRefresh(workspaceId),
  });

export const useChangeKey = (workspaceId: string) =>
  useMutation({
    mutationFn: (input: z.input<typeof contract.changeApiKey.input>) => callOperation(changeApiKey, workspaceId, input),
    onSuccess: useRefresh(workspaceId),
  });

export const useRotateKey = (workspaceId: string) =>
  useMutation({
    mutationFn: (input: z.input<typeof contract.rotateApiKey.input>) => callOperation(rotateApiKey, workspaceId, input),
    onSuccess: useRefresh(workspaceId),
  });

export const useRevokeKey = (workspaceId: string) =>
  useMutation({
    mutationFn: (input: z.input<typeof contract.revokeApiKey.input>) => callOperation(revokeApiKey, workspaceId, input),
    onSuccess: useRefresh(workspaceId),
  });
