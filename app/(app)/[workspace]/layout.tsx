import type { ReactNode } from "react";
import { AppFrame } from "#components/frame/app-frame.tsx";
import { requireMember } from "#lib/auth/member.ts";
import { livePlaces, readMissed } from "#lib/domain/feed/service.ts";

type Props = { params: Promise<{ workspace: string }>; children: ReactNode };

export default async function WorkspaceLayout({ params, children }: Props) {
  const { session, workspace, workspaces } = await requireMember((await params).workspace);
  // The client subscribes from this seq, so it also gets what happens while the page loads.
  const { place } = await readMissed(workspace.workspaceId, null);
  const shown = ({ workspaceId: id, name }: typeof workspace) => ({ id, name });
  return (
    <AppFrame
      workspace={shown(workspace)}
      workspaces={workspaces.map(shown)}
      user={{ name: session.name, email: session.email }}
      since={livePlaces.encode(workspace, place)}
    >
      {children}
    </AppFrame>
  );
}
