"use client";

import { useState } from "react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { type Role, roleIncludes } from "#lib/core/plans.ts";
import type { Member } from "#lib/domain/access/members/contract.ts";
import { InviteButton } from "./invite-button.tsx";
import { MemberRow } from "./member-row.tsx";
import { type Members, useMembers } from "./members.ts";

const RemoveMemberDialog = onDemand("The question before it", () =>
  import("./remove-member-dialog.tsx").then((module) => module.RemoveMemberDialog),
);

type MembersCardProps = {
  workspaceId: string;
  workspaceName: string;
  me: { userId: string; role: Role };
  initial: Members;
};

export function MembersCard({ workspaceId, workspaceName, me, initial }: MembersCardProps) {
  const query = useMembers(workspaceId, initial);
  const [leaving, setLeaving] = useState<Member | null>(null);
  const { members } = query.data;
  const owners = members.filter((member) => member.role === "owner").length;

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
        <RemoveMemberDialog
          workspaceId={workspaceId}
          workspaceName={workspaceName}
          member={leaving}
          isMe={leaving.user_id === me.userId}
          onClose={() => setLeaving(null)}
        />
      ) : null}
    </Card>
  );
}
