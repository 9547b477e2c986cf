import type { Metadata } from "next";
import { AuthCard } from "#components/auth/auth-card.tsx";
import { CreateWorkspaceForm } from "#components/auth/create-workspace-form.tsx";
import { TextLink } from "#components/auth/text-link.tsx";
import { requireSession } from "#lib/auth/member.ts";

export const metadata: Metadata = { title: "Create workspace" };

export default async function NewWorkspacePage() {
  const { email, memberships } = await requireSession();
  return (
    <AuthCard
      title="Create a workspace"
      description="It has its own members, keys and data; nothing is shared between workspaces."
      footer={
        <>
          Signed in as {email}. {memberships.length > 0 ? <TextLink href="/">Back to your workspace</TextLink> : null}
        </>
      }
    >
      <CreateWorkspaceForm />
    </AuthCard>
  );
}
