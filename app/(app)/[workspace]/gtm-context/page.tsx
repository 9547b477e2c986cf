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

export default async function GtmContextPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <Page>
      <PageHeader
        title="GTM Context"
        description="What every agent knows about your company before it writes or calls. Short and current beats long."
        actions={<AgentViewButton />}
      />
      <Suspense fallback={<ProfileSkeleton />}>
        <Profile caller={caller} />
      </Suspense>
    </Page>
  );
}

async function Profile({ caller }: { caller: PageMember["caller"] }) {
  const [{ facts }, sent] = await Promise.all([listFacts.execute(caller, { limit: 500 }), headers()]);
  const origin = originOf({ header: (name) => sent.get(name) ?? undefined });
  return <GtmProfile workspaceId={caller.workspaceId} initial={facts} readAt={Date.now()} origin={origin} />;
}
