"use client";

import { useForm } from "react-hook-form";
import { callUser } from "#components/api.ts";
import { signUp } from "#components/operations/users.ts";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { signInWithPassword } from "./auth-client.ts";
import { EmailInput } from "./email-input.tsx";
import { FormAlert } from "./form-alert.tsx";
import { checkOf } from "./form-check.ts";
import { leaveFor } from "./leave.ts";
import { PasswordInput } from "./password-input.tsx";
import { PASSWORD_HINT } from "./password-words.ts";
import { SubmitButton } from "./submit-button.tsx";
import { TextLink } from "./text-link.tsx";
import { useFormSubmit } from "./use-form-submit.ts";

export type SignUpFormProps = {
  /** An invitation: the user joins its workspace and no new one is made. */
  invitation?: { token: string; email: string | null };
};

export function SignUpForm({ invitation }: SignUpFormProps) {
  const form = useForm({
    // What `join` leaves out is optional there, so its type fits both.
    resolver: checkOf<"join">(invitation ? "join" : ("signUp" as "join")),
    ...(invitation?.email ? { defaultValues: { email: invitation.email } } : {}),
  });
  const { errors } = form.formState;
  const { submit, failure, busy } = useFormSubmit(form, async (values) => {
    const account = invitation ? { ...values, invitation: invitation.token } : values;
    const { workspace_id } = await callUser(signUp, account);
    await signInWithPassword(values.email, values.password);
    await leaveFor(invitation ? `/${workspace_id}/home` : `/${workspace_id}/connect?welcome=1`);
  });

  return (
    <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field label="E-mail" error={errors.email?.message} required>
        <EmailInput {...form.register("email")} />
      </Field>
      <Field label="Password" error={errors.password?.message} hint={PASSWORD_HINT} required>
        <PasswordInput autoComplete="new-password" {...form.register("password")} />
      </Field>
      {invitation ? (
        <Field label="Your name" error={errors.name?.message}>
          <Input autoComplete="name" {...form.register("name")} />
        </Field>
      ) : (
        <Field
          label="Workspace name"
          error={errors.workspace_name?.message}
          hint="Usually your company's name."
          required
        >
          <Input autoComplete="organization" {...form.register("workspace_name")} />
        </Field>
      )}
      {errors.email?.type === "email_taken" ? (
        <p className="text-pretty text-muted-foreground text-sm">
          Your company's directory may have made the account for you. <TextLink href="/sign-in">Sign in</TextLink>, or{" "}
          <TextLink href="/forgot-password">set a password</TextLink> if you have none yet.
        </p>
      ) : null}
      <FormAlert>{failure}</FormAlert>
      <SubmitButton busy={busy} size="lg">
        Create account
      </SubmitButton>
    </form>
  );
}
