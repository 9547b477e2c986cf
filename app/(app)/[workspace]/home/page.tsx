import type { Metadata } from "next";
import { Suspense } from "react";
import { examplesFor } from "#components/account/examples.ts";
import { attentionKinds } from "#components/home/calls.ts";
import { Home } from "#components/home/home.tsx";
import { HomeSkeleton } from "#components/home/home-skeleton.tsx";
import { MINE, tasksPage } from "#components/tasks/calls.ts";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { listTasks } from "#lib/domain/crm/tasks/service.ts";
import { listAttention } from "#lib/domain/knowledge/attention/service.ts";
import { getOverview, getWeek } from "#lib/domain/knowledge/overview/service.ts";
import { queryObservations } from "#lib/domain/knowledge/query/service.ts";
import { getWorkspaceStatus } from "#lib/domain/workspace/workspace-status/service.ts";
import { addressOfPage } from "#lib/http/page-address.ts";

export const metadata: Metadata = { title: "Home" };

export default async function HomePage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <Page>
      <PageHeader title="Home" />
      <Suspense fallback={<HomeSkeleton />}>
        <Content caller={caller} />
      </Suspense>
    </Page>
  );
}

async function Content({ caller }: { caller: PageMember["caller"] }) {
  const [tasks, attention, overview, week, learned, status, origin] = await Promise.all([
    listTasks.execute(caller, tasksPage(MINE)),
    listAttention.execute(caller, { limit: 24, kinds: [...attentionKinds] }),
    getOverview.execute(caller, {}),
    getWeek.execute(caller, {}),
    queryObservations.execute(caller, { scope: { kind: "state", limit: 60 } }),
    getWorkspaceStatus.execute(caller, {}),
    addressOfPage(),
  ]);
  return (
    <Home
      workspaceId={caller.workspaceId}
      readAt={Date.now()}
      tasks={tasks}
      attention={attention}
      overview={overview}
      week={week}
      learned={learned}
      status={status}
      example={examplesFor(origin, "anna@acme.com").fact}
    />
  );
}
