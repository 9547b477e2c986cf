import type { Metadata } from "next";
import Link from "next/link";
import { type ReactNode, Suspense } from "react";
import { BookingCard } from "#components/integrations/booking-card.tsx";
import { IntegrationsSkeleton } from "#components/integrations/integrations-skeleton.tsx";
import { RecorderCard } from "#components/integrations/recorder-card.tsx";
import { Button } from "#components/ui/button.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { listBackfills } from "#lib/domain/bookings/service.ts";
import { getIntegration } from "#lib/domain/connections/service.ts";

export const metadata: Metadata = { title: "Integrations" };

export default async function IntegrationsPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <Page width="text">
      <PageHeader
        title="Integrations"
        description="Systems that report what happens, so that timelines fill by themselves."
        actions={
          <Button asChild>
            <Link href={`/${caller.workspaceId}/integrations/deliveries`} prefetch={false}>
              All deliveries
            </Link>
          </Button>
        }
      />
      <Suspense fallback={<IntegrationsSkeleton />}>
        <Cards caller={caller} />
      </Suspense>
    </Page>
  );
}

async function Cards({ caller }: { caller: PageMember["caller"] }) {
  const [booking, recorder, backfills] = await Promise.all([
    getIntegration.execute(caller, { provider: "cal_com" }),
    getIntegration.execute(caller, { provider: "fathom" }),
    listBackfills.execute(caller, { limit: 1 }),
  ]);
  const { workspaceId } = caller;
  const canManage = roleIncludes(caller.role, "admin");
  return (
    <div className="flex flex-col gap-6">
      <Category title="Booking">
        <BookingCard workspaceId={workspaceId} canManage={canManage} initial={booking} backfills={backfills} />
      </Category>
      <Category title="Meeting recording">
        <RecorderCard workspaceId={workspaceId} canManage={canManage} initial={recorder} />
      </Category>
    </div>
  );
}

const Category = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-2">
    <p className="font-medium text-muted-foreground text-sm">{title}</p>
    {children}
  </section>
);
