"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { callUser } from "#components/api.ts";
import { confirmIdentity } from "#components/operations/second-factor.ts";
import { getProfile } from "#components/operations/users.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";
import { signInWithProvider } from "./auth-client.ts";
import { CodeInput } from "./code-input.tsx";
import { FormAlert } from "./form-alert.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import { PasswordInput } from "./password-input.tsx";
import { useFormSubmit } from "./use-form-submit.ts";

type ConfirmDialogProps = {
  /** Why it is asked. */
  reason?: string;
  onEnd: (confirmed: boolean) => void;
};

const FAR_REACHING = "This is a sensitive action.";

export function ConfirmDialog({ reason = FAR_REACHING, onEnd }: ConfirmDialogProps) {
  const profile = useQuery({
    queryKey: ["profile", "to-confirm"],
    queryFn: ({ signal }) => callUser(getProfile, {}, { signal }),
    gcTime: 0,
  });
  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onEnd(false))}>
      <DialogContent title="Confirm that it is you" description={reason}>
        <LoadProblem title="Your account could not be loaded" query={profile} />
        {profile.isPending ? (
          <DialogBody>
            <Loading label="Loading how you sign in">
              <Skeleton className="h-9 w-full" />
            </Loading>
          </DialogBody>
        ) : null}
        {profile.data ? (
          <Ways
            password={profile.data.has_password}
            code={profile.data.second_factor !== null}
            providers={profile.data.providers}
            passkey={profile.data.passkeys.length > 0}
            onConfirmed={() => onEnd(true)}
          />
        ) : null}
      </DialogContent>
    </Dialog>
  );
}

type WaysProps = {
  password: boolean;
  code: boolean;
  passkey: boolean;
  providers: readonly { id: string; name: string | null }[];
  onConfirmed: () => void;
};

const Ways = ({ password, providers, ...factors }: WaysProps) =>
  password || factors.code || factors.passkey ? <ConfirmForm {...factors} /> : <ByProvider providers={providers} />;

type ConfirmFormProps = Omit<WaysProps, "password" | "providers">;

function ConfirmForm({ code, passkey, onConfirmed }: ConfirmFormProps) {
  const byCode = code || passkey;
  const [refusal, setRefusal] = useState<string | null>(null);
  const form = useForm<{ password?: string; code?: string }>({
    defaultValues: byCode ? { code: "" } : { password: "" },
  });
  const { errors } = form.formState;
  const { submit, failure, busy } = useFormSubmit(form, async (values) => {
    setRefusal(null);
    await callUser(confirmIdentity, values);
    onConfirmed();
  });
  return (
    <form method="post" onSubmit={submit} noValidate>
      <DialogBody>
        {passkey ? (
          <PasskeyButton
            use="confirm"
            label="Use a passkey"
            onFailure={setRefusal}
            onAnswer={async (answer) => {
              await callUser(confirmIdentity, { passkey: answer });
              onConfirmed();
            }}
          />
        ) : null}
        {byCode ? (
          <Field
            label={passkey ? "Or a code" : "Code"}
            error={errors.code?.message}
            hint={code ? "From your app, or a recovery code." : "A recovery code."}
            required
          >
            <CodeInput autoFocus={!passkey} {...form.register("code", { required: "Enter a code." })} />
          </Field>
        ) : (
          <Field label="Password" error={errors.password?.message} required>
            <PasswordInput
              autoFocus
              autoComplete="current-password"
              {...form.register("password", { required: "Enter your password." })}
            />
          </Field>
        )}
        <FormAlert>{failure ?? refusal}</FormAlert>
      </DialogBody>
      <DialogSubmit label="Confirm" busy={busy} />
    </form>
  );
}

/** Comes back to this page, signed in anew. */
function ByProvider({ providers }: Pick<WaysProps, "providers">) {
  const [failure, setFailure] = useState<string | null>(null);
  const again = (id: string) =>
    signInWithProvider(id, window.location.href, true).catch((error: unknown) =>
      setFailure(error instanceof Error ? error.message : "Signing in failed. Try again."),
    );
  const offered = providers.filter(({ name }) => name !== null);
  return (
    <>
      <DialogBody>
        <p>
          {offered.length > 0
            ? "You sign in with a provider. Sign in there again, and then repeat what you wanted to do."
            : "You sign in with a provider that this server does not offer now. Ask the person who runs it."}
        </p>
        <FormAlert>{failure}</FormAlert>
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        {offered.map(({ id, name }) => (
          <Button key={id} variant="primary" onClick={() => void again(id)}>
            Continue with {name}
          </Button>
        ))}
      </DialogFooter>
    </>
  );
}
