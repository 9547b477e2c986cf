"use client";

import { useForm } from "react-hook-form";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { signInWithPassword } from "./auth-client.ts";
import { FormAlert } from "./form-alert.tsx";
import { checkOf } from "./form-check.ts";
import { leaveFor } from "./leave.ts";
import { PasswordInput } from "./password-input.tsx";
import { SubmitButton } from "./submit-button.tsx";
import { TextLink } from "./text-link.tsx";
import { useFormSubmit } from "./use-form-submit.ts";

export function SignInForm({ next, email }: { next: string; email?: string }) {
  const form = useForm({ resolver: checkOf("signIn"), ...(email ? { defaultValues: { email } } : {}) });
  const { errors } = form.formState;
  const { submit, failure, busy } = useFormSubmit(form, async (values) => {
    await signInWithPassword(values.email, values.password);
    await leaveFor(next);
  });

  return (
    <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field label="E-mail" error={errors.email?.message} required>
        <Input
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...form.register("email")}
        />
      </Field>
      <Field
        label="Password"
        error={errors.password?.message}
        required
        aside={<TextLink href="/forgot-password">Forgot it?</TextLink>}
      >
        <PasswordInput autoComplete="current-password" {...form.register("password")} />
      </Field>
      <FormAlert>{failure}</FormAlert>
      <SubmitButton busy={busy} size="lg">
        Sign in
      </SubmitButton>
    </form>
  );
}
