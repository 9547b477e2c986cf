"use client";

import { Sheet, SheetContent } from "#components/ui/sheet.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type Trigger, useEdit } from "./calls.ts";
import { TriggerForm } from "./trigger-form.tsx";

type EditTriggerProps = { workspaceId: string; trigger: Trigger; onClose: () => void };

export function EditTrigger({ workspaceId, trigger, onClose }: EditTriggerProps) {
  const edit = useEdit(workspaceId);
  return (
    <Sheet open onOpenChange={(open) => (open ? undefined : onClose())}>
      <SheetContent title="Edit trigger" className="w-[min(40rem,calc(100vw-1.5rem))]">
        <TriggerForm
          workspaceId={workspaceId}
          trigger={trigger}
          label="Save"
          busy={edit.isPending}
          save={async ({ name, ...input }) => {
            await edit.mutateAsync({ id: trigger.id, ...input, name: name || null });
            toast.success("Saved.");
            onClose();
          }}
        />
      </SheetContent>
    </Sheet>
  );
}
