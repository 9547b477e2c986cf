import type { Metadata } from "next";
import { StageRulesCard } from "#components/settings/stage-rules-card.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { getStageRules } from "#lib/domain/crm/stages/service.ts";

export const metadata: Metadata = { title: "Stages" };

export default async function StagesPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <StageRulesCard
      workspaceId={caller.workspaceId}
      initial={await getStageRules.execute(caller, {})}
      canChange={roleIncludes(caller.role, "admin")}
    />
  );
}
