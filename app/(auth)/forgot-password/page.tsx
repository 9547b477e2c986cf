import type { Metadata } from "next";
import { AuthCard } from "#components/auth/auth-card.tsx";
import { ForgotPasswordForm } from "#components/auth/forgot-password-form.tsx";
import { TextLink } from "#components/auth/text-link.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { canMailLinks } from "#lib/auth/mail.ts";

export const metadata: Metadata = { title: "Forgot password" };

export default function ForgotPasswordPage() {
  const footer = <TextLink href="/sign-in">Back to sign in</TextLink>;
  if (canMailLinks()) {
    return (
      <AuthCard title="Forgot your password?" description="We send a link to choose a new one." footer={footer}>
        <ForgotPasswordForm />
      </AuthCard>
    );
  }
  return (
    <AuthCard
      title="Forgot your password?"
      description="This server cannot send e-mail. Ask the person who runs it for a new password. They set it on the command line:"
      footer={footer}
    >
      <CodeBlock code="npx rapport admin user reset-password <email>" />
    </AuthCard>
  );
}
