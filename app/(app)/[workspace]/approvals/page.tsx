import type { Metadata } from "next";
import { Suspense } from "react";
import { Approvals } from "#components/approvals/approvals.tsx";
import { ApprovalsSkeleton } from "#components/approvals/approvals-skeleton.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { type PageMember, requireMember } from "#lib/auth/member.ts";
import { listApprovals } from "#lib/domain/access/approvals/service.ts";

export const metadata: Metadata = { title: "Approvals" };

type Props = { params: Promise<{ workspace: string }> };

export default async function ApprovalsPage({ params }: Props) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <Page width="text">
      <PageHeader
        title="Approvals"
        description="What agents ask to change, by record. Nothing changes until a person approves it."
      />
      <Suspense fallback={<ApprovalsSkeleton />}>
        <Content caller={caller} />
      </Suspense>
    </Page>
  );
}

async function Content({ caller }: { caller: PageMember["caller"] }) {
  const initial = await listApprovals.execute(caller, { status: "pending" });
  return <Approvals workspaceId={caller.workspaceId} decides={caller.role !== "viewer"} initial={initial} />;
}
