"use client";

import { useForm } from "react-hook-form";
import { callUser } from "#components/api.ts";
import { FormAlert } from "#components/auth/form-alert.tsx";
import { useFormSubmit } from "#components/auth/use-form-submit.ts";
import { renamePasskey } from "#components/operations/passkeys.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { PasskeyName, passkeyName } from "./passkey-name.tsx";

type PasskeyRenameDialogProps = { id: string; name: string; onEnd: () => void };

export function PasskeyRenameDialog({ id, name: before, onEnd }: PasskeyRenameDialogProps) {
  const form = useForm({ defaultValues: { name: before } });
  const { submit, failure, busy } = useFormSubmit(form, async ({ name }) => {
    await callUser(renamePasskey, { id, name });
    toast.success("The passkey is renamed.");
    onEnd();
  });
  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onEnd())}>
      <DialogContent title={`Rename ${before}`}>
        <form method="post" onSubmit={submit} noValidate>
          <DialogBody>
            <PasskeyName error={form.formState.errors.name?.message} {...form.register("name", passkeyName)} />
            <FormAlert>{failure}</FormAlert>
          </DialogBody>
          <DialogSubmit label="Rename" busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
