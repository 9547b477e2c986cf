import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PlanCard } from "#components/settings/plan-card.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";

export const metadata: Metadata = { title: "Plan" };

export default async function PlanPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  if (!roleIncludes(caller.role, "admin")) notFound();
  return <PlanCard workspaceId={caller.workspaceId} plan={caller.plan} />;
}
