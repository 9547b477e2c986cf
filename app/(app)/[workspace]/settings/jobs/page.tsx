import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { JobsCard } from "#components/settings/jobs-card.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { listJobs } from "#lib/domain/integrations/jobs/service.ts";

export const metadata: Metadata = { title: "Jobs" };

export default async function JobsPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  if (!roleIncludes(caller.role, "admin")) notFound();
  return <JobsCard workspaceId={caller.workspaceId} initial={await listJobs.execute(caller, {})} />;
}
