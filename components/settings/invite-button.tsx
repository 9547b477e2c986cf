"use client";

import { UserPlus } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { Role } from "#lib/core/plans.ts";

const InviteDialog = onDemand("“Invite”", () => import("./invite-dialog.tsx").then((module) => module.InviteDialog));

export function InviteButton({ workspaceId, role }: { workspaceId: string; role: Role }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" size="sm" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <UserPlus aria-hidden="true" /> Invite
      </Button>
      {open ? <InviteDialog workspaceId={workspaceId} role={role} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
