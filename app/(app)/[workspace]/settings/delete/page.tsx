import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DeleteWorkspaceCard } from "#components/settings/delete-workspace-card.tsx";
import { requireMember } from "#lib/auth/member.ts";

export const metadata: Metadata = { title: "Delete" };

export default async function DeletePage({ params }: { params: Promise<{ workspace: string }> }) {
  const { caller, workspace } = await requireMember((await params).workspace);
  if (caller.role !== "owner") notFound();
  return <DeleteWorkspaceCard workspaceId={caller.workspaceId} name={workspace.name} />;
}
