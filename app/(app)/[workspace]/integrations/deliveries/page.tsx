import type { Metadata } from "next";
import { Suspense } from "react";
import { DeliveriesPage } from "#components/integrations/deliveries-page.tsx";
import { DeliveriesSkeleton } from "#components/integrations/deliveries-skeleton.tsx";
import { Card } from "#components/ui/card.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { InboundProvider, Status } from "#lib/domain/integrations/inbound/contract.ts";
import { listInboundDeliveries } from "#lib/domain/integrations/inbound/service.ts";

export const metadata: Metadata = { title: "Deliveries" };

type Props = {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function Deliveries({ params, searchParams }: Props) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <Page>
      <PageHeader
        breadcrumbs={[{ label: "Integrations", href: `/${caller.workspaceId}/integrations` }, { label: "Deliveries" }]}
        title="Deliveries"
        description="What providers sent to this workspace's webhooks, with the result of each."
      />
      <Suspense fallback={<Skeleton />}>
        <Content caller={caller} searchParams={searchParams} />
      </Suspense>
    </Page>
  );
}

const Skeleton = () => (
  <Card>
    <DeliveriesSkeleton />
  </Card>
);

async function Content({ caller, searchParams }: { caller: PageMember["caller"] } & Pick<Props, "searchParams">) {
  const { provider, status, without_contact } = await searchParams;
  const filter = {
    ...(InboundProvider.safeParse(provider).success ? { provider: provider as InboundProvider } : {}),
    ...(Status.safeParse(status).success ? { status: status as Status } : {}),
    ...(without_contact === "true" ? { without_contact: true as const } : {}),
  };
  const page = await listInboundDeliveries.execute(caller, { ...filter, limit: 50 });
  return (
    <DeliveriesPage
      workspaceId={caller.workspaceId}
      canReplay={roleIncludes(caller.role, "admin")}
      first={{ filter, page }}
    />
  );
}
