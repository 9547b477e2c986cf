import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { DemandedFactor } from "#components/auth/demanded-factor.tsx";
import { LeaveWorkspace } from "#components/auth/leave-workspace.tsx";
import { nextPath } from "#components/auth/next-path.ts";
import { ProviderButtons } from "#components/auth/provider-buttons.tsx";
import { PasskeysCard } from "#components/settings/passkeys-card.tsx";
import { SecondFactorCard } from "#components/settings/second-factor-card.tsx";
import { Card, CardBody } from "#components/ui/card.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { requireMembership, visitorOf } from "#lib/auth/member.ts";
import { oidcProviders } from "#lib/auth/oidc.ts";
import { takesPasskeys } from "#lib/auth/passkeys.ts";
import type { Session } from "#lib/auth/sessions.ts";
import { getProfile } from "#lib/domain/workspace/users/service.ts";
import { addressOfPage } from "#lib/http/page-address.ts";

export const metadata: Metadata = { title: "Sign in as this workspace requires" };

/** Where members are led who did not sign in as the workspace demands. */
export default async function SignInDemandPage({ params, searchParams }: PageProps) {
  const { session, workspace, unmet, met } = await requireMembership((await params).workspace);
  const { workspaceId } = workspace;
  const wanted = nextPath((await searchParams).next);
  const next = wanted.startsWith(`/${workspaceId}/`) ? wanted : `/${workspaceId}/home`;
  if (met) redirect(next);
  const leave = <LeaveWorkspace id={workspace.workspaceId} name={workspace.name} />;
  return unmet === "oidc" ? (
    <OidcDemanded name={workspace.name} issuer={workspace.oidcIssuer} next={next} leave={leave} />
  ) : (
    <FactorDemanded name={workspace.name} next={next} session={session} leave={leave} />
  );
}

type PageProps = { params: Promise<{ workspace: string }>; searchParams: Promise<{ next?: string }> };
type DemandProps = { name: string; next: string; leave: ReactNode };

async function FactorDemanded({ name, next, session, leave }: DemandProps & { session: Session }) {
  const { passkeys, second_factor, recovery_codes_left } = await getProfile.execute(visitorOf(session), {});
  const hasOne = second_factor !== null || passkeys.length > 0;
  return (
    <Page width="text">
      <PageHeader
        title="A second factor is needed"
        description={
          hasOne
            ? `${name} opens once you have confirmed with yours.`
            : `${name} opens once you have set one up: a passkey, or an app on your phone that makes codes.`
        }
      />
      {hasOne ? (
        <DemandedFactor next={next} />
      ) : (
        <>
          <PasskeysCard passkeys={passkeys} possible={takesPasskeys(await addressOfPage())} />
          <SecondFactorCard app={second_factor} hasPasskeys={false} recoveryCodesLeft={recovery_codes_left} />
        </>
      )}
      {leave}
    </Page>
  );
}

function OidcDemanded({ name, issuer, next, leave }: DemandProps & { issuer: string | null }) {
  const oidc = oidcProviders().filter((provider) => issuer === null || provider.issuer === issuer);
  const buttons = oidc.map((provider) => ({ id: provider.id, name: provider.name }));
  return (
    <Page width="text">
      <PageHeader
        title="Another sign-in is needed"
        description={
          oidc.length > 0
            ? `Sign in with ${buttons.map((button) => button.name).join(" or ")} to open ${name}. Use the account with the same e-mail address.`
            : `${name} requires a sign-in with an OIDC provider, and this server has none now. Ask the person who runs it.`
        }
      />
      {oidc.length > 0 ? (
        <Card>
          <CardBody className="border-t-0">
            <ProviderButtons providers={buttons} next={next} alone />
          </CardBody>
        </Card>
      ) : null}
      {leave}
    </Page>
  );
}
