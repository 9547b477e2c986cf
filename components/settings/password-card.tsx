"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { callUser } from "#components/api.ts";
import { FormAlert } from "#components/auth/form-alert.tsx";
import { checkOf } from "#components/auth/form-check.ts";
import { PasswordInput } from "#components/auth/password-input.tsx";
import { PASSWORD_HINT } from "#components/auth/password-words.ts";
import { SubmitButton } from "#components/auth/submit-button.tsx";
import { useFormSubmit } from "#components/auth/use-form-submit.ts";
import { changePassword } from "#components/operations/users.ts";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { Field } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { sessionsKey } from "./sessions.ts";

export function PasswordCard({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const router = useRouter();
  const queries = useQueryClient();
  const form = useForm({
    resolver: checkOf<"firstPassword">(hasPassword ? ("changePassword" as "firstPassword") : "firstPassword"),
    defaultValues: { current_password: hasPassword ? "" : undefined, password: "" },
  });
  const { errors } = form.formState;
  const { submit, failure, busy } = useFormSubmit(form, async (values) => {
    const { ended_sessions } = await callUser(changePassword, values);
    form.reset();
    router.refresh();
    await queries.invalidateQueries({ queryKey: sessionsKey });
    const elsewhere = ended_sessions === 1 ? "one other session" : `${ended_sessions} other sessions`;
    toast.success(ended_sessions > 0 ? `The password is changed; ${elsewhere} ended.` : "The password is changed.");
  });

  return (
    <Card aria-labelledby="password">
      <CardHeader
        titleId="password"
        title="Password"
        description={
          hasPassword
            ? "A new password ends your other sessions."
            : "You sign in with a provider; a password is a second way in."
        }
      />
      <CardBody>
        <form method="post" onSubmit={submit} noValidate className="flex max-w-md flex-col gap-4">
          {/* For password managers, so that they know whose password it is. */}
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          {hasPassword ? (
            <Field label="Current password" error={errors.current_password?.message} required>
              <PasswordInput autoComplete="current-password" {...form.register("current_password")} />
            </Field>
          ) : null}
          <Field label="New password" error={errors.password?.message} hint={PASSWORD_HINT} required>
            <PasswordInput autoComplete="new-password" {...form.register("password")} />
          </Field>
          <FormAlert>{failure}</FormAlert>
          <SubmitButton busy={busy} className="self-start">
            {hasPassword ? "Change password" : "Set password"}
          </SubmitButton>
        </form>
      </CardBody>
    </Card>
  );
}
