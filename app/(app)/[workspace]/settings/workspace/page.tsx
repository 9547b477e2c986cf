import type { Metadata } from "next";
import { DeleteWorkspaceCard } from "#components/settings/delete-workspace-card.tsx";
import { WorkspaceCard } from "#components/settings/workspace-card.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { getWorkspace } from "#lib/domain/workspaces/service.ts";

export const metadata: Metadata = { title: "Workspace" };

export default async function WorkspacePage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  const workspace = await getWorkspace.execute(caller, {});
  return (
    <>
      <WorkspaceCard workspace={workspace} canChange={roleIncludes(caller.role, "admin")} />
      {caller.role === "owner" ? <DeleteWorkspaceCard workspaceId={workspace.id} name={workspace.name} /> : null}
    </>
  );
}
