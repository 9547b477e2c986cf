"use client";

import { RelativeTime } from "#components/records/relative-time.tsx";
import { Avatar } from "#components/ui/avatar.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { failureOf } from "#components/ui/failure.ts";
import { Select } from "#components/ui/select.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { Role } from "#lib/core/plans.ts";
import type { Member } from "#lib/domain/access/members/contract.ts";
import { useChangeRole } from "./members.ts";
import { aRole, roleLabel, roleOptions } from "./role-options.ts";

type MemberRowProps = {
  workspaceId: string;
  member: Member;
  me: { userId: string; role: Role };
  isLastOwner: boolean;
  onRemove: () => void;
};

export function MemberRow({ workspaceId, member, me, isLastOwner, onRemove }: MemberRowProps) {
  const change = useChangeRole(workspaceId);
  const name = member.name ?? member.email;
  const isMe = member.user_id === me.userId;
  const mayChange = !isLastOwner && (me.role === "owner" || (me.role === "admin" && member.role !== "owner"));
  const role = change.isPending ? change.variables.role : member.role;

  async function setRole(next: Role) {
    try {
      await change.mutateAsync({ id: member.id, role: next });
      toast.success(`${name} is now ${aRole(next)}.`);
    } catch (error) {
      toast.error(failureOf(error));
    }
  }

  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-t px-4 py-2">
      <Avatar name={name} size="lg" />
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="wrap-anywhere">{name}</span>
          {isMe ? <Badge>You</Badge> : null}
          {member.disabled ? <Badge tone="warning">Cannot sign in</Badge> : null}
        </p>
        <p className="wrap-anywhere text-muted-foreground text-sm">
          {member.name ? `${member.email} · ` : ""}joined <RelativeTime value={member.joined_at} />
        </p>
      </div>
      <div className="flex items-center gap-2 max-sm:pl-11">
        {mayChange ? (
          <Select
            aria-label={`Role of ${name}`}
            size="sm"
            className="w-28"
            options={roleOptions(me.role)}
            value={role}
            onValueChange={(next) => void setRole(next)}
          />
        ) : (
          <Badge tone="outline">{roleLabel(member.role)}</Badge>
        )}
        {mayChange || (isMe && !isLastOwner) ? (
          <Button size="sm" variant="ghost" aria-label={isMe ? "Leave workspace" : `Remove ${name}`} onClick={onRemove}>
            {isMe ? "Leave" : "Remove"}
          </Button>
        ) : null}
      </div>
    </li>
  );
}
