import type { ReactNode } from "react";
import { AppFrame } from "#components/frame/app-frame.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { scopeIncludes } from "#lib/core/plans.ts";
import { countWaiting } from "#lib/domain/access/approvals/service.ts";
import { listViews } from "#lib/domain/crm/saved-views/service.ts";
import { livePlaces, readMissed } from "#lib/domain/knowledge/feed/service.ts";

type Props = { params: Promise<{ workspace: string }>; children: ReactNode };

export default async function WorkspaceLayout({ params, children }: Props) {
  const { session, workspace, workspaces, caller } = await requireMember((await params).workspace);
  // The client subscribes from this seq, so it also gets what happens while the page loads.
  const [{ place }, pending, { views }] = await Promise.all([
    readMissed(workspace.workspaceId, null),
    countWaiting(workspace.workspaceId),
    listViews.execute(caller, { pinned: true }),
  ]);
  const shown = ({ workspaceId: id, name }: typeof workspace) => ({ id, name });
  return (
    <AppFrame
      workspace={shown(workspace)}
      workspaces={workspaces.map(shown)}
      user={{ name: session.name, email: session.email, readsOnly: !scopeIncludes(caller.scopes, "write") }}
      pending={pending}
      pinned={views.map(({ id, list, name, place: shows }) => ({ id, list, name, place: shows }))}
      since={livePlaces.encode(workspace, place)}
    >
      {children}
    </AppFrame>
  );
}
