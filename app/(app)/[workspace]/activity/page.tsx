import type { Metadata } from "next";
import { headers } from "next/headers";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { createLoader, type SearchParams } from "nuqs/server";
import { Suspense } from "react";
import { examplesFor } from "#components/account/examples.ts";
import { TimelineSkeleton } from "#components/account/timeline-skeleton.tsx";
import { feedAddress } from "#components/activity/address.ts";
import { Feed } from "#components/activity/feed.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { listActivities } from "#lib/domain/feed/service.ts";
import { originOf } from "#lib/http/origin.ts";

export const metadata: Metadata = { title: "Activity" };

type Props = { params: Promise<{ workspace: string }>; searchParams: Promise<SearchParams> };

const readPlace = createLoader(feedAddress);

export default async function ActivityPage({ params, searchParams }: Props) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <NuqsAdapter>
      <Page>
        <PageHeader title="Activity" description="What is reported of everybody, the newest report first." />
        <Suspense fallback={<TimelineSkeleton />}>
          <Content caller={caller} searchParams={searchParams} />
        </Suspense>
      </Page>
    </NuqsAdapter>
  );
}

async function Content({ caller, searchParams }: { caller: PageMember["caller"] } & Pick<Props, "searchParams">) {
  const [{ type }, sent] = await Promise.all([readPlace(searchParams), headers()]);
  const origin = originOf({ header: (name) => sent.get(name) ?? undefined });
  const page = await listActivities.execute(caller, { limit: 50, ...(type ? { type } : {}) });
  return (
    <Feed
      workspaceId={caller.workspaceId}
      first={{ type, page, readAt: Date.now() }}
      example={examplesFor(origin, "anna@acme.com").activity}
    />
  );
}
