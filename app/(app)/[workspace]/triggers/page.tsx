import type { Metadata } from "next";
import { Suspense } from "react";
import { curlOf } from "#components/curl.ts";
import { createTrigger } from "#components/operations/triggers.ts";
import { NewTriggerButton, Triggers } from "#components/triggers/triggers.tsx";
import { TriggersSkeleton } from "#components/triggers/triggers-skeleton.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { listTriggers } from "#lib/domain/integrations/triggers/service.ts";
import { addressOfPage } from "#lib/http/page-address.ts";

export const metadata: Metadata = { title: "Triggers" };

type Props = { params: Promise<{ workspace: string }> };

export default async function TriggersPage({ params }: Props) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <Page>
      <PageHeader
        title="Triggers"
        description="Signed webhooks that tell your other systems what happens here, as it happens."
        actions={roleIncludes(caller.role, "admin") ? <NewTriggerButton /> : null}
      />
      <Suspense fallback={<TriggersSkeleton />}>
        <Content caller={caller} />
      </Suspense>
    </Page>
  );
}

async function Content({ caller }: { caller: PageMember["caller"] }) {
  const [initial, origin] = await Promise.all([listTriggers.execute(caller, {}), addressOfPage()]);
  return (
    <Triggers
      workspaceId={caller.workspaceId}
      canManage={roleIncludes(caller.role, "admin")}
      initial={initial}
      readAt={Date.now()}
      example={curlOf(origin, createTrigger, {
        body: { url: "https://hooks.example.com/rapport", events: ["stage.advanced", "activity.email_received"] },
      })}
    />
  );
}
