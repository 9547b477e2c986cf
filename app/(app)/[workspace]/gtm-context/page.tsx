import type { Metadata } from "next";
import { headers } from "next/headers";
import { Suspense } from "react";
import { AgentViewButton } from "#components/gtm-context/agent-view-button.tsx";
import { GtmProfile } from "#components/gtm-context/gtm-profile.tsx";
import { ProfileSkeleton } from "#components/gtm-context/profile-skeleton.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { listFacts } from "#lib/domain/facts/service.ts";
import { originOf } from "#lib/http/origin.ts";

export const metadata: Metadata = { title: "GTM Context" };

/**
 * The document is sent as a whole: the first paint has the statements and needs no script. A boundary would show the
 * skeleton until a script runs. A click within the app gets the skeleton while the profile is read; for the same reason
 * there is no loading.tsx here.
 */
export default async function GtmContextPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  const sent = await headers();
  const isDocument = sent.get("accept")?.includes("text/html") === true;
  const profile = <Profile caller={caller} origin={originOf({ header: (name) => sent.get(name) ?? undefined })} />;
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

async function Profile({ caller, origin }: { caller: PageMember["caller"]; origin: string }) {
  const { facts } = await listFacts.execute(caller, { limit: 500 });
  return <GtmProfile workspaceId={caller.workspaceId} initial={facts} readAt={Date.now()} origin={origin} />;
}
