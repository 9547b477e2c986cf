import type { Metadata } from "next";
import { LeadLists } from "#components/leads/lead-lists.tsx";
import { LeadsUpgrade } from "#components/leads/leads-upgrade.tsx";
import { NewListButton } from "#components/leads/new-list-button.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { planHas } from "#lib/core/plans.ts";
import { listLeadLists } from "#lib/domain/crm/leads/service.ts";
import { addressOfPage } from "#lib/http/page-address.ts";

export const metadata: Metadata = { title: "Leads" };

export default async function LeadsPage({ params }: { params: Promise<{ workspace: string }> }) {
  const [{ workspace }, origin] = await Promise.all([params, addressOfPage()]);
  const { caller } = await requireMember(workspace);
  const { workspaceId, plan } = caller;
  if (!planHas(plan, "lead_lists")) return <LeadsUpgrade workspaceId={workspaceId} plan={plan} role={caller.role} />;
  const readAt = Date.now();
  const page = await listLeadLists.execute(caller, { limit: 100 });
  return (
    <Page>
      <PageHeader title="Leads" actions={<NewListButton workspaceId={workspaceId} />} />
      <LeadLists workspaceId={workspaceId} origin={origin} first={{ page, readAt }} />
    </Page>
  );
}
