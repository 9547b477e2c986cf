"use client";

import { Controller, useForm } from "react-hook-form";
import { EmailInput } from "#components/auth/email-input.tsx";
import { FormAlert } from "#components/auth/form-alert.tsx";
import { checkOf } from "#components/auth/form-check.ts";
import { useFormSubmit } from "#components/auth/use-form-submit.ts";
import { DialogBody, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import type { Role } from "#lib/core/plans.ts";
import { type InvitationResult, useInvite } from "./members.ts";
import { roleOptions } from "./role-options.ts";

type InviteFormProps = { workspaceId: string; role: Role; onMade: (invited: InvitationResult) => void };

export function InviteForm({ workspaceId, role, onMade }: InviteFormProps) {
  const invite = useInvite(workspaceId);
  const form = useForm({ resolver: checkOf("invite"), defaultValues: { email: "", role: "member" as Role } });
  const { submit, failure, busy } = useFormSubmit(form, async (values) => {
    onMade(await invite.mutateAsync({ role: values.role, ...(values.email ? { email: values.email } : {}) }));
  });

  return (
    <form method="post" onSubmit={submit} noValidate>
      <DialogBody>
        <Field
          label="E-mail"
          error={form.formState.errors.email?.message ? "Enter an e-mail address, or leave it empty." : undefined}
          hint="Who the link is for."
          optional
        >
          <EmailInput autoComplete="off" {...form.register("email")} />
        </Field>
        <Field label="Role">
          <Controller
            control={form.control}
            name="role"
            render={({ field }) => (
              <Select options={roleOptions(role)} value={field.value} onValueChange={field.onChange} />
            )}
          />
        </Field>
        <FormAlert>{failure}</FormAlert>
      </DialogBody>
      <DialogSubmit label="Create link" busy={busy} />
    </form>
  );
}
