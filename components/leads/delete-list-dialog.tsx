"use client";

import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { toast } from "#components/ui/toaster.tsx";
import { deleteList, type LeadList } from "./calls.ts";

type DeleteListDialogProps = { workspaceId: string; list: LeadList; onDeleted: () => void; onClose: () => void };

export function DeleteListDialog({ workspaceId, list, onDeleted, onClose }: DeleteListDialogProps) {
  const { name, lead_count } = list;
  return (
    <AlertDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Delete ${name}`}
      description={`The list and its ${numeral(lead_count)} ${lead_count === 1 ? "lead" : "leads"} are deleted. The people stay, with everything that is known about them. This cannot be undone.`}
      confirmLabel="Delete list"
      {...(lead_count > 0 ? { typed: name.trim() } : {})}
      onConfirm={async () => {
        await deleteList(workspaceId, list.id);
        toast.success(`${name} is deleted.`);
        onDeleted();
      }}
    />
  );
}
