"use client";

import { useState } from "react";
import { useForm } from "react-hook-form";
import { FormAlert } from "#components/auth/form-alert.tsx";
import { makePasskey } from "#components/auth/passkey.ts";
import { useFormSubmit } from "#components/auth/use-form-submit.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { PasskeyName, passkeyName } from "./passkey-name.tsx";
import { RecoveryCodes } from "./second-factor-dialogs.tsx";
import { deviceName } from "./user-agent.ts";

/** Takes a name, lets the device make the passkey, and shows recovery codes with the first second factor. */
export function PasskeyDialog({ onEnd }: { onEnd: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const form = useForm({ defaultValues: { name: deviceName(navigator.userAgent) } });
  const { submit, failure, busy } = useFormSubmit(form, async ({ name }) => {
    const { recovery_codes, ended_sessions } = await makePasskey(name);
    toast.success(ended_sessions > 0 ? "The passkey is added. Your other sessions ended." : "The passkey is added.");
    if (recovery_codes) setCodes(recovery_codes);
    else onEnd();
  });
  return (
    <Dialog open onOpenChange={(next) => (next || codes ? undefined : onEnd())}>
      {codes ? (
        <RecoveryCodes codes={codes} onEnd={onEnd} />
      ) : (
        <DialogContent title="Add a passkey" description="Your browser asks where to keep it.">
          <form method="post" onSubmit={submit} noValidate>
            <DialogBody>
              <PasskeyName error={form.formState.errors.name?.message} {...form.register("name", passkeyName)} />
              <FormAlert>{failure}</FormAlert>
            </DialogBody>
            <DialogSubmit label="Add" busy={busy} />
          </form>
        </DialogContent>
      )}
    </Dialog>
  );
}
