"use client";

import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "#components/api.ts";
import { Button } from "#components/ui/button.tsx";
import { failureOf } from "#components/ui/failure.ts";
import { Field } from "#components/ui/field.tsx";
import type { PasskeyAnswer } from "#lib/core/passkeys.ts";
import { signInWithPasskey, signInWithPassword } from "./auth-client.ts";
import { CodeInput } from "./code-input.tsx";
import { EmailInput } from "./email-input.tsx";
import { FormAlert } from "./form-alert.tsx";
import { checkOf } from "./form-check.ts";
import { leaveFor } from "./leave.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import { PasswordInput } from "./password-input.tsx";
import { PASSWORD_HINT } from "./password-words.ts";
import { SubmitButton } from "./submit-button.tsx";
import { TextLink } from "./text-link.tsx";
import { useFormSubmit } from "./use-form-submit.ts";

type SignInFormProps = {
  next: string;
  email?: string;
  /** Whether browsers take passkeys at this address. */
  passkeys: boolean;
};

/** What the server asks for after the password, by its error. */
const steps: Partial<Record<string, "new_password" | "code">> = {
  new_password_required: "new_password",
  code_required: "code",
};

export function SignInForm({ next, email, passkeys }: SignInFormProps) {
  const form = useForm({ resolver: checkOf("signIn"), ...(email ? { defaultValues: { email } } : {}) });
  const { errors } = form.formState;
  const [asked, setAsked] = useState<"password" | "new_password" | "code">("password");
  const [refusal, setRefusal] = useState<string | null>(null);
  const { submit, failure, busy } = useFormSubmit(form, async (values) => {
    setRefusal(null);
    try {
      const { code, new_password } = values;
      await signInWithPassword(values.email, values.password, { code, new_password });
    } catch (error) {
      const next = error instanceof ApiError ? steps[error.code] : undefined;
      if (!next || next === asked) throw error;
      form.setValue(next, "");
      return setAsked(next);
    }
    await leaveFor(next);
  });

  const suggests = passkeys && asked === "password";
  useEffect(() => {
    if (!suggests) return;
    const left = new AbortController();
    const enter = async (passkey: PasskeyAnswer) => {
      await signInWithPasskey(passkey);
      await leaveFor(next);
    };
    import("./passkey.ts")
      .then(({ suggestedPasskey }) => suggestedPasskey(left.signal))
      // Without suggestions the button is there, which says what is wrong.
      .catch(() => null)
      .then((passkey) => passkey && enter(passkey))
      .catch((error: unknown) => setRefusal(failureOf(error)));
    return () => left.abort();
  }, [suggests, next]);

  const startOver = () => {
    form.setValue("new_password", undefined);
    setAsked("password");
  };

  if (asked === "new_password")
    return (
      <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <p className="text-muted-foreground">Your password was made up for you. Choose one of your own.</p>
        <Field label="New password" error={errors.new_password?.message} hint={PASSWORD_HINT} required>
          <PasswordInput autoFocus autoComplete="new-password" {...form.register("new_password")} />
        </Field>
        <FormAlert>{failure ?? refusal}</FormAlert>
        <SubmitButton busy={busy} size="lg">
          Save and sign in
        </SubmitButton>
        <Button variant="link" className="self-center" onClick={startOver}>
          Back
        </Button>
      </form>
    );
  if (asked === "code")
    return (
      <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field label="Code" error={errors.code?.message} hint="From your app, or a recovery code." required>
          <CodeInput autoFocus {...form.register("code")} />
        </Field>
        <FormAlert>{failure ?? refusal}</FormAlert>
        <SubmitButton busy={busy} size="lg">
          Sign in
        </SubmitButton>
        {passkeys ? (
          <PasskeyButton
            use="sign-in"
            label="Use a passkey instead"
            size="lg"
            onFailure={setRefusal}
            onAnswer={async (passkey) => {
              const { email: address, password, new_password } = form.getValues();
              await signInWithPassword(address, password, { passkey, new_password });
              await leaveFor(next);
            }}
          />
        ) : null}
        <Button variant="link" className="self-center" onClick={startOver}>
          Back
        </Button>
      </form>
    );
  return (
    <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field label="E-mail" error={errors.email?.message} required>
        <EmailInput autoComplete={passkeys ? "username webauthn" : "username"} {...form.register("email")} />
      </Field>
      <Field
        label="Password"
        error={errors.password?.message}
        required
        aside={<TextLink href="/forgot-password">Forgot it?</TextLink>}
      >
        <PasswordInput autoComplete="current-password" {...form.register("password")} />
      </Field>
      <FormAlert>{failure ?? refusal}</FormAlert>
      <SubmitButton busy={busy} size="lg">
        Sign in
      </SubmitButton>
      {passkeys ? (
        <PasskeyButton
          use="sign-in"
          label="Sign in with a passkey"
          size="lg"
          onFailure={setRefusal}
          onAnswer={async (passkey) => {
            await signInWithPasskey(passkey);
            await leaveFor(next);
          }}
        />
      ) : null}
    </form>
  );
}
