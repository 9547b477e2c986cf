"use client";

import { useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "#components/api.ts";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { signInWithPassword } from "./auth-client.ts";
import { CodeInput } from "./code-input.tsx";
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
  const [asksForCode, setAsksForCode] = useState(false);
  const { submit, failure, busy } = useFormSubmit(form, async (values) => {
    try {
      await signInWithPassword(values.email, values.password, values.code);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "code_required") || asksForCode) throw error;
      form.setValue("code", "");
      return setAsksForCode(true);
    }
    await leaveFor(next);
  });

  if (asksForCode)
    return (
      <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field
          label="Code"
          error={errors.code?.message}
          hint="The six digits that your app shows now, or a recovery code."
          required
        >
          <CodeInput autoFocus {...form.register("code")} />
        </Field>
        <FormAlert>{failure}</FormAlert>
        <SubmitButton busy={busy} size="lg">
          Sign in
        </SubmitButton>
        <Button variant="link" className="self-center" onClick={() => setAsksForCode(false)}>
          Back
        </Button>
      </form>
    );
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
