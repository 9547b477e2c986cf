"use client";

import { useState } from "react";
import { leaveFor } from "#components/auth/leave.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type Role, roleIncludes } from "#lib/core/plans.ts";
import type { Member } from "#lib/domain/access/members/contract.ts";
import { InviteButton } from "./invite-button.tsx";
import { MemberRow } from "./member-row.tsx";
import { type Members, useMembers, useRemoveMember } from "./members.ts";
import { OwnedNote } from "./owned-note.tsx";

type MembersCardProps = {
  workspaceId: string;
  workspaceName: string;
  me: { userId: string; role: Role };
  initial: Members;
};

export function MembersCard({ workspaceId, workspaceName, me, initial }: MembersCardProps) {
  const query = useMembers(workspaceId, initial);
  const [leaving, setLeaving] = useState<Member | null>(null);
  const remove = useRemoveMember(workspaceId);
  const { members } = query.data;
  const owners = members.filter((member) => member.role === "owner").length;
  const isMe = leaving?.user_id === me.userId;

  return (
    <Card aria-labelledby="members">
      <CardHeader
        titleId="members"
        title="Members"
        description={`Who can sign in to ${workspaceName}.`}
        actions={roleIncludes(me.role, "admin") ? <InviteButton workspaceId={workspaceId} role={me.role} /> : null}
      />
      <LoadProblem title="The list may be out of date" query={query} className="border-t" />
      <ul>
        {members.map((member) => (
          <MemberRow
            key={member.id}
            workspaceId={workspaceId}
            member={member}
            me={me}
            isLastOwner={member.role === "owner" && owners === 1}
            onRemove={() => setLeaving(member)}
          />
        ))}
      </ul>
      {leaving ? (
        <AlertDialog
          open
          onOpenChange={(next) => (next ? undefined : setLeaving(null))}
          title={isMe ? `Leave ${workspaceName}` : `Remove ${leaving.name ?? leaving.email}`}
          description={
            isMe
              ? "You lose access at once, and so do programs you signed in with rapport login; invitations you made stop working. Mail and meetings you shared stay, the rest of yours is removed. Keys from the API keys page keep working. To come back you need a new invitation."
              : "They lose access at once, and so do programs they signed in with rapport login; invitations they made stop working. Mail and meetings they shared stay, the rest of theirs is removed. Keys they made on the API keys page keep working: revoke them there."
          }
          confirmLabel={isMe ? "Leave workspace" : "Remove member"}
          onConfirm={async () => {
            await remove.mutateAsync(leaving.id);
            if (isMe) await leaveFor("/");
            toast.success(`${leaving.name ?? leaving.email} is removed.`);
          }}
        >
          {roleIncludes(me.role, "admin") ? (
            <OwnedNote workspaceId={workspaceId} email={leaving.email} isMe={isMe} />
          ) : null}
        </AlertDialog>
      ) : null}
    </Card>
  );
}
