import { UpgradePanel } from "#components/plans/upgrade-panel.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { type Plan, type Role, roleIncludes } from "#lib/core/plans.ts";

/** In place of the pages of leads where the plan has none. */
export function LeadsUpgrade({ workspaceId, plan, role }: { workspaceId: string; plan: Plan; role: Role }) {
  return (
    <Page>
      <PageHeader title="Leads" />
      <UpgradePanel
        workspaceId={workspaceId}
        plan={plan}
        feature="lead_lists"
        canCompare={roleIncludes(role, "admin")}
      />
    </Page>
  );
}
