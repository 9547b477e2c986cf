"use client";

import { UserPlus } from "lucide-react";
import { useAdding } from "#components/records/adding.ts";
import { Button } from "#components/ui/button.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { Role } from "#lib/core/plans.ts";

const InviteDialog = onDemand("“Invite”", () => import("./invite-dialog.tsx").then((module) => module.InviteDialog));

export function InviteButton({ workspaceId, role }: { workspaceId: string; role: Role }) {
  const { isOpen, open, close } = useAdding();
  return (
    <>
      <Button variant="primary" size="sm" aria-haspopup="dialog" onClick={open}>
        <UserPlus aria-hidden="true" /> Invite
      </Button>
      {isOpen ? <InviteDialog workspaceId={workspaceId} role={role} onClose={close} /> : null}
    </>
  );
}
