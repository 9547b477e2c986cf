"use client";

import { type FormEvent, useState } from "react";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import type { ApiKey, Minted } from "#lib/domain/api-keys/contract.ts";
import { useRotateKey } from "./keys.ts";
import { RevealContent } from "./mint-dialog.tsx";
import { problemOf } from "./problem.ts";

const overlaps = [
  { value: "0", label: "Stops at once" },
  { value: "1", label: "Works for 1 more hour" },
  { value: "24", label: "Works for 24 more hours" },
  { value: "168", label: "Works for 7 more days" },
  { value: "720", label: "Works for 30 more days" },
] as const;

type RotateDialogProps = { workspaceId: string; apiKey: ApiKey; onClose: () => void };

export function RotateDialog({ workspaceId, apiKey, onClose }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]["value"]>("24");
  const [minted, setMinted] = useState<Minted | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const rotate = useRotateKey(workspaceId);

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (rotate.isPending) return;
    setProblem(null);
    try {
      setMinted(await rotate.mutateAsync({ id: apiKey.id, overlap_hours: Number(overlap) }));
    } catch (error) {
      setProblem(problemOf(error).message);
    }
  }

  return (
    <Dialog open onOpenChange={(next) => (next || minted ? undefined : onClose())}>
      {minted ? (
        <RevealContent title={`${minted.key.name} has a new key`} apiKey={minted.api_key} onDone={onClose} />
      ) : (
        <DialogContent
          title={`Rotate ${apiKey.name}`}
          description="Makes a new key with the same access, addresses and lifetime."
        >
          <form onSubmit={submit}>
            <DialogBody>
              <Field label="The old key" hint="Time to put the new key in place everywhere.">
                <Select options={overlaps} value={overlap} onValueChange={setOverlap} />
              </Field>
              <p role="alert" className="text-danger-text text-sm empty:hidden">
                {problem}
              </p>
            </DialogBody>
            <DialogSubmit label="Rotate key" busy={rotate.isPending} />
          </form>
        </DialogContent>
      )}
    </Dialog>
  );
}
