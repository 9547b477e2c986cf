"use client";

import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type IntegrationDetail, useDisconnect } from "./calls.ts";

type DisconnectDialogProps = {
  workspaceId: string;
  integration: IntegrationDetail;
  /** What stops working. */
  description: string;
  onClose: () => void;
};

export function DisconnectDialog({ workspaceId, integration, description, onClose }: DisconnectDialogProps) {
  const disconnect = useDisconnect(workspaceId);
  const { display_name: name, provider } = integration;
  return (
    <AlertDialog
      open
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={`Disconnect ${name}`}
      description={description}
      confirmLabel="Disconnect"
      onConfirm={async () => {
        await disconnect.mutateAsync(provider);
        toast.success(`${name} is disconnected.`);
      }}
    />
  );
}
