import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthCard } from "#components/auth/auth-card.tsx";
import { ProviderButtons } from "#components/auth/provider-buttons.tsx";
import { SignUpForm } from "#components/auth/sign-up-form.tsx";
import { TextLink } from "#components/auth/text-link.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { pageSession } from "#lib/auth/member.ts";
import { providersOffered } from "#lib/auth/providers.ts";
import { areSignUpsOpen, isFirstVisit } from "#lib/auth/sign-ups.ts";

export const metadata: Metadata = { title: "Create account" };

const whatItIs =
  "Rapport remembers what your sales agents learn about people and companies, and tells them before they act.";

const forOperator = 'npx rapport admin workspace create --name "Acme" --owner-email you@acme.com';

export default async function SignUpPage() {
  if (await pageSession()) redirect("/");
  const first = await isFirstVisit();
  if (!(await areSignUpsOpen())) return <Closed first={first} />;
  return (
    <AuthCard
      title="Create your account"
      description={first ? `${whatItIs} You are the first one here: the workspace you create is yours.` : whatItIs}
      footer={
        first ? undefined : (
          <>
            Have an account? <TextLink href="/sign-in">Sign in</TextLink>
          </>
        )
      }
    >
      <ProviderButtons providers={providersOffered()} next="/" />
      <SignUpForm />
    </AuthCard>
  );
}

function Closed({ first }: { first: boolean }) {
  if (!first) {
    const providers = providersOffered();
    return (
      <AuthCard
        title="Sign-up is by invitation"
        description="Ask a member of your workspace for an invitation link. It lets you create an account and join."
        footer={
          <>
            Have an account? <TextLink href="/sign-in">Sign in</TextLink>
          </>
        }
      >
        <div className="flex flex-col gap-3 border-t pt-4">
          <p className="text-pretty">
            Did your company add you already? Then you have an account without a password:{" "}
            {providers.length > 0 ? "continue below, or " : ""}
            <TextLink href="/forgot-password">set a password</TextLink>.
          </p>
          <ProviderButtons providers={providers} next="/" alone />
        </div>
      </AuthCard>
    );
  }
  return (
    <AuthCard
      title="Sign-up is by invitation"
      description="This server has no account yet, and sign-up is by invitation (SIGNUPS=invite). The person who runs it creates the first workspace on the command line:"
    >
      <CodeBlock code={forOperator} />
    </AuthCard>
  );
}
