import type { Metadata } from "next";
import { ChecksCards } from "#components/settings/checks-card.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { getChecks } from "#lib/domain/workspace/checks/service.ts";

export const metadata: Metadata = { title: "Checks" };

export default async function ChecksPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <ChecksCards workspaceId={caller.workspaceId} role={caller.role} initial={await getChecks.execute(caller, {})} />
  );
}
