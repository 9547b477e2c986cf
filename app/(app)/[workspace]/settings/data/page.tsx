import type { Metadata } from "next";
import { ExportsCard } from "#components/exports/exports-card.tsx";
import { ExportWorkspaceCard } from "#components/settings/export-workspace-card.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { listExports } from "#lib/domain/workspace/exports/service.ts";

export const metadata: Metadata = { title: "Export" };

export default async function DataPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  return (
    <>
      <ExportsCard workspaceId={caller.workspaceId} initial={await listExports.execute(caller, {})} />
      {roleIncludes(caller.role, "admin") ? <ExportWorkspaceCard workspaceId={caller.workspaceId} /> : null}
    </>
  );
}
