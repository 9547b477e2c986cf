"use client";

import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type LeadList, type LeadRow, removeLeads } from "./calls.ts";
import { leadName } from "./names.ts";

type RemoveDialogProps = {
  workspaceId: string;
  list: LeadList;
  leads: readonly LeadRow[];
  onRemoved: () => void;
  onClose: () => void;
};

export function RemoveDialog({ workspaceId, list, leads, onRemoved, onClose }: RemoveDialogProps) {
  const [first] = leads;
  const who = leads.length === 1 && first ? leadName(first) : `${leads.length} leads`;
  return (
    <AlertDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Remove ${who} from ${list.name}`}
      description="Status, outcome and fields in this list are deleted. The people stay, with everything that is known about them. This cannot be undone."
      confirmLabel="Remove"
      onConfirm={async () => {
        await removeLeads(
          workspaceId,
          leads.map(({ id }) => id),
        );
        toast.success(`${who} removed from ${list.name}.`);
        onRemoved();
      }}
    />
  );
}
