import type { Metadata } from "next";
import Link from "next/link";
import { type ReactNode, Suspense } from "react";
import { Calendars } from "#components/calendars/calendars.tsx";
import { BookingCard } from "#components/integrations/booking-card.tsx";
import { CrmCard } from "#components/integrations/crm-card.tsx";
import { IntegrationsSkeleton } from "#components/integrations/integrations-skeleton.tsx";
import { RecorderCard } from "#components/integrations/recorder-card.tsx";
import { Mailboxes } from "#components/mail/mailboxes.tsx";
import { SignInNotice } from "#components/mail/sign-in-notice.tsx";
import { Button } from "#components/ui/button.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { planHas, roleIncludes } from "#lib/core/plans.ts";
import { listBackfills } from "#lib/domain/integrations/bookings/service.ts";
import { listCalendars } from "#lib/domain/integrations/calendars/service.ts";
import { type IntegrationDetail, providers } from "#lib/domain/integrations/connections/contract.ts";
import { getIntegration } from "#lib/domain/integrations/connections/service.ts";
import { getCrmSync } from "#lib/domain/integrations/crm-sync/service.ts";
import { listMailboxes } from "#lib/domain/integrations/mailboxes/service.ts";

export const metadata: Metadata = { title: "Integrations" };

type IntegrationsPageProps = {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function IntegrationsPage({ params, searchParams }: IntegrationsPageProps) {
  const { caller } = await requireMember((await params).workspace);
  const { mail } = await searchParams;
  return (
    <Page width="text">
      <PageHeader
        title="Integrations"
        description="Connect your mail, calendar, call recorder and CRM. What happens there appears on timelines."
        actions={
          <Button asChild>
            <Link href={`/${caller.workspaceId}/integrations/deliveries`} prefetch={false}>
              All deliveries
            </Link>
          </Button>
        }
      />
      <SignInNotice outcome={typeof mail === "string" ? mail : undefined} />
      <Suspense fallback={<IntegrationsSkeleton />}>
        <Cards caller={caller} />
      </Suspense>
    </Page>
  );
}

async function Cards({ caller }: { caller: PageMember["caller"] }) {
  const { workspaceId } = caller;
  const hasCrmSync = planHas(caller.plan, "crm_sync");
  const [integrations, backfills, syncs, mailboxes, calendars] = await Promise.all([
    Promise.all(providers.map((provider) => getIntegration.execute(caller, { provider }))),
    listBackfills.execute(caller, { limit: 1 }),
    hasCrmSync ? getCrmSync.execute(caller, {}) : null,
    listMailboxes.execute(caller, {}),
    listCalendars.execute(caller, {}),
  ]);
  const canManage = roleIncludes(caller.role, "admin");
  const cards = (category: IntegrationDetail["category"], card: (initial: IntegrationDetail) => ReactNode) =>
    integrations.filter((one) => one.category === category).map(card);
  return (
    <div className="flex flex-col gap-6">
      <Category title="Mail">
        <Mailboxes workspaceId={workspaceId} initial={mailboxes} />
      </Category>
      <Category title="Calendar">
        <Calendars workspaceId={workspaceId} initial={calendars} />
      </Category>
      <Category title="Booking">
        {cards("booking", (initial) => (
          <BookingCard key={initial.provider} {...{ workspaceId, canManage, initial, backfills }} />
        ))}
      </Category>
      <Category title="Meeting recording">
        {cards("recording", (initial) => (
          <RecorderCard key={initial.provider} {...{ workspaceId, canManage, initial }} />
        ))}
      </Category>
      <Category title="CRM">
        {cards("crm", (initial) => (
          <CrmCard key={initial.provider} {...{ workspaceId, canManage, initial, syncs }} />
        ))}
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
