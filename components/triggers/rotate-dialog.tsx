"use client";

import { useState } from "react";
import { RotateContent } from "#components/records/rotate-content.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { type Trigger, useRotate } from "./calls.ts";
import { SigningSecret } from "./signing-secret.tsx";

type RotateDialogProps = { workspaceId: string; trigger: Trigger; onClose: () => void };

export function RotateDialog({ workspaceId, trigger, onClose }: RotateDialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useRotate(workspaceId);
  return (
    <Dialog open onOpenChange={(next) => (next || secret ? undefined : onClose())}>
      {secret ? (
        <SigningSecret title="The new signing secret" secret={secret} onDone={onClose} />
      ) : (
        <RotateContent
          title="Rotate the signing secret"
          description="Until the old one stops, each request carries a signature of both."
          field={{ label: "The old secret", hint: "Time to replace it." }}
          submit="Rotate"
          verb={{ at_once: "Stops signing at once", goes_on: "Signs" }}
          hours={[0, 1, 24, 168]}
          rotate={async (overlap_hours) =>
            setSecret((await rotate.mutateAsync({ id: trigger.id, overlap_hours })).secret)
          }
        />
      )}
    </Dialog>
  );
}
