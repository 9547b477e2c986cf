import type { Metadata } from "next";
import { DirectoryCard } from "#components/settings/directory-card.tsx";
import { GroupsCard } from "#components/settings/groups-card.tsx";
import { HandOverCard } from "#components/settings/hand-over-card.tsx";
import { InvitationsCard } from "#components/settings/invitations-card.tsx";
import { MembersCard } from "#components/settings/members-card.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { getDirectory } from "#lib/domain/access/directory/service.ts";
import { listInvitations, listMembers, listOwners } from "#lib/domain/access/members/service.ts";

export const metadata: Metadata = { title: "Members" };

export default async function MembersPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller, session, workspace } = await requireMember((await params).workspace);
  const isAdmin = roleIncludes(caller.role, "admin");
  const [members, invitations, owners, directory] = await Promise.all([
    listMembers.execute(caller, {}),
    isAdmin ? listInvitations.execute(caller, {}) : null,
    isAdmin ? listOwners.execute(caller, {}) : null,
    isAdmin ? getDirectory.execute(caller, {}) : null,
  ]);
  const me = { userId: session.userId, role: caller.role };
  return (
    <>
      <MembersCard workspaceId={caller.workspaceId} workspaceName={workspace.name} me={me} initial={members} />
      {invitations ? <InvitationsCard workspaceId={caller.workspaceId} initial={invitations} /> : null}
      {owners ? <HandOverCard workspaceId={caller.workspaceId} initial={owners} /> : null}
      {directory ? (
        <>
          <DirectoryCard workspaceId={caller.workspaceId} initial={directory} />
          <GroupsCard
            workspaceId={caller.workspaceId}
            initial={directory}
            isOwner={roleIncludes(caller.role, "owner")}
          />
        </>
      ) : null}
    </>
  );
}
