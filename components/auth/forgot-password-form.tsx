"use client";

import { MailCheck } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { callUser } from "#components/api.ts";
import { requestPasswordReset } from "#components/operations/users.ts";
import { Field } from "#components/ui/field.tsx";
import { EmailInput } from "./email-input.tsx";
import { FormAlert } from "./form-alert.tsx";
import { checkOf } from "./form-check.ts";
import { SubmitButton } from "./submit-button.tsx";
import { useFormSubmit } from "./use-form-submit.ts";

export function ForgotPasswordForm() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({ resolver: checkOf("forgotPassword") });
  const { submit, failure, busy } = useFormSubmit(form, async ({ email }) => {
    await callUser(requestPasswordReset, { email });
    setSentTo(email);
  });

  if (sentTo !== null) {
    return (
      <p role="status" className="flex items-start gap-2">
        <MailCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success-text" />
        <span className="text-pretty">
          If there is an account for <strong className="font-medium">{sentTo}</strong>, a link is on its way. It works
          for an hour.
        </span>
      </p>
    );
  }
  return (
    <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field label="E-mail" error={form.formState.errors.email?.message} required>
        <EmailInput {...form.register("email")} />
      </Field>
      <FormAlert>{failure}</FormAlert>
      <SubmitButton busy={busy} size="lg">
        Send the link
      </SubmitButton>
    </form>
  );
}
