import type { Metadata } from "next";
import { ClientsCard } from "#components/connected-clients/clients-card.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { roleIncludes } from "#lib/core/plans.ts";
import { listConnectedClients } from "#lib/domain/access/oauth/service.ts";

export const metadata: Metadata = { title: "Connected clients" };

export default async function ConnectedClientsPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller } = await requireMember((await params).workspace);
  const initial = await listConnectedClients.execute(caller, {});
  return (
    <ClientsCard workspaceId={caller.workspaceId} isAdmin={roleIncludes(caller.role, "admin")} initial={initial} />
  );
}
