"use client";

import { useState } from "react";
import { useSubmit } from "#components/records/use-submit.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toaster.tsx";

type NewSecretDialogProps = {
  name: string;
  title: string;
  label: string;
  onSave: (secret: string) => Promise<unknown>;
  onClose: () => void;
};

/** A new password, or a new private address, for a mailbox or calendar that cannot be read with the old one. */
export function NewSecretDialog({ name, title, label, onSave, onClose }: NewSecretDialogProps) {
  const [secret, setSecret] = useState("");
  const { submit, busy, problem } = useSubmit(async () => {
    await onSave(secret);
    toast.success(`${name} is read again.`);
    onClose();
  });
  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent title={title} description="It is tested before it is saved.">
        <form onSubmit={submit} noValidate>
          <DialogBody>
            <Field label={label} error={problem ?? undefined} required>
              <Input
                type="password"
                value={secret}
                autoComplete="off"
                data-1p-ignore
                onChange={(event) => setSecret(event.target.value)}
              />
            </Field>
          </DialogBody>
          <DialogSubmit label="Save" disabled={secret.trim() === ""} busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
