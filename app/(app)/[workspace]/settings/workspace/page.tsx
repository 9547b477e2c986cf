import type { Metadata } from "next";
import { SampleDataCard } from "#components/sample-data/sample-data-card.tsx";
import { DeleteWorkspaceCard } from "#components/settings/delete-workspace-card.tsx";
import { SellingCard } from "#components/settings/selling-card.tsx";
import { WorkspaceCard } from "#components/settings/workspace-card.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { getSampleData } from "#lib/domain/sample-data/service.ts";
import { getWorkspaceStatus } from "#lib/domain/workspace-status/service.ts";
import { getWorkspace } from "#lib/domain/workspaces/service.ts";

export const metadata: Metadata = { title: "Workspace" };

export default async function WorkspacePage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  const [workspace, status, sample] = await Promise.all([
    getWorkspace.execute(caller, {}),
    getWorkspaceStatus.execute(caller, {}),
    getSampleData.execute(caller, {}),
  ]);
  const { business_type, plan_model, default_signup_stage } = status.workspace;
  const administers = roleIncludes(caller.role, "admin");
  return (
    <>
      <WorkspaceCard workspace={workspace} canChange={administers} />
      <SellingCard workspaceId={workspace.id} selling={{ business_type, plan_model, default_signup_stage }} />
      {administers ? <SampleDataCard workspaceId={workspace.id} loaded={sample.loaded} /> : null}
      {caller.role === "owner" ? <DeleteWorkspaceCard workspaceId={workspace.id} name={workspace.name} /> : null}
    </>
  );
}
