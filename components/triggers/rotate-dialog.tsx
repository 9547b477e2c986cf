"use client";

import { type FormEvent, useState } from "react";
import { problemOf } from "#components/records/problem.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import { type Trigger, useRotate } from "./calls.ts";
import { SecretContent } from "./secret-dialog.tsx";

const overlaps = [
  { value: "0", label: "Stops signing at once" },
  { value: "1", label: "Signs for 1 more hour" },
  { value: "24", label: "Signs for 24 more hours" },
  { value: "168", label: "Signs for 7 more days" },
] as const;

type RotateDialogProps = { workspaceId: string; trigger: Trigger; onClose: () => void };

export function RotateDialog({ workspaceId, trigger, onClose }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]["value"]>("24");
  const [secret, setSecret] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const rotate = useRotate(workspaceId);

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (rotate.isPending) return;
    setProblem(null);
    try {
      setSecret((await rotate.mutateAsync({ id: trigger.id, overlap_hours: Number(overlap) })).secret);
    } catch (error) {
      setProblem(problemOf(error).message);
    }
  }

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      {secret ? (
        <SecretContent title="The new signing secret" secret={secret} />
      ) : (
        <DialogContent
          title="Rotate the signing secret"
          description="Until the old one stops, each request carries a signature of both."
        >
          <form onSubmit={submit}>
            <DialogBody>
              <Field label="The old secret" hint="Time to put the new one in place.">
                <Select options={overlaps} value={overlap} onValueChange={setOverlap} />
              </Field>
              <p role="alert" className="text-danger-text text-sm empty:hidden">
                {problem}
              </p>
            </DialogBody>
            <DialogSubmit label="Rotate" busy={rotate.isPending} />
          </form>
        </DialogContent>
      )}
    </Dialog>
  );
}
