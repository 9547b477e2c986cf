import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { TriggerPage } from "#components/triggers/trigger-page.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { isFault } from "#lib/core/errors.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { getTrigger, listTriggerDeliveries } from "#lib/domain/integrations/triggers/service.ts";

export const metadata: Metadata = { title: "Trigger" };

type Props = { params: Promise<{ workspace: string; id: string }> };

export default async function OneTrigger({ params }: Props) {
  const { workspace, id } = await params;
  const { caller } = await requireMember(workspace);
  const [{ trigger }, deliveries] = await Promise.all([
    getTrigger.execute(caller, { id }),
    listTriggerDeliveries.execute(caller, { id }),
  ]).catch((error: unknown) => {
    if (isFault(error) && error.code === "trigger_not_found") notFound();
    throw error;
  });
  const title = trigger.name ?? URL.parse(trigger.url)?.host ?? "Trigger";
  return (
    <Page>
      <PageHeader
        breadcrumbs={[{ label: "Triggers", href: `/${caller.workspaceId}/triggers` }, { label: title }]}
        title={title}
      />
      <TriggerPage
        workspaceId={caller.workspaceId}
        canManage={roleIncludes(caller.role, "admin")}
        initial={trigger}
        deliveries={deliveries}
        readAt={Date.now()}
      />
    </Page>
  );
}
