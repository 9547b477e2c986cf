import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { BackupsCard } from "#components/settings/backups-card.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { getBackups } from "#lib/domain/workspace/backup-status/service.ts";

export const metadata: Metadata = { title: "Backups" };

export default async function BackupsPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  if (!roleIncludes(caller.role, "admin")) notFound();
  return <BackupsCard workspaceId={caller.workspaceId} initial={await getBackups.execute(caller, {})} />;
}
