"use client";

import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "#components/api.ts";
import { Button } from "#components/ui/button.tsx";
import { failureOf } from "#components/ui/failure.ts";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import type { PasskeyAnswer } from "#lib/core/passkeys.ts";
import { signInWithPasskey, signInWithPassword } from "./auth-client.ts";
import { CodeInput } from "./code-input.tsx";
import { FormAlert } from "./form-alert.tsx";
import { checkOf } from "./form-check.ts";
import { leaveFor } from "./leave.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import { PasswordInput } from "./password-input.tsx";
import { SubmitButton } from "./submit-button.tsx";
import { TextLink } from "./text-link.tsx";
import { useFormSubmit } from "./use-form-submit.ts";

type SignInFormProps = {
  next: string;
  email?: string;
  /** Whether browsers take passkeys at this address. */
  passkeys: boolean;
};

export function SignInForm({ next, email, passkeys }: SignInFormProps) {
  const form = useForm({ resolver: checkOf("signIn"), ...(email ? { defaultValues: { email } } : {}) });
  const { errors } = form.formState;
  const [asksForCode, setAsksForCode] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { submit, failure, busy } = useFormSubmit(form, async (values) => {
    setRefusal(null);
    try {
      await signInWithPassword(values.email, values.password, { code: values.code });
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "code_required") || asksForCode) throw error;
      form.setValue("code", "");
      return setAsksForCode(true);
    }
    await leaveFor(next);
  });

  const suggests = passkeys && !asksForCode;
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

  if (asksForCode)
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
              const [address, password] = form.getValues(["email", "password"]);
              await signInWithPassword(address, password, { passkey });
              await leaveFor(next);
            }}
          />
        ) : null}
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
          autoComplete={passkeys ? "username webauthn" : "username"}
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
