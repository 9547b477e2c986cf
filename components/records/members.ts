import { callOperation } from "#components/api.ts";
import { listMembers } from "#components/operations/members.ts";

/** Who belongs to the workspace. */
export const membersOf = (workspaceId: string) => ({
  queryKey: [workspaceId, "members"] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => callOperation(listMembers, workspaceId, {}, { signal }),
});

/** What a member is called. */
export const memberName = ({ name, email }: { name: string | null; email: string }): string => name?.trim() || email;

/** The member who gets records; null: no one. */
export type Owner = { name: string | null; email: string } | null;
