import type { ReactNode } from "react";
import { AppFrame } from "#components/frame/app-frame.tsx";
import { leadToDemand, requireMember, requireMembership } from "#lib/auth/member.ts";
import { scopeIncludes } from "#lib/core/plans.ts";
import { countWaiting } from "#lib/domain/access/approvals/service.ts";
import { listViews } from "#lib/domain/crm/saved-views/service.ts";
import { livePlaces, readMissed } from "#lib/domain/knowledge/feed/service.ts";

type Props = { params: Promise<{ workspace: string }>; children: ReactNode };

export default async function WorkspaceLayout({ params, children }: Props) {
  const { met, ...reader } = await requireMembership((await params).workspace);
  const shown = ({ workspaceId: id, name }: typeof reader.workspace) => ({ id, name });
  const frame = { workspace: shown(reader.workspace), workspaces: reader.workspaces.map(shown) };
  const { name, email } = reader.session;
  if (!met) {
    await leadToDemand(reader.workspace);
    return (
      <AppFrame {...frame} user={{ name, email, readsOnly: false }} pending={0} pinned={[]} since={null}>
        {children}
      </AppFrame>
    );
  }
  const { workspace, caller } = await requireMember(reader.workspace.workspaceId);
  // The client subscribes from this seq, so it also gets what happens while the page loads.
  const [{ place }, pending, { views }] = await Promise.all([
    readMissed(workspace.workspaceId, null),
    countWaiting(workspace.workspaceId),
    listViews.execute(caller, { pinned: true }),
  ]);
  return (
    <AppFrame
      {...frame}
      user={{ name, email, readsOnly: !scopeIncludes(caller.scopes, "write") }}
      pending={pending}
      pinned={views.map(({ id, list, name: title, place: shows }) => ({ id, list, name: title, place: shows }))}
      since={livePlaces.encode(workspace, place)}
    >
      {children}
    </AppFrame>
  );
}
