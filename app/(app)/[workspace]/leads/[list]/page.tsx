import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { AddingLead } from "#components/leads/adding-lead.tsx";
import { leadsAddress } from "#components/leads/address.ts";
import { rowOf } from "#components/leads/calls.ts";
import { LeadTable } from "#components/leads/lead-table.tsx";
import { LeadsUpgrade } from "#components/leads/leads-upgrade.tsx";
import { ListTitle } from "#components/leads/list-title.tsx";
import { queryOf } from "#components/records/place.ts";
import { Page } from "#components/ui/page-header.tsx";
import { readState, type SearchParams } from "#components/ui/query-state.ts";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { unlessRefused } from "#lib/core/errors.ts";
import { planHas } from "#lib/core/plans.ts";
import { getLeadList, listLeads } from "#lib/domain/crm/leads/service.ts";
import { addressOfPage } from "#lib/http/page-address.ts";

type ListPageProps = {
  params: Promise<{ workspace: string; list: string }>;
  searchParams: Promise<SearchParams>;
};

const readPlace = async (search: Promise<SearchParams>) => readState(leadsAddress, await search);

export async function generateMetadata({ params }: ListPageProps): Promise<Metadata> {
  const { workspace, list } = await params;
  const { caller } = await requireMember(workspace);
  if (!planHas(caller.plan, "lead_lists")) return { title: "Leads" };
  return { title: (await readList(caller, list))?.name ?? "Not found" };
}

export default async function LeadListPage({ params, searchParams }: ListPageProps) {
  const [{ workspace, list: id }, place, origin] = await Promise.all([
    params,
    readPlace(searchParams),
    addressOfPage(),
  ]);
  const { caller } = await requireMember(workspace);
  const { workspaceId, plan } = caller;
  if (!planHas(plan, "lead_lists")) return <LeadsUpgrade workspaceId={workspaceId} plan={plan} role={caller.role} />;
  const list = await readList(caller, id);
  if (!list) notFound();
  const first = await firstPage(caller, { ...queryOf(place), list_id: list.id });
  return (
    <Page width="full">
      <ListTitle workspaceId={workspaceId} list={list} />
      <LeadTable workspaceId={workspaceId} origin={origin} list={list} first={first} />
      <AddingLead workspaceId={workspaceId} listId={list.id} />
    </Page>
  );
}

/** The list, or null when there is none; read once for the title and the page. */
const readList = cache(async (caller: PageMember["caller"], id: string) => {
  const found = await unlessRefused(getLeadList.execute(caller, { id }));
  return found?.lead_list ?? null;
});

/** Null when the list refuses the filters in the address: the browser then asks itself and shows why. */
async function firstPage(caller: PageMember["caller"], query: ReturnType<typeof queryOf>) {
  const list = await unlessRefused(listLeads.execute(caller, query));
  if (!list) return null;
  const { leads, has_more, next_cursor } = list;
  return { query, page: { rows: leads.map(rowOf), has_more, next_cursor }, readAt: Date.now() };
}
