"use client";

import { useState } from "react";
import { OneTimeSecret } from "#components/records/one-time-secret.tsx";
import { RotateContent } from "#components/records/rotate-content.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import type { ApiKey, MintAnswer } from "#lib/domain/access/api-keys/contract.ts";
import { useRotateKey } from "./keys.ts";
import { Reveal } from "./reveal.tsx";

type RotateDialogProps = { workspaceId: string; apiKey: ApiKey; onClose: () => void };

export function RotateDialog({ workspaceId, apiKey, onClose }: RotateDialogProps) {
  const [minted, setMinted] = useState<MintAnswer | null>(null);
  const rotate = useRotateKey(workspaceId);
  return (
    <Dialog open onOpenChange={(next) => (next || minted ? undefined : onClose())}>
      {minted ? (
        <OneTimeSecret title={`${minted.key.name} has a new key`} noun="key" onDone={onClose}>
          <Reveal minted={minted} />
        </OneTimeSecret>
      ) : (
        <RotateContent
          title={`Rotate ${apiKey.name}`}
          description="Creates a new key with the same access, addresses and lifetime."
          field={{ label: "The old key", hint: "Time to replace the key everywhere." }}
          submit="Rotate key"
          verb={{ at_once: "Stops at once", goes_on: "Works" }}
          hours={[0, 1, 24, 168, 720]}
          rotate={async (overlap_hours) => setMinted(await rotate.mutateAsync({ id: apiKey.id, overlap_hours }))}
        />
      )}
    </Dialog>
  );
}
