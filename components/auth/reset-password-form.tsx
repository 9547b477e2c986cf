"use client";

import { useForm } from "react-hook-form";
import { callUser } from "#components/api.ts";
import { resetPassword } from "#components/operations/users.ts";
import { Field } from "#components/ui/field.tsx";
import { signInWithPassword } from "./auth-client.ts";
import { FormAlert } from "./form-alert.tsx";
import { checkOf } from "./form-check.ts";
import { leaveFor } from "./leave.ts";
import { PasswordInput } from "./password-input.tsx";
import { PASSWORD_HINT } from "./password-words.ts";
import { SubmitButton } from "./submit-button.tsx";
import { useFormSubmit } from "./use-form-submit.ts";

export function ResetPasswordForm({ token }: { token: string }) {
  const form = useForm({ resolver: checkOf("resetPassword") });
  const { submit, failure, busy } = useFormSubmit(form, async ({ password }) => {
    const { email } = await callUser(resetPassword, { token, password });
    await signInWithPassword(email, password);
    await leaveFor("/");
  });

  return (
    <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field label="New password" error={form.formState.errors.password?.message} hint={PASSWORD_HINT} required>
        <PasswordInput autoComplete="new-password" {...form.register("password")} />
      </Field>
      <FormAlert>{failure}</FormAlert>
      <SubmitButton busy={busy} size="lg">
        Save and sign in
      </SubmitButton>
    </form>
  );
}
