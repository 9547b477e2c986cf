import type { Metadata } from "next";
import { Suspense } from "react";
import { ImportButton } from "#components/imports/import-button.tsx";
import { AddPersonButton } from "#components/people/add-person-button.tsx";
import { peopleAddress } from "#components/people/address.ts";
import { PeopleList } from "#components/people/people-list.tsx";
import { ListSkeleton } from "#components/records/list-skeleton.tsx";
import { queryOf } from "#components/records/place.ts";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { readState, type SearchParams } from "#components/ui/query-state.ts";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { unlessRefused } from "#lib/core/errors.ts";
import { listPeople } from "#lib/domain/crm/people/service.ts";
import { listViews } from "#lib/domain/crm/saved-views/service.ts";
import { addressOfPage } from "#lib/http/page-address.ts";

export const metadata: Metadata = { title: "People" };

type PeoplePageProps = { params: Promise<{ workspace: string }>; searchParams: Promise<SearchParams> };

const readPlace = async (search: Promise<SearchParams>) => readState(peopleAddress, await search);

export default async function PeoplePage({ params, searchParams }: PeoplePageProps) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <Page width="full">
      <PageHeader
        title="People"
        actions={
          <>
            <ImportButton workspaceId={caller.workspaceId} kind="people" />
            <AddPersonButton />
          </>
        }
      />
      <Suspense fallback={<ListSkeleton label="Loading people" />}>
        <People caller={caller} searchParams={searchParams} />
      </Suspense>
    </Page>
  );
}

type PeopleProps = { caller: PageMember["caller"]; searchParams: Promise<SearchParams> };

async function People({ caller, searchParams }: PeopleProps) {
  const [place, origin] = await Promise.all([readPlace(searchParams), addressOfPage()]);
  const [first, { views }] = await Promise.all([
    place.layout === "board" ? null : firstPage(caller, queryOf(place)),
    listViews.execute(caller, { list: "people" }),
  ]);
  const { workspaceId, plan } = caller;
  return <PeopleList workspaceId={workspaceId} origin={origin} first={first} views={views} plan={plan} />;
}

/** Null when the list refuses the filters in the address: the browser then asks itself and shows why. */
async function firstPage(caller: PageMember["caller"], query: ReturnType<typeof queryOf>) {
  const list = await unlessRefused(listPeople.execute(caller, query));
  if (!list) return null;
  const { people: rows, has_more, next_cursor } = list;
  return { query, page: { rows, has_more, next_cursor }, readAt: Date.now() };
}
