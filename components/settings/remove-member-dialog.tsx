"use client";

import { useState } from "react";
import { leaveFor } from "#components/auth/leave.ts";
import { type KeepOrRemove, KeepOrRemoveField } from "#components/integrations/keep-or-remove-field.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { counted } from "#components/ui/numbers.ts";
import { Loading, SkeletonText } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { LeavesWithMember, Member } from "#lib/domain/access/members/contract.ts";
import { useRemoval, useRemoveMember } from "./members.ts";
import { OwnedNote } from "./owned-note.tsx";

type RemoveMemberDialogProps = {
  workspaceId: string;
  workspaceName: string;
  member: Member;
  isMe: boolean;
  onClose: () => void;
};

/** Asks before a member is removed, says what others have to take over, and asks what becomes of what they shared of their mail and meetings. */
export function RemoveMemberDialog({ workspaceId, workspaceName, member, isMe, onClose }: RemoveMemberDialogProps) {
  const [mail, setMail] = useState<KeepOrRemove>("keep");
  const query = useRemoval(workspaceId, member.id);
  const remove = useRemoveMember(workspaceId);
  const name = member.name ?? member.email;
  const shared = query.data ? sharedIn(query.data) : null;
  return (
    <AlertDialog
      open
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={isMe ? `Leave ${workspaceName}` : `Remove ${name}`}
      description={
        isMe
          ? "You lose access at once, and so do programs you signed in with rapport login; invitations you made stop working. Mail and meetings that only you see are removed. Keys from the API keys page keep working. To come back you need a new invitation."
          : "They lose access at once, and so do programs they signed in with rapport login; invitations they made stop working. Mail and meetings that only they see are removed. Keys they made on the API keys page keep working: revoke them there."
      }
      confirmLabel={isMe ? "Leave workspace" : "Remove member"}
      onConfirm={async () => {
        await remove.mutateAsync({ id: member.id, mail });
        if (isMe) await leaveFor("/");
        toast.success(`${name} is removed.`);
      }}
    >
      {query.isPending ? (
        <Loading label="Counting what they leave behind">
          <SkeletonText lines={3} />
        </Loading>
      ) : null}
      <LoadProblem title="What they leave behind could not be counted" query={query} />
      {query.data ? (
        <OwnedNote workspaceId={workspaceId} email={member.email} isMe={isMe} owned={query.data.owned} />
      ) : null}
      {shared ? (
        <KeepOrRemoveField
          label={`Mail and meetings ${isMe ? "you" : "they"} shared: ${shared}`}
          kind="mailbox or calendar"
          value={mail}
          onChange={setMail}
        />
      ) : null}
    </AlertDialog>
  );
}

/** In words; empty when nothing is shared. */
function sharedIn({ messages, meetings }: LeavesWithMember): string {
  return [messages > 0 ? counted(messages, "message") : [], meetings > 0 ? counted(meetings, "meeting") : []]
    .flat()
    .join(", ");
}
