"use client";

import { useRef } from "react";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { type Account, exportAddressOf } from "./calls.ts";

type EraseDialogProps = {
  workspaceId: string;
  account: Account;
  onErase: () => Promise<void>;
  onClose: () => void;
};

/** Asks before a person is erased, and says what will be deleted and what will not. */
export function EraseDialog({ workspaceId, account, onErase, onClose }: EraseDialogProps) {
  const erased = useRef(false);
  return (
    <AlertDialog
      open
      // After an erasure the router is leaving the page; changing the address would cancel that.
      onOpenChange={(open) => (open || erased.current ? undefined : onClose())}
      title={`Erase ${account.name} for good?`}
      description="Everything about this person is deleted at once, for everyone in the workspace. This cannot be undone."
      confirmLabel="Erase for good"
      typed={account.name}
      onConfirm={async () => {
        await onErase();
        erased.current = true;
      }}
    >
      <ul className="list-disc space-y-1 pl-4 text-pretty">
        <li>Deleted: facts and their evidence, activities, notes, addresses, and every record merged into this one.</li>
        <li>
          Kept: what notes on others say about them, backups of the database, and their contact in a connected CRM.
          Delete that one there.
        </li>
        <li>The audit log shows that you erased a record, with its id but no name.</li>
      </ul>
      <p className="text-pretty text-muted-foreground">
        If an agent reports their address again, a new contact is created. To keep a copy,{" "}
        <a
          href={exportAddressOf(workspaceId, account.entity_id)}
          download
          className="rounded-xs text-foreground underline decoration-border-strong underline-offset-3 hover:decoration-current"
        >
          export all data
        </a>{" "}
        first.
      </p>
    </AlertDialog>
  );
}
