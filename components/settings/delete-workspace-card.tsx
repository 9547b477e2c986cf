"use client";

import { callOperation } from "#components/api.ts";
import { leaveFor } from "#components/auth/leave.ts";
import { deleteWorkspace } from "#components/operations/workspaces.ts";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";

export function DeleteWorkspaceCard({ workspaceId, name }: { workspaceId: string; name: string }) {
  return (
    <Card aria-labelledby="delete-workspace">
      <CardHeader
        titleId="delete-workspace"
        title="Delete workspace"
        description="Deletes its data, members, keys and history for good."
        actions={
          <AlertDialog
            trigger={<Button variant="danger-ghost">Delete workspace</Button>}
            title={`Delete ${name}`}
            description="Everything in this workspace is deleted, for every member, at once. There is no undo and no copy."
            confirmLabel="Delete workspace"
            typed={name}
            onConfirm={async () => {
              await callOperation(deleteWorkspace, workspaceId, { confirm: name });
              await leaveFor("/");
            }}
          />
        }
      />
    </Card>
  );
}
