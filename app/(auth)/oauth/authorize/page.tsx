import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { AuthCard } from "#components/auth/auth-card.tsx";
import { TextLink } from "#components/auth/text-link.tsx";
import { Consent } from "#components/connected-clients/consent.tsx";
import { Button } from "#components/ui/button.tsx";
import { requireSession } from "#lib/auth/member.ts";
import { isRefusal } from "#lib/core/errors.ts";
import { openAuthorization } from "#lib/domain/access/oauth/service.ts";
import { addressOfPage } from "#lib/http/page-address.ts";

export const metadata: Metadata = { title: "Connect an app", referrer: "no-referrer" };

type Search = Promise<Record<string, string | string[] | undefined>>;

export default async function AuthorizePage({ searchParams }: { searchParams: Search }) {
  const session = await requireSession();
  const sent = await headers();
  const reader = {
    session,
    ip: sent.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "unknown",
    origin: await addressOfPage(),
  };
  const opened = await openAuthorization(await searchParams, reader).catch((error: unknown) => {
    if (isRefusal(error)) return { refused: error.message };
    throw error;
  });
  if ("to" in opened) {
    // Anyone may register a client: a link to us must not lead to their site by itself (RFC 9700, 4.11.2).
    if (opened.host === "localhost") redirect(opened.to);
    return (
      <AuthCard
        title="This app cannot be connected"
        description={`Its request is not valid. ${new URL(opened.to).searchParams.get("error_description")}`}
        footer={<TextLink href="/">Go to Rapport</TextLink>}
      >
        <Button asChild size="lg">
          <a href={opened.to} rel="noreferrer">
            Back to {opened.host}
          </a>
        </Button>
      </AuthCard>
    );
  }
  if ("refused" in opened) {
    return (
      <AuthCard
        title="This app cannot be connected"
        description={opened.refused}
        footer={<TextLink href="/">Go to Rapport</TextLink>}
      />
    );
  }
  const { asked } = opened;
  if (asked.workspaces.length === 0) {
    return (
      <AuthCard
        title={`Connect ${asked.client.name}`}
        description="You are not in a workspace yet. Create one, then connect the app again."
        footer={<TextLink href="/new">Create a workspace</TextLink>}
      />
    );
  }
  return (
    <AuthCard
      title={`Connect ${asked.client.name} to Rapport`}
      description={`${asked.client.name} asks to act for you in a workspace.`}
      footer={`You are signed in as ${session.email}.`}
    >
      <Consent {...asked} />
    </AuthCard>
  );
}
