"use client";

import { UserPlus } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogContent, DialogTrigger } from "#components/ui/dialog.tsx";
import type { Role } from "#lib/core/plans.ts";
import { InvitationLink } from "./invitation-link.tsx";
import { InviteForm } from "./invite-form.tsx";
import type { Invited } from "./members.ts";

export function InviteDialog({ workspaceId, role }: { workspaceId: string; role: Role }) {
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<Invited | null>(null);

  function change(next: boolean) {
    setOpen(next);
    if (next) setMade(null);
  }

  return (
    <Dialog open={open} onOpenChange={change}>
      <DialogTrigger asChild>
        <Button variant="primary" size="sm">
          <UserPlus aria-hidden="true" /> Invite
        </Button>
      </DialogTrigger>
      {made ? (
        <DialogContent
          title="The invitation is ready"
          description={
            made.mailed
              ? `It is on its way to ${made.invitation.email}. You can also pass the link on yourself.`
              : "Share this link. It works once, for seven days: the first person to open it joins."
          }
        >
          <InvitationLink invited={made} onDone={() => change(false)} />
        </DialogContent>
      ) : (
        <DialogContent title="Invite somebody" description="Makes a link that works once, for seven days.">
          <InviteForm workspaceId={workspaceId} role={role} onMade={setMade} />
        </DialogContent>
      )}
    </Dialog>
  );
}
