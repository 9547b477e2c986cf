"use client";

import { useState } from "react";
import { Dialog } from "#components/ui/dialog.tsx";
import { Sheet, SheetContent } from "#components/ui/sheet.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type TriggerInput, useCreate } from "./calls.ts";
import { SigningSecret } from "./signing-secret.tsx";
import { TriggerForm } from "./trigger-form.tsx";

type NewTriggerProps = { workspaceId: string; onClose: () => void };

/** The form of a new trigger, and then its secret. */
export function NewTrigger({ workspaceId, onClose }: NewTriggerProps) {
  const [made, setMade] = useState<{ name: string | null; secret: string } | null>(null);
  const create = useCreate(workspaceId);
  const save = async (input: TriggerInput) => {
    const { trigger, secret } = await create.mutateAsync(input);
    if (secret !== null) return setMade({ name: trigger.name, secret });
    toast.message(`${trigger.name ?? "A trigger"} sends these events to this URL already.`);
    onClose();
  };
  const turn = (open: boolean) => (open ? undefined : onClose());
  if (made)
    return (
      <Dialog open>
        <SigningSecret title={`${made.name ?? "The trigger"} is ready`} secret={made.secret} onDone={onClose} />
      </Dialog>
    );
  return (
    <Sheet open onOpenChange={turn}>
      <SheetContent
        title="New trigger"
        description="Sends what happens here to one of your systems, as it happens."
        className="w-[min(40rem,calc(100vw-1.5rem))]"
      >
        <TriggerForm workspaceId={workspaceId} label="Create trigger" busy={create.isPending} save={save} />
      </SheetContent>
    </Sheet>
  );
}
