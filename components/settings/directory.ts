import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import { getDirectory, setGroupRole } from "#components/operations/directory.ts";
import type * as directory from "#lib/domain/access/directory/contract.ts";

export type Directory = z.output<typeof directory.getDirectory.output>;
export type GroupRole = directory.DirectoryGroup["role"];

const directoryKey = (workspaceId: string) => [workspaceId, "directory"] as const;

export const useDirectory = (workspaceId: string, initialData: Directory) =>
  useQuery({
    queryKey: directoryKey(workspaceId),
    queryFn: ({ signal }) => callOperation(getDirectory, workspaceId, {}, { signal }),
    initialData,
  });

export function useSetGroupRole(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: { id: string; role: GroupRole }) => callOperation(setGroupRole, workspaceId, change),
    onSettled: () => queries.invalidateQueries({ queryKey: [workspaceId] }),
  });
}
