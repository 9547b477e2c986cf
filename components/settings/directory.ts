import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import {
  addDirectoryGroup,
  followGroups,
  getDirectory,
  removeDirectoryGroup,
  setGroupRole,
} from "#components/operations/directory.ts";
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

/** A change of groups also changes members and what the audit log has. */
function useChange<Input, Output>(workspaceId: string, change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: [workspaceId] }),
  });
}

export const useSetGroupRole = (workspaceId: string) =>
  useChange(workspaceId, (change: { id: string; role: GroupRole }) => callOperation(setGroupRole, workspaceId, change));

export const useAddGroup = (workspaceId: string) =>
  useChange(workspaceId, (group: { name: string; role: NonNullable<GroupRole> }) =>
    callOperation(addDirectoryGroup, workspaceId, group),
  );

export const useRemoveGroup = (workspaceId: string) =>
  useChange(workspaceId, (id: string) => callOperation(removeDirectoryGroup, workspaceId, { id }));

/** Lets the groups of a provider bring members; null: of none. */
export const useFollowGroups = (workspaceId: string) =>
  useChange(workspaceId, (provider: string | null) => callOperation(followGroups, workspaceId, { provider }));
