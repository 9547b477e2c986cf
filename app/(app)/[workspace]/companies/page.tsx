import type { Metadata } from "next";
import { Suspense } from "react";
import { AddCompanyButton } from "#components/companies/add-company-button.tsx";
import { companiesAddress } from "#components/companies/address.ts";
import { CompaniesList } from "#components/companies/companies-list.tsx";
import { ImportButton } from "#components/imports/import-button.tsx";
import { ListSkeleton } from "#components/records/list-skeleton.tsx";
import { queryOf } from "#components/records/place.ts";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { readState, type SearchParams } from "#components/ui/query-state.ts";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { unlessRefused } from "#lib/core/errors.ts";
import { listCompanies } from "#lib/domain/crm/people/service.ts";
import { listViews } from "#lib/domain/crm/saved-views/service.ts";
import { addressOfPage } from "#lib/http/page-address.ts";

export const metadata: Metadata = { title: "Companies" };

type CompaniesPageProps = { params: Promise<{ workspace: string }>; searchParams: Promise<SearchParams> };

const readPlace = async (search: Promise<SearchParams>) => readState(companiesAddress, await search);

export default async function CompaniesPage({ params, searchParams }: CompaniesPageProps) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <Page width="full">
      <PageHeader
        title="Companies"
        actions={
          <>
            <ImportButton workspaceId={caller.workspaceId} kind="companies" />
            <AddCompanyButton />
          </>
        }
      />
      <Suspense fallback={<ListSkeleton label="Loading companies" />}>
        <Companies caller={caller} searchParams={searchParams} />
      </Suspense>
    </Page>
  );
}

type CompaniesProps = { caller: PageMember["caller"]; searchParams: Promise<SearchParams> };

async function Companies({ caller, searchParams }: CompaniesProps) {
  const [place, origin] = await Promise.all([readPlace(searchParams), addressOfPage()]);
  const [first, { views }] = await Promise.all([
    firstPage(caller, queryOf(place)),
    listViews.execute(caller, { list: "companies" }),
  ]);
  return <CompaniesList workspaceId={caller.workspaceId} origin={origin} first={first} views={views} />;
}

/** Null when the list refuses the filters in the address: the browser then asks itself and shows why. */
async function firstPage(caller: PageMember["caller"], query: ReturnType<typeof queryOf>) {
  const list = await unlessRefused(listCompanies.execute(caller, query));
  if (!list) return null;
  const { companies: rows, has_more, next_cursor } = list;
  return { query, page: { rows, has_more, next_cursor }, readAt: Date.now() };
}
