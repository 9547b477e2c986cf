import type { Metadata } from "next";
import { headers } from "next/headers";
import { LeadLists } from "#components/leads/lead-lists.tsx";
import { NewListButton } from "#components/leads/new-list-button.tsx";
import { UpgradePanel } from "#components/plans/upgrade-panel.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { planHas, roleIncludes } from "#lib/core/plans.ts";
import { listLeadLists } from "#lib/domain/crm/leads/service.ts";
import { originOf } from "#lib/http/origin.ts";

export const metadata: Metadata = { title: "Leads" };

export default async function LeadsPage({ params }: { params: Promise<{ workspace: string }> }) {
  const [{ workspace }, sent] = await Promise.all([params, headers()]);
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
  const readAt = Date.now();
  const page = await listLeadLists.execute(caller, { limit: 100 });
  const origin = originOf({ header: (name) => sent.get(name) ?? undefined });
  return (
    <Page>
      <PageHeader title="Leads" actions={<NewListButton workspaceId={workspaceId} />} />
      <LeadLists workspaceId={workspaceId} origin={origin} first={{ page, readAt }} />
    </Page>
  );
}
