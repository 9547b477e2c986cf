import type { Metadata } from "next";
import { Suspense } from "react";
import { examplesFor } from "#components/account/examples.ts";
import { TimelineSkeleton } from "#components/account/timeline-skeleton.tsx";
import { type FeedPlace, feedAddress } from "#components/activity/address.ts";
import { Feed } from "#components/activity/feed.tsx";
import { FEED_PAGE, filtersOf, isReadByServer } from "#components/activity/filters.ts";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { readState, type SearchParams } from "#components/ui/query-state.ts";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { isFault } from "#lib/core/errors.ts";
import { browseActivities } from "#lib/domain/knowledge/feed/service.ts";
import { addressOfPage } from "#lib/http/page-address.ts";

export const metadata: Metadata = { title: "Activity" };

type Props = { params: Promise<{ workspace: string }>; searchParams: Promise<SearchParams> };

const readPlace = async (search: Promise<SearchParams>) => readState(feedAddress, await search);

export default async function ActivityPage({ params, searchParams }: Props) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <Page>
      <PageHeader title="Activity" description="What is coming up and what happened with everyone." />
      <Suspense fallback={<TimelineSkeleton />}>
        <Content caller={caller} searchParams={searchParams} />
      </Suspense>
    </Page>
  );
}

async function Content({ caller, searchParams }: { caller: PageMember["caller"] } & Pick<Props, "searchParams">) {
  const [place, origin] = await Promise.all([readPlace(searchParams), addressOfPage()]);
  const page = isReadByServer(place) ? await findPage(caller, place) : null;
  return (
    <Feed
      workspaceId={caller.workspaceId}
      first={page && { place, page, readAt: Date.now() }}
      example={examplesFor(origin, "anna@acme.com").activity}
    />
  );
}

/** Null when the record in the address does not exist; the browser then shows why. */
async function findPage(caller: PageMember["caller"], place: FeedPlace) {
  try {
    return await browseActivities.execute(caller, { limit: FEED_PAGE, ...filtersOf(place) });
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}
