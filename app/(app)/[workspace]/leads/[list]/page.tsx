import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { AddingLead } from "#components/leads/adding-lead.tsx";
import { leadsAddress } from "#components/leads/address.ts";
import { rowOf } from "#components/leads/calls.ts";
import { LeadTable } from "#components/leads/lead-table.tsx";
import { ListTitle } from "#components/leads/list-title.tsx";
import { UpgradePanel } from "#components/plans/upgrade-panel.tsx";
import { queryOf } from "#components/records/place.ts";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { readState, type SearchParams } from "#components/ui/query-state.ts";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { isFault } from "#lib/core/errors.ts";
import { planHas, roleIncludes } from "#lib/core/plans.ts";
import { getLeadList, listLeads } from "#lib/domain/crm/leads/service.ts";
import { originOf } from "#lib/http/origin.ts";

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
  const [{ workspace, list: id }, place, sent] = await Promise.all([params, readPlace(searchParams), headers()]);
  const { caller } = await requireMember(workspace);
  const { workspaceId, plan } = caller;
  if (!planHas(plan, "lead_lists"))
    return (
      <Page>
        <PageHeader title="Leads" />
        <UpgradePanel
          workspaceId={workspaceId}
          plan={plan}
          feature="lead_lists"
          canCompare={roleIncludes(caller.role, "admin")}
        />
      </Page>
    );
  const list = await readList(caller, id);
  if (!list) notFound();
  const first = await firstPage(caller, { ...queryOf(place), list_id: list.id });
  const origin = originOf({ header: (name) => sent.get(name) ?? undefined });
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
  try {
    return (await getLeadList.execute(caller, { id })).lead_list;
  } catch (error) {
    if (isFault(error) && error.status < 500) return null;
    throw error;
  }
});

/** Null when the list refuses the filters in the address: the browser then asks itself and shows why. */
async function firstPage(caller: PageMember["caller"], query: ReturnType<typeof queryOf>) {
  try {
    const { leads, has_more, next_cursor } = await listLeads.execute(caller, query);
    return { query, page: { rows: leads.map(rowOf), has_more, next_cursor }, readAt: Date.now() };
  } catch (error) {
    if (isFault(error) && error.status < 500) return null;
    throw error;
  }
}
