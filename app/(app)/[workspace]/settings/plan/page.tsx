import type { Metadata } from "next";
import { PlanCard } from "#components/settings/plan-card.tsx";
import { requireMember } from "#lib/auth/member.ts";

export const metadata: Metadata = { title: "Plan" };

export default async function PlanPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  return <PlanCard workspaceId={caller.workspaceId} plan={caller.plan} />;
}
