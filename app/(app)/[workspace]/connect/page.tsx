import type { Metadata } from "next";
import { Suspense } from "react";
import { ConnectAgent } from "#components/connect/connect-agent.tsx";
import { ConnectSkeleton } from "#components/connect/connect-skeleton.tsx";
import { Usage } from "#components/connect/usage.tsx";
import { WelcomeCards } from "#components/connect/welcome-cards.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { getAgentActivity, listApiKeys } from "#lib/domain/access/api-keys/service.ts";
import { listFacts } from "#lib/domain/records/facts/service.ts";
import { getSampleData } from "#lib/domain/workspace/sample-data/service.ts";
import { addressOfPage } from "#lib/http/page-address.ts";

export const metadata: Metadata = { title: "Connect an agent" };

type ConnectPageProps = {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<{ welcome?: string | string[] }>;
};

export default async function ConnectPage({ params, searchParams }: ConnectPageProps) {
  const { caller } = await requireMember((await params).workspace);
  const isFirstRun = (await searchParams).welcome === "1";
  return (
    <Page width="text">
      <PageHeader
        title={isFirstRun ? "Welcome" : "Connect an agent"}
        description="Agents read what you know about people and companies before they act, and record what happened after."
      />
      {isFirstRun ? (
        <Suspense>
          <Welcome caller={caller} />
        </Suspense>
      ) : null}
      <div id="steps">
        <Suspense fallback={<ConnectSkeleton />}>
          <Connect caller={caller} />
        </Suspense>
      </div>
      <Usage workspaceId={caller.workspaceId} />
    </Page>
  );
}

/** For a member who may load the sample data, while it is not loaded. */
async function Welcome({ caller }: { caller: PageMember["caller"] }) {
  const sample = await getSampleData.execute(caller, {});
  return sample.loaded || !sample.may_change ? null : <WelcomeCards sample={sample} />;
}

async function Connect({ caller }: { caller: PageMember["caller"] }) {
  const [{ keys }, activity, { count }, origin] = await Promise.all([
    listApiKeys.execute(caller, {}),
    getAgentActivity.execute(caller, {}),
    listFacts.execute(caller, { categories: ["ICP"], limit: 1 }),
    addressOfPage(),
  ]);
  return (
    <ConnectAgent
      workspaceId={caller.workspaceId}
      canMint={roleIncludes(caller.role, "admin")}
      keyCount={keys.filter(({ status }) => status === "active" || status === "expiring").length}
      activity={activity}
      hasIcp={count > 0}
      origin={origin}
    />
  );
}
