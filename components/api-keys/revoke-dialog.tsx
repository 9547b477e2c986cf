"use client";

import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { ApiKey } from "#lib/domain/access/api-keys/contract.ts";
import { useRevokeKey } from "./keys.ts";

type RevokeDialogProps = { workspaceId: string; apiKey: ApiKey; onClose: () => void };

export function RevokeDialog({ workspaceId, apiKey, onClose }: RevokeDialogProps) {
  const revoke = useRevokeKey(workspaceId);
  return (
    <AlertDialog
      open
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={`Revoke ${apiKey.name}`}
      description="Anything that uses this key is refused from its next request on. This cannot be undone."
      confirmLabel="Revoke key"
      typed={apiKey.name}
      onConfirm={async () => {
        await revoke.mutateAsync({ id: apiKey.id, confirm: apiKey.name });
        toast.success(`${apiKey.name} is revoked.`);
      }}
    />
  );
}
