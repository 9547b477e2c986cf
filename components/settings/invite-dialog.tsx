"use client";

import { useState } from "react";
import { Dialog, DialogContent } from "#components/ui/dialog.tsx";
import type { Role } from "#lib/core/plans.ts";
import { InvitationLink } from "./invitation-link.tsx";
import { InviteForm } from "./invite-form.tsx";
import type { InvitationResult } from "./members.ts";

type InviteDialogProps = { workspaceId: string; role: Role; onClose: () => void };

export function InviteDialog({ workspaceId, role, onClose }: InviteDialogProps) {
  const [made, setMade] = useState<InvitationResult | null>(null);
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      {made ? (
        <DialogContent
          title="The invitation is ready"
          description={
            made.mailed
              ? `It is on its way to ${made.invitation.email}. You can also pass the link on yourself.`
              : "Share this link. It works once, for seven days: the first person to open it joins."
          }
        >
          <InvitationLink invited={made} onDone={onClose} />
        </DialogContent>
      ) : (
        <DialogContent title="Invite someone" description="Creates a link that works once, for seven days.">
          <InviteForm workspaceId={workspaceId} role={role} onMade={setMade} />
        </DialogContent>
      )}
    </Dialog>
  );
}
