import type { Metadata } from "next";
import { ScoringModel } from "#components/scoring/scoring-model.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { getScoringModel } from "#lib/domain/knowledge/scoring/service.ts";

export const metadata: Metadata = { title: "ICP scoring" };

export default async function ScoringPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  return <ScoringModel workspaceId={caller.workspaceId} initial={await getScoringModel.execute(caller, {})} />;
}
