import type { Metadata } from "next";
import { MailCeilingCard } from "#components/mail/ceiling-card.tsx";
import { SellingCard } from "#components/settings/selling-card.tsx";
import { SignInDemandCard } from "#components/settings/sign-in-demand-card.tsx";
import { WorkspaceCard } from "#components/settings/workspace-card.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { getSignInDemand } from "#lib/domain/access/sign-in-demand/service.ts";
import { listMailboxes } from "#lib/domain/integrations/mailboxes/service.ts";
import { getWorkspaceStatus } from "#lib/domain/workspace/workspace-status/service.ts";
import { getWorkspace } from "#lib/domain/workspace/workspaces/service.ts";

export const metadata: Metadata = { title: "Workspace" };

export default async function WorkspacePage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  const [workspace, status, signIn, { ceiling }] = await Promise.all([
    getWorkspace.execute(caller, {}),
    getWorkspaceStatus.execute(caller, {}),
    getSignInDemand.execute(caller, {}),
    listMailboxes.execute(caller, {}),
  ]);
  const canChange = roleIncludes(caller.role, "admin");
  const { business_type, plan_model, default_signup_stage } = status.workspace;
  return (
    <>
      <WorkspaceCard workspace={workspace} canChange={canChange} />
      <SignInDemandCard workspaceId={workspace.id} initial={signIn} canChange={canChange} />
      <MailCeilingCard workspaceId={workspace.id} initial={ceiling} canChange={canChange} />
      <SellingCard workspaceId={workspace.id} selling={{ business_type, plan_model, default_signup_stage }} />
    </>
  );
}
