"use client";

import { Link2 } from "lucide-react";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { Invitation } from "#lib/domain/access/members/contract.ts";
import { type Invitations, useInvitations, useRevokeInvitation } from "./members.ts";
import { roleLabel } from "./role-options.ts";

type InvitationsCardProps = { workspaceId: string; initial: Invitations };

export function InvitationsCard({ workspaceId, initial }: InvitationsCardProps) {
  const { invitations } = useInvitations(workspaceId, initial).data;
  return (
    <Card aria-labelledby="invitations">
      <CardHeader
        titleId="invitations"
        title="Invitations"
        description="Links that still work. Each lets one person join."
      />
      {invitations.length === 0 ? (
        <EmptyState icon={<Link2 />} className="border-t">
          No invitation is open. Invite someone above and pass the link on.
        </EmptyState>
      ) : (
        <ul>
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} workspaceId={workspaceId} invitation={invitation} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function InvitationRow({ workspaceId, invitation }: { workspaceId: string; invitation: Invitation }) {
  const revoke = useRevokeInvitation(workspaceId);
  const name = invitation.email ?? "Anyone with the link";
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-t px-4 py-2">
      <div className="min-w-40 flex-1">
        <p className="wrap-anywhere">{name}</p>
        <p className="text-muted-foreground text-sm">
          {roleLabel(invitation.role)} · by {invitation.invited_by ?? "a former member"} ·{" "}
          <RelativeTime value={invitation.created_at} />
        </p>
      </div>
      <AlertDialog
        trigger={
          <Button size="sm" variant="ghost" aria-label={`Withdraw the invitation for ${name}`}>
            Withdraw
          </Button>
        }
        title="Withdraw the invitation"
        description="Its link stops working at once."
        confirmLabel="Withdraw"
        onConfirm={async () => {
          await revoke.mutateAsync(invitation.id);
          toast.success("The invitation is withdrawn.");
        }}
      />
    </li>
  );
}
