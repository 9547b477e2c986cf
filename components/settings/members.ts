import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import type { KeepOrRemove } from "#components/integrations/keep-or-remove-field.tsx";
import {
  changeRole,
  invite,
  listInvitations,
  listMembers,
  listOwners,
  previewRemoval,
  removeMember,
  revokeInvitation,
} from "#components/operations/members.ts";
import type { Role } from "#lib/core/plans.ts";
import type * as members from "#lib/domain/access/members/contract.ts";

export type Members = z.output<typeof members.listMembers.output>;
export type Owners = z.output<typeof members.listOwners.output>;
export type Invitations = z.output<typeof members.listInvitations.output>;
export type InvitationResult = z.output<typeof members.invite.output>;

const membersKey = (workspaceId: string) => [workspaceId, "members"] as const;
const invitationsKey = (workspaceId: string) => [workspaceId, "invitations"] as const;

export const useMembers = (workspaceId: string, initialData: Members) =>
  useQuery({
    queryKey: membersKey(workspaceId),
    queryFn: ({ signal }) => callOperation(listMembers, workspaceId, {}, { signal }),
    initialData,
  });

/** What everyone owns; it changes with the members. For admins. */
export const useOwners = (workspaceId: string, initialData: Owners) =>
  useQuery({
    queryKey: [...membersKey(workspaceId), "owners"],
    queryFn: ({ signal }) => callOperation(listOwners, workspaceId, {}, { signal }),
    initialData,
  });

export function useChangeRole(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: { id: string; role: Role }) => callOperation(changeRole, workspaceId, change),
    onSettled: () => queries.invalidateQueries({ queryKey: membersKey(workspaceId) }),
  });
}

export function useRemoveMember(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (removal: { id: string; mail: KeepOrRemove }) => callOperation(removeMember, workspaceId, removal),
    onSuccess: () => queries.invalidateQueries({ queryKey: membersKey(workspaceId) }),
  });
}

/** What goes with a member, asked for each time. */
export const useRemoval = (workspaceId: string, id: string) =>
  useQuery({
    queryKey: [workspaceId, "removal of a member", id],
    queryFn: ({ signal }) => callOperation(previewRemoval, workspaceId, { id }, { signal }),
    gcTime: 0,
  });

export const useInvitations = (workspaceId: string, initialData: Invitations) =>
  useQuery({
    queryKey: invitationsKey(workspaceId),
    queryFn: ({ signal }) => callOperation(listInvitations, workspaceId, {}, { signal }),
    initialData,
  });

export function useInvite(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: { role: Role; email?: string }) => callOperation(invite, workspaceId, input),
    onSuccess: () => queries.invalidateQueries({ queryKey: invitationsKey(workspaceId) }),
  });
}

export function useRevokeInvitation(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callOperation(revokeInvitation, workspaceId, { id }),
    onSettled: () => queries.invalidateQueries({ queryKey: invitationsKey(workspaceId) }),
  });
}
