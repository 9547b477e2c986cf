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
      description="Everything kept on this person goes, for everyone in the workspace, at once. It cannot be undone."
      confirmLabel="Erase for good"
      typed={account.name}
      onConfirm={async () => {
        await onErase();
        erased.current = true;
      }}
    >
      <ul className="list-disc space-y-1 pl-4 text-pretty">
        <li>Gone: facts and their evidence, activities, notes, identifiers, and every record merged into this one.</li>
        <li>
          Stays: what notes on other people and companies say of them, your backups of the database, and the contact in
          a CRM that they were pushed to: delete that there.
        </li>
        <li>The audit log keeps that you erased a record, by its id and without a name.</li>
      </ul>
      <p className="text-pretty text-muted-foreground">
        An agent that reports their address again makes a new contact. To keep a copy,{" "}
        <a
          href={exportAddressOf(workspaceId, account.entity_id)}
          download
          className="rounded-xs text-foreground underline decoration-border-strong underline-offset-3 hover:decoration-current"
        >
          export everything known
        </a>{" "}
        first.
      </p>
    </AlertDialog>
  );
}
