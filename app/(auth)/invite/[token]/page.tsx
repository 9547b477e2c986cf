import type { Metadata } from "next";
import { AcceptInvitation } from "#components/auth/accept-invitation.tsx";
import { AuthCard } from "#components/auth/auth-card.tsx";
import { ProviderButtons } from "#components/auth/provider-buttons.tsx";
import { SignUpForm } from "#components/auth/sign-up-form.tsx";
import { TextLink } from "#components/auth/text-link.tsx";
import { pageSession, visitorOf } from "#lib/auth/member.ts";
import { providersOffered } from "#lib/auth/providers.ts";
import { isFault } from "#lib/core/errors.ts";
import { readInvitation } from "#lib/domain/access/members/service.ts";

export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer" };

export default async function InvitePage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const session = await pageSession();
  const invitation = await readInvitation.execute(visitorOf(session), { token }).catch((error: unknown) => {
    if (isFault(error)) return null;
    throw error;
  });
  if (!invitation) {
    return (
      <AuthCard
        title="This invitation no longer works"
        description="It was used, withdrawn, or is older than seven days. Ask for a new link."
        footer={<TextLink href="/">Go to Rapport</TextLink>}
      />
    );
  }

  const { workspace_name, role, email, invited_by } = invitation;
  const as = {
    viewer: "a viewer, who reads and changes nothing",
    member: "a member",
    admin: "an administrator",
    owner: "an owner",
  }[role];
  const title = `Join ${workspace_name}`;
  const description = `${invited_by ?? "Someone"} invites you as ${as}.`;
  const here = `/invite/${token}`;
  const signIn = `/sign-in?next=${encodeURIComponent(here)}`;
  if (session) {
    return (
      <AuthCard title={title} description={description} footer={`You are signed in as ${session.email}.`}>
        <AcceptInvitation token={token} workspaceName={workspace_name} />
      </AuthCard>
    );
  }
  return (
    <AuthCard
      title={title}
      description={description}
      footer={
        <>
          {invitation.has_account ? `${email} has an account. ` : "Have an account? "}
          <TextLink href={signIn}>Sign in to join</TextLink>
        </>
      }
    >
      <ProviderButtons providers={providersOffered()} next={here} />
      <SignUpForm invitation={{ token, email }} />
    </AuthCard>
  );
}
