import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthCard } from "#components/auth/auth-card.tsx";
import { signInMessage } from "#components/auth/auth-client.ts";
import { FormAlert } from "#components/auth/form-alert.tsx";
import { nextPath } from "#components/auth/next-path.ts";
import { ProviderButtons } from "#components/auth/provider-buttons.tsx";
import { SignInForm } from "#components/auth/sign-in-form.tsx";
import { TextLink } from "#components/auth/text-link.tsx";
import { pageSession } from "#lib/auth/member.ts";
import { takesPasskeys } from "#lib/auth/passkeys.ts";
import { providersOffered } from "#lib/auth/providers.ts";
import { areSignUpsOpen, isFirstVisit } from "#lib/auth/sign-ups.ts";
import { addressOfPage } from "#lib/http/page-address.ts";

export const metadata: Metadata = { title: "Sign in" };

type Search = Promise<{ next?: string; error?: string }>;

export default async function SignInPage({ searchParams }: { searchParams: Search }) {
  const { next, error } = await searchParams;
  const target = nextPath(next);
  if (await pageSession()) redirect(target);
  if (await isFirstVisit()) redirect("/sign-up");
  const open = await areSignUpsOpen();
  return (
    <AuthCard
      title="Sign in"
      footer={
        open ? (
          <>
            New here? <TextLink href="/sign-up">Create an account</TextLink>
          </>
        ) : (
          "New here? Ask a member of your workspace for an invitation link."
        )
      }
    >
      {error ? <FormAlert>{signInMessage(error)}</FormAlert> : null}
      <ProviderButtons providers={providersOffered()} next={target} />
      <SignInForm next={target} passkeys={takesPasskeys(await addressOfPage())} />
    </AuthCard>
  );
}
