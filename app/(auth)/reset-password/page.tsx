import type { Metadata } from "next";
import { AuthCard } from "#components/auth/auth-card.tsx";
import { ResetPasswordForm } from "#components/auth/reset-password-form.tsx";
import { TextLink } from "#components/auth/text-link.tsx";
import { doesResetWork } from "#lib/domain/workspace/users/service.ts";

// The token is in the address: other sites must not see it.
export const metadata: Metadata = { title: "Choose a new password", referrer: "no-referrer" };

export default async function ResetPasswordPage({
  searchParams,
}: {
  searchParams: Promise<{ token?: string | string[] }>;
}) {
  const { token } = await searchParams;
  if (typeof token !== "string" || !(await doesResetWork(token))) {
    return (
      <AuthCard
        title="This link no longer works"
        description="It was used, replaced by a newer one, or is over an hour old."
        footer={<TextLink href="/forgot-password">Ask for a new link</TextLink>}
      />
    );
  }
  return (
    <AuthCard title="Choose a new password" description="You will be signed out everywhere else.">
      <ResetPasswordForm token={token} />
    </AuthCard>
  );
}
