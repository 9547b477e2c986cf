import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SampleDataCard } from "#components/sample-data/sample-data-card.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { getSampleData } from "#lib/domain/workspace/sample-data/service.ts";

export const metadata: Metadata = { title: "Sample data" };

export default async function SampleDataPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  if (!roleIncludes(caller.role, "admin")) notFound();
  const { loaded } = await getSampleData.execute(caller, {});
  return <SampleDataCard workspaceId={caller.workspaceId} loaded={loaded} />;
}
