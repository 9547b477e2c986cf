import type { Metadata } from "next";
import { headers } from "next/headers";
import { Suspense } from "react";
import { AgentViewButton } from "#components/gtm-context/agent-view-button.tsx";
import { GtmProfile } from "#components/gtm-context/gtm-profile.tsx";
import { ProfileSkeleton } from "#components/gtm-context/profile-skeleton.tsx";
import { Markdown } from "#components/notes/markdown.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { listEntries } from "#lib/domain/records/facts/service.ts";
import { addressOfPage } from "#lib/http/page-address.ts";

export const metadata: Metadata = { title: "GTM Context" };

/**
 * The document is sent as a whole: the first paint has the statements and needs no script. A boundary would show the
 * skeleton until a script runs. A click within the app gets the skeleton while the profile is read; for the same reason
 * there is no loading.tsx here.
 */
export default async function GtmContextPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller, session } = await requireMember((await params).workspace);
  const sent = await headers();
  const isDocument = sent.get("accept")?.includes("text/html") === true;
  const origin = await addressOfPage();
  const profile = <Profile caller={caller} origin={origin} writer={session.name || session.email} />;
  return (
    <Page>
      <PageHeader
        title="GTM Context"
        description="What every agent knows about your company before it writes or calls."
        actions={<AgentViewButton />}
      />
      {isDocument ? profile : <Suspense fallback={<ProfileSkeleton />}>{profile}</Suspense>}
    </Page>
  );
}

type ProfileProps = { caller: PageMember["caller"]; origin: string; writer: string };

async function Profile({ caller, origin, writer }: ProfileProps) {
  const { entries } = await listEntries.execute(caller, { limit: 500 });
  const formatted = entries.map(({ id, content }) => [id, <Markdown key={id} text={content} question="" />] as const);
  return (
    <GtmProfile
      workspaceId={caller.workspaceId}
      initial={entries}
      readAt={Date.now()}
      origin={origin}
      writer={writer}
      formatted={Object.fromEntries(formatted)}
    />
  );
}
