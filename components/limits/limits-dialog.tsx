"use client";

import { useState } from "react";
import { FormAlert } from "#components/auth/form-alert.tsx";
import { useSubmit } from "#components/records/use-submit.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { RecordKind } from "#lib/core/limits.ts";
import { draftOf, LimitsFields, limitsOfDraft } from "./limits-fields.tsx";

type Limited = { kinds: RecordKind[]; hidden_fields: string[] };

type LimitsDialogProps = {
  name: string;
  initial: Limited;
  save: (limits: Limited) => Promise<unknown>;
  onClose: () => void;
};

/** Changes what a key or client is kept from; counts from its next request. */
export function LimitsDialog({ name, initial, save, onClose }: LimitsDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(initial));
  const { submit, busy, problem } = useSubmit(async () => {
    await save(limitsOfDraft(draft));
    toast.success(`The limits of ${name} are saved.`);
    onClose();
  });

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent title={`Limits of ${name}`} description="They apply from its next request.">
        <form onSubmit={submit} noValidate>
          <DialogBody>
            <LimitsFields value={draft} onChange={setDraft} />
            <FormAlert>{problem}</FormAlert>
          </DialogBody>
          <DialogSubmit label="Save" busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
