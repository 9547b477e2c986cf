"use client";

import { callUser } from "#components/api.ts";
import { leaveWorkspace } from "#components/operations/members.ts";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { leaveFor } from "./leave.ts";

/** The way out for a member who cannot sign in as the workspace demands. */
export function LeaveWorkspace({ id, name }: { id: string; name: string }) {
  return (
    <AlertDialog
      trigger={
        <Button variant="ghost" className="w-fit">
          Leave this workspace
        </Button>
      }
      title={`Leave ${name}`}
      description="You lose access at once. To come back you need a new invitation."
      confirmLabel="Leave workspace"
      onConfirm={async () => {
        await callUser(leaveWorkspace, { id });
        await leaveFor("/");
      }}
    />
  );
}
