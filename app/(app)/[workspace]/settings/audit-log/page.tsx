import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AuditLog } from "#components/settings/audit-log.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { listAudit } from "#lib/domain/records/audit/service.ts";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditLogPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  if (!roleIncludes(caller.role, "admin")) notFound();
  return <AuditLog workspaceId={caller.workspaceId} initial={await listAudit.execute(caller, {})} />;
}
